"""A claims product that is awkward to drive: it keeps every habit that an adapter must be able to describe.

The composer is an editable box in which Enter sends; bubbles stand in a frame, in a pane that scrolls, in a list that holds
its newest rows only and is rendered again all the time; cards, dialogs, sign-in and the final state stand in a shadow root;
what is typed before the page has come to life is wiped; after signing in the page loads anew and asks whether to leave it.
The talk itself is simple: one question after the other, answers read by fixed rules (a controlled runtime).
"""

import contextlib
import hashlib
import io
import re
import secrets
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from html import escape
from pathlib import Path
from typing import Any

import uvicorn
from pypdf import PdfReader
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

HERE = Path(__file__).parent
HYDRATION_MS = 700
_PLATE = re.compile(r"\b[A-Z]{2}\d{2} ?[A-Z]{3}\b")
_DATE = re.compile(r"\b(\d{1,2} [A-Z][a-z]+ \d{4})\b")
_UNKNOWN = re.compile(r"\b(don't|do not) know\b", re.IGNORECASE)
QUESTIONS: dict[str, str] = {
    "incident_time": "Thank you. What time was it, roughly?",
    "injuries": "Was anybody hurt?",
    "drivable": "Can the car still be driven?",
    "plate": "Your own registration, please?",
    "other_vehicle": "Do you know the plate of the other car?",
    "other_driver": "Who was driving the other car?",
    "police_reference": "Is there a police reference?",
    "estimated_loss": "How much will the repair cost?",
    "vehicle_location": "Where is the car now?",
}
"""Fact -> the question for it, in the order in which they are asked."""
FILES = {"quote": "Please add the repair quote.", "photo": "Please add a photo of the damage."}
"""Kind -> the request for it. The quote may be added from the first answer on, the photo after the last question."""


def _iso(text: str) -> str | None:
    found = _DATE.search(text)
    return datetime.strptime(found.group(1), "%d %B %Y").date().isoformat() if found else None  # noqa: DTZ007


def understood(fact: str, text: str) -> str | None:
    """The value of a fact in an answer, canonical; None if the answer does not hold one."""
    if _UNKNOWN.search(text):
        return "unknown"
    if fact in ("injuries", "drivable"):
        found = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE)
        return found.group(1).lower() if found else None
    if fact == "incident_time":
        found = re.search(r"\b(\d{1,2}:\d{2})\b", text)
        return found.group(1) if found else None
    if fact in ("plate", "other_vehicle"):
        found = _PLATE.search(text)
        return found.group(0) if found else None
    if fact == "estimated_loss":
        found = re.search(r"£([\d,]+(?:\.\d\d)?)", text)
        return f"{float(found.group(1).replace(',', '')):.2f} GBP" if found else None
    if fact == "police_reference" and re.search(r"\bnone\b|\bno\b", text, re.IGNORECASE):
        return "none"
    return re.sub(r"^It is outside my home, ", "", text.strip()).rstrip(".")


@dataclass
class Claim:
    """One seeded customer."""

    request: dict[str, Any]
    email: str
    password: str
    items: list[dict[str, str]] = field(default_factory=lambda: [{"who": "us", "text": "Good day. What happened?"}])
    facts: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """kind -> (name, bytes)."""
    notes: list[str] = field(default_factory=list)
    asking: str | None = "opening"
    signed_in: bool = False
    number: str | None = None

    def act(self) -> str | None:
        """What stands in the shadow root now: an upload card, sign-in, the summary, the final state, or nothing."""
        if self.number:
            return "final"
        if self.asking is None and len(self.files) == len(FILES):
            return "summary" if self.signed_in else "sign_in"
        if self.asking == "opening":
            return None
        return next((kind for kind in FILES if kind not in self.files and (kind == "quote" or not self.asking)), None)

    def say(self, text: str) -> None:
        """The customer's message, and the reply."""
        self.items.append({"who": "you", "text": text})
        if text.strip().endswith("?"):
            self.notes.append(text.strip())
            self.reply("We have noted that for the claims team.")
            return
        if self.asking == "opening":
            self.facts["incident_date"] = _iso(text) or "unknown"
            place = re.search(r"\b[Ii]n the ([^.]+)\.", text)
            happened = re.search(r"\b(another car [^.]+)\.", text)
            self.facts["place"] = place.group(1) if place else "unknown"
            self.facts["what_happened"] = happened.group(1) if happened else text
        elif self.asking is not None:
            value = understood(self.asking, text)
            if value is None:
                self.reply("I did not get that.")
                return
            self.facts[self.asking] = value
        self.reply("")

    def reply(self, lead: str) -> None:
        """The lead, then the next question or request."""
        self.asking = next((f for f in QUESTIONS if f not in self.facts), None)
        follow = QUESTIONS.get(self.asking or "") or FILES.get(self.act() or "")
        if follow is None:
            follow = {
                "sign_in": "Please sign in, so that we can file your claim.",
                "summary": "Please look at the summary below.",
            }.get(self.act() or "", "Your claim has been sent.")
        self.items.append({"who": "us", "text": f"{lead}\n\n{follow}" if lead else follow})

    def view(self) -> dict[str, Any]:
        """What the page is told."""
        labels = {"incident_date": "Date", "incident_time": "Time", "plate": "Registration", "place": "Place"}
        shown = [[labels[k], v] for k, v in self.facts.items() if k in labels]
        return {"items": self.items, "act": self.act(), "number": self.number, "summary": shown}

    def triage(self) -> dict[str, Any]:
        """Level and reasons."""
        loss = float(self.facts.get("estimated_loss", "0 GBP").split()[0])
        reasons = ["third_party_involved"] if self.facts.get("other_vehicle") not in (None, "none") else []
        reasons += ["loss_at_least_1000"] if loss >= 1000 else []
        return {"level": "standard" if reasons else "simple", "reasons": reasons or ["minor_damage"]}

    def review(self) -> dict[str, Any]:
        """The four checks, relative to the incident."""
        when = date.fromisoformat(self.facts["incident_date"])
        policy, prior = self.request["policy"], self.request["prior_claims"]
        since = (when - date.fromisoformat(policy["inception"])).days
        others = [p for p in prior if 0 <= (when - date.fromisoformat(p["reported"])).days <= 365]
        quoted = _iso(PdfReader(io.BytesIO(self.files["quote"][1])).pages[0].extract_text())
        quote = "not_checked" if quoted is None else "hit" if quoted < when.isoformat() else "clear"
        checks = {
            "receipt_after_incident": "not_applicable",
            "quote_before_incident": quote,
            "prior_claims_within_year": "hit" if len(others) >= 2 else "clear",
            "loss_within_30_days_of_inception": "hit" if 0 <= since <= 30 else "clear",
        }
        weak = [checks["prior_claims_within_year"], checks["loss_within_30_days_of_inception"]].count("hit")
        return {"checks": checks, "required": quote == "hit" or weak == 2, "explanation": None}


class Awkward:
    """The product's state and routes.

    Args:
        seed_token: bearer token of seed, state and stored files.
        staff_user: who may see the staff's pages.
        staff_password: their password.
    """

    def __init__(self, seed_token: str, staff_user: str, staff_password: str) -> None:
        self.token, self.staff = seed_token, (staff_user, staff_password)
        self.claims: dict[str, Claim] = {}
        self.sessions: set[str] = set()
        self.base_url = ""

    # ------------------------------------------------------------ for the rig

    def _guarded(self, request: Request) -> bool:
        return secrets.compare_digest(request.headers.get("authorization", ""), f"Bearer {self.token}")

    async def runtime(self, request: Request) -> Response:
        """`controlled`, always."""
        return JSONResponse(
            {
                "schema": "runtime-report-v1", "product": "awkward claims", "version": "1", "runtime": "controlled",
                "model": None, "stores": {"memory": "embedded"},
            }
        )  # fmt: skip

    async def seed(self, request: Request) -> Response:
        """A fresh customer in the state that was asked for."""
        if not self._guarded(request):
            return Response(status_code=401)
        asked = await request.json()
        ref = secrets.token_urlsafe(12)
        claim = Claim(asked, f"customer-{secrets.token_hex(4)}@example.com", secrets.token_urlsafe(9))
        self.claims[ref] = claim
        login = {"email": claim.email, "password": claim.password}
        return JSONResponse(
            {
                "schema": "seed-receipt-v1", "stored": asked, "start_url": f"{self.base_url}/go/{ref}",
                "login": None if asked["claimant_session"] == "anonymous" else login, "case_ref": ref,
            }
        )  # fmt: skip

    async def state(self, request: Request) -> Response:
        """What is held for one seeded customer."""
        if not self._guarded(request):
            return Response(status_code=401)
        ref = request.path_params["ref"]
        claim = self.claims[ref]
        status = "confirmed" if claim.number else "collected"
        facts = {k: {"value": v, "status": status} for k, v in claim.facts.items()}
        uploads = [
            {
                "name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest(),
                "url": f"{self.base_url}/rig/files/{ref}/{kind}", "kind": kind,
            }
            for kind, (name, data) in claim.files.items()
        ]  # fmt: skip
        case = {
            "number": claim.number, "status": "submitted" if claim.number else "draft", "scenario_class": "motor.parked_hit",
            "facts": facts, "uploads": uploads, "triage": claim.triage() if claim.number else None,
            "review": claim.review() if claim.number else None,
            "notes": [{"kind": "question", "text": t, "status": "open"} for t in claim.notes],
        }  # fmt: skip
        return JSONResponse({"schema": "state-read-v1", "request_id": claim.request["request_id"], "cases": [case]})

    async def stored(self, request: Request) -> Response:
        """The bytes of a stored file."""
        if not self._guarded(request):
            return Response(status_code=401)
        return Response(self.claims[request.path_params["ref"]].files[request.path_params["kind"]][1])

    # ------------------------------------------------------------ for the customer

    async def shell(self, request: Request) -> Response:
        """The customer's page."""
        page = (HERE / "shell.html").read_text(encoding="utf-8")
        return HTMLResponse(
            page.replace("{{ref}}", request.path_params["ref"]).replace("{{hydration}}", str(HYDRATION_MS))
        )

    async def frame(self, request: Request) -> Response:
        """The empty transcript; the page around it fills it."""
        return HTMLResponse((HERE / "frame.html").read_text(encoding="utf-8"))

    async def api(self, request: Request) -> Response:
        """State, messages, files, sign-in and confirmation of one customer."""
        claim = self.claims[request.path_params["ref"]]
        what = request.path_params["what"]
        if what == "say":
            claim.say((await request.json())["text"])
        elif what in FILES:
            claim.files[what] = (request.headers["x-name"], await request.body())
            claim.items.append({"who": "you", "text": "", "file": request.headers["x-name"]})
            claim.reply("Thank you for the file.")
        elif what == "sign-in":
            given = await request.json()
            claim.signed_in = (given["email"], given["password"]) == (claim.email, claim.password)
            if claim.signed_in:
                claim.reply("You are signed in.")
        elif what == "confirm":
            claim.number = f"AWK-{1000 + list(self.claims).index(request.path_params['ref'])}"
            claim.reply("Thank you.")
        return JSONResponse(claim.view())

    # ------------------------------------------------------------ for the staff

    async def staff_page(self, request: Request) -> Response:
        """Sign-in, the list, or one case."""
        ref = request.path_params.get("ref")
        if request.cookies.get("staff") not in self.sessions:
            return HTMLResponse(
                '<form method="post" action="/staff"><label>Who are you <input name="user"></label>'
                '<label>Pass phrase <input name="word" type="password"></label><input type="submit" value="Go"></form>'
            )
        if ref is None:
            links = "".join(f'<li><a href="/staff/{r}">{r}</a></li>' for r in self.claims)
            return HTMLResponse(f"<h1>All claims</h1><ol id=claims>{links}</ol>")
        claim = self.claims[ref]
        triage, review = (claim.triage(), claim.review()) if claim.number else ({}, {"checks": {}, "required": False})
        rows = "".join(f"<tr><td>{escape(k)}<td>{escape(v)}<td>done</tr>" for k, v in claim.facts.items())
        checks = "".join(f"<tr><td>{k}<td>{v}<td></tr>" for k, v in review["checks"].items())
        notes = "".join(f"<tr><td>{escape(n)}<td>open</tr>" for n in claim.notes)
        files = "".join(f"<tr><td>{escape(n)}<td>{len(d)}</tr>" for n, d in claim.files.values())
        reasons = "<br>".join(triage.get("reasons", []))
        return HTMLResponse(
            f"<h1>Claim {claim.number or 'draft'}</h1><dl><dt>Number<dd id=number>{claim.number or ''}<dt>Level"
            f"<dd id=level>{triage.get('level', '')}<dt>Why<dd id=why>{reasons}<dt>Review<dd id=review>"
            f"{'yes' if review['required'] else 'no'}</dl><table id=facts>{rows}</table><table id=checks>{checks}</table>"
            f"<table id=notes>{notes}</table><table id=files>{files}</table>"
        )

    async def staff_in(self, request: Request) -> Response:
        """Lets the staff in."""
        form = dict(item.split("=", 1) for item in (await request.body()).decode().split("&"))
        if (form["user"], form["word"]) != self.staff:
            return RedirectResponse("/staff", 303)
        session = secrets.token_hex(8)
        self.sessions.add(session)
        answer = RedirectResponse("/staff", 303)
        answer.set_cookie("staff", session)
        return answer

    def app(self) -> Starlette:
        """All routes."""
        return Starlette(
            routes=[
                Route("/rig/runtime", self.runtime),
                Route("/rig/seed", self.seed, methods=["POST"]),
                Route("/rig/state/{ref}", self.state),
                Route("/rig/files/{ref}/{kind}", self.stored),
                Route("/go/{ref}", self.shell),
                Route("/frame", self.frame),
                Route("/api/{ref}/{what}", self.api, methods=["GET", "POST"]),
                Route("/staff", self.staff_page),
                Route("/staff", self.staff_in, methods=["POST"]),
                Route("/staff/{ref}", self.staff_page),
            ]
        )


@contextlib.contextmanager
def serving(seed_token: str, staff_user: str, staff_password: str) -> Iterator[Awkward]:
    """The product on a free loopback port, served by a thread for as long as the block runs."""
    product = Awkward(seed_token, staff_user, staff_password)
    listener = socket.create_server(("127.0.0.1", 0))
    product.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    config = uvicorn.Config(product.app(), log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield product
    finally:
        server.should_exit = True
        thread.join(10)
