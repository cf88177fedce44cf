"""One turn of the conversation: what the customer did goes in, the case changes, a reply comes out.

Everything here changes the `Case` in memory; saving it, and the locks around that, are the caller's.
"""

import re
import secrets
from collections.abc import Awaitable, Callable

from harness.devstack.claims import defects, parse, policy, review, triage
from harness.devstack.claims.case import Case, Customer, Entry, Fact, Note, TurnRecord, Upload, show_value
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.reply import Reply
from harness.devstack.claims.runtime import Runtime
from harness.devstack.claims.understand import Context, Understanding

Emit = Callable[[str], Awaitable[None]]
NextNumber = Callable[[], Awaitable[str]]
MOST_CORRECTIONS = 3
MOST_DEFLECTIONS = 3
MOST_FILE_TRIES = 3


class Engine:
    """Runs turns for one product.

    Args:
        runtime: what reads messages and words replies.
        next_number: gives a case number never given before.
    """

    def __init__(self, runtime: Runtime, next_number: NextNumber) -> None:
        self.runtime = runtime
        self._next_number = next_number

    async def message(self, case: Case, customer: Customer, turn_id: str, text: str, emit: Emit) -> TurnRecord:
        """The customer wrote something; their bubble is in the case already."""
        reply = Reply()
        case.notice = None
        opening = sum(e.who == "customer" for e in case.entries) == 1
        if case.scenario_class is None:
            self._classify(case, customer, text)
        context = Context(
            asked=tuple(case.asked),
            wanted=policy.wanted_facts(case, customer),
            held=frozenset(case.facts),
            today=customer.today(),
            card=case.card,
            promised=tuple(k for k, s in case.files.items() if s in ("later", "given_up")),
            opening=opening,
            correcting=case.stage in ("correcting", "confirming"),
            explaining=case.explaining,
        )
        understood = await self.runtime.understand(case, text, context)
        if defects.trivial.does_nothing(customer.defects):
            reply.said.append("Thank you for your message.")
            return await self._answer(case, customer, turn_id, "message", text, reply, emit)
        self._take_notes(case, customer, understood, reply)
        if case.stage in ("submitted", "signing_in"):
            if not reply.said:
                reply.said.append("Thank you, I have kept that with your claim.")
        elif case.stage in ("confirming", "correcting"):
            await self._while_checking(case, customer, text, understood, reply)
        else:
            self._while_collecting(case, understood, reply, opening)
            reply.send = defects.trivial.sends_at_once(customer.defects)
        return await self._answer(case, customer, turn_id, "message", text, reply, emit)

    async def press(self, case: Case, customer: Customer, turn_id: str, action: str, emit: Emit) -> TurnRecord:
        """The customer pressed a button. An action that does not fit the state changes nothing."""
        reply = Reply()
        case.notice = None
        kind, _, argument = action.partition(":")
        if kind == "contact":
            self._note(case, customer, "contact", "Asked to be contacted (button).")
            reply.said.append("I have asked a colleague to contact you.")
        elif kind == "choose" and case.choosing and argument in catalogue().classes:
            case.scenario_class = argument
            case.choosing = False
            reply.said.append("Thank you.")
        elif kind in ("confirm", "change") and case.stage == "confirming":
            if defects.talk.dialog_stays(case, customer.defects):
                reply.said.append("Thank you.")
            elif kind == "confirm":
                self._confirm(case, customer, reply)
            else:
                self._reject(case, customer, reply)
        return await self._answer(case, customer, turn_id, "press", action, reply, emit)

    async def uploaded(
        self, case: Case, customer: Customer, turn_id: str, upload: Upload, card: str, emit: Emit
    ) -> TurnRecord:
        """A file arrived through the card of a kind and is stored; its bubble is in the case already."""
        case.notice = None
        expected = {g.file for g in policy.plan(case, customer)}
        kind = upload.kind if upload.kind in expected else card
        case.uploads = [*case.uploads, upload]
        case.files = {**case.files, kind: "done"}
        reply = Reply(said=[f"Thank you, the {catalogue().files[kind].label.lower()} has arrived."])
        reply.tags.append(f"File received: {upload.name}")
        if case.status == "submitted":
            self._settle_review(case, customer)
        return await self._answer(case, customer, turn_id, "upload", upload.name, reply, emit)

    async def signed_in(self, case: Case, customer: Customer, turn_id: str, emit: Emit) -> TurnRecord:
        """The customer has given the right password; whether they are signed in now, they carry with them."""
        case.notice = None
        reply = Reply(said=["Thank you, you are signed in."] if customer.signed_in else [])
        reply.send = case.stage == "signing_in" and customer.signed_in
        return await self._answer(case, customer, turn_id, "sign_in", "", reply, emit)

    # -- reading ----------------------------------------------------------------------------------------------

    def _classify(self, case: Case, customer: Customer, text: str) -> None:
        line = customer.policy.product if customer.policy else None
        found = catalogue().chosen(text) or catalogue().classify(text, line)
        if found is None and case.choosing:
            case.class_attempts += 1
            if case.class_attempts >= policy.MOST_ASKS:
                found = catalogue().fallback[customer.policy.product if customer.policy else "motor"]
        if found:
            case.scenario_class, case.choosing = found, False

    def _take_notes(self, case: Case, customer: Customer, understood: Understanding, reply: Reply) -> None:
        reply.taken_up += understood.answers
        wishes = bool(understood.questions or understood.contacts)
        if wishes and defects.trivial.agrees(customer.defects):
            reply.taken_up.append("Yes, of course.")
        else:
            for text in understood.questions:
                self._note(case, customer, "question", text)
            for text in understood.contacts:
                self._note(case, customer, "contact", text)
            if understood.questions:
                reply.taken_up.append("I have passed your question on to a colleague, who will answer it.")
            if understood.contacts:
                reply.taken_up.append("I have asked a colleague to contact you.")
        reply.said += reply.taken_up

    def _note(self, case: Case, customer: Customer, kind: str, text: str) -> None:
        if any(n.kind == kind and n.text == text and n.status == "open" for n in case.notes):
            return
        case.notes = [*case.notes, Note.model_validate({"kind": kind, "text": text[:2000], "at": customer.now()})]

    def _while_collecting(self, case: Case, understood: Understanding, reply: Reply, opening: bool) -> None:
        case.explanations = {**case.explanations, **_for_all_weak(understood.explanations, case)}
        case.explaining = None
        asked, case.asked = list(case.asked), []
        only_asks = not understood.said and bool(understood.questions or understood.contacts or understood.answers)
        self._store(case, understood.values, reply)
        for fact in understood.unknown:
            if fact not in case.facts:
                self._store(case, {fact: parse.UNKNOWN}, reply)
        deflected = only_asks and case.attempts.get("deflected", 0) < MOST_DEFLECTIONS
        for fact in asked:
            if fact in case.facts:
                continue
            if deflected:
                case.attempts = {**case.attempts, fact: max(0, case.attempts.get(fact, 1) - 1)}
            elif case.attempts.get(fact, 0) >= policy.MOST_ASKS:
                self._store(case, {fact: parse.UNKNOWN}, reply)
        if deflected and asked:
            case.attempts = {**case.attempts, "deflected": case.attempts.get("deflected", 0) + 1}
        self._files_said(case, understood, reply, only_asks)
        if opening and not reply.said:
            told = "what_happened" in reply.read
            first = "I am sorry to hear that." if told else "Thank you for getting in touch."
            reply.said.append(f"{first} I will take your claim here.")
        elif not reply.said:
            reply.said.append(_THANKS[len(case.turns) % len(_THANKS)])

    def _store(self, case: Case, values: dict[str, str], reply: Reply) -> None:
        specs = catalogue().facts
        facts = dict(case.facts)
        for fact, value in values.items():
            if facts.get(fact) and facts[fact].value == value:
                continue
            facts[fact] = Fact(value=value)
            reply.read[fact] = value
            if fact == "what_happened":
                reply.tags.append(specs[fact].noted)
            elif value == parse.UNKNOWN:
                reply.tags.append(f"{specs[fact].label}: not known")
            else:
                reply.tags.append(f"{specs[fact].noted}: {show_value(fact, value)}")
        case.facts = facts

    def _files_said(self, case: Case, understood: Understanding, reply: Reply, only_asks: bool) -> None:
        card, case.card = case.card, None
        files = dict(case.files)
        tries = case.attempts.get(f"file:{card}", 0) + 1
        if card and (only_asks or (card in understood.ready and tries < MOST_FILE_TRIES)):
            files[card] = "later" if files.get(card) == "asked_again" else "asked"  # it is asked for again
            case.attempts = {**case.attempts, f"file:{card}": tries}
        elif card:
            # A message instead of a file: it does not come now.
            gone = files.get(card) == "asked_again" or card in understood.missing
            files[card] = "given_up" if gone else "later"
            reply.said.append(f"No problem, the {catalogue().files[card].label.lower()} can follow later.")
        for kind in understood.ready:
            if kind != card:
                files[kind] = "asked"
        case.files = files

    async def _while_checking(
        self, case: Case, customer: Customer, text: str, understood: Understanding, reply: Reply
    ) -> None:
        side = parse.polarity(text)
        changed = {f: v for f, v in understood.values.items() if case.value(f) != v}
        case.explanations = {**case.explanations, **understood.explanations}
        if case.stage == "confirming" and side == "yes" and not changed:
            self._confirm(case, customer, reply)
        elif changed and (case.stage == "correcting" or side == "no" or _WRONG.search(text)):
            self._store(case, changed, reply)
            case.stage = "collecting"
            reply.said.append("Thank you, I have changed that.")
        elif case.stage == "confirming" and (side == "no" or _WRONG.search(text)):
            self._reject(case, customer, reply)
        elif case.stage == "correcting" and understood.said:
            self._note(case, customer, "question", f"Wants a change: {understood.said}")
            case.stage = "collecting"
            reply.said.append("I have passed that on to a colleague, who will put it right.")
        elif not reply.said:
            reply.said.append("Thank you.")

    def _reject(self, case: Case, customer: Customer, reply: Reply) -> None:
        case.corrections += 1
        if case.corrections < MOST_CORRECTIONS:
            case.stage = "correcting"
            return
        self._note(case, customer, "question", "Says that the summary is still not right.")
        reply.said.append("I have passed on to a colleague that the summary is not right.")
        self._towards_sending(case, customer, reply)

    # -- towards the end --------------------------------------------------------------------------------------

    def _confirm(self, case: Case, customer: Customer, reply: Reply) -> None:
        case.facts = {f: Fact(value=held.value, status="confirmed") for f, held in case.facts.items()}
        reply.said.append("Thank you for checking.")
        self._towards_sending(case, customer, reply)

    def _towards_sending(self, case: Case, customer: Customer, reply: Reply) -> None:
        needs_sign_in = customer.session == "anonymous_then_sign_in" and not customer.signed_in
        case.stage = "signing_in" if needs_sign_in else "confirming"
        reply.send = not needs_sign_in

    async def _send(self, case: Case, customer: Customer, reply: Reply) -> None:
        """Submit once: a case that has a number keeps it."""
        if case.number is None:
            case.number = await self._next_number()
        case.status = "submitted"
        case.stage = "submitted"
        case.submitted_at = customer.now()
        case.triage = defects.triage.bend_triage(triage.triage(case), customer.defects)
        self._settle_review(case, customer)
        defects.facts.bend_facts(case, customer.defects)
        defects.trivial.say_yes(case, customer.defects)
        defects.uploads.lose_first(case, customer.defects)
        defects.ending.bend_end(case, customer.defects)
        reply.exact = True
        reply.said = ["Thank you. Your claim has been sent."]
        if case.told_number:
            reply.said = [f"Thank you. Your claim has been sent. Your case number is {case.told_number}."]

    def _settle_review(self, case: Case, customer: Customer) -> None:
        sound = review.review(case, customer.policy, customer.prior_claims, customer.failed_lookups)
        case.review = defects.review.bend_review(sound, customer.defects, case.explanations)

    # -- answering --------------------------------------------------------------------------------------------

    async def _answer(
        self, case: Case, customer: Customer, turn_id: str, kind: str, customer_text: str, reply: Reply, emit: Emit
    ) -> TurnRecord:
        if reply.send and case.status == "draft":
            await self._send(case, customer, reply)
        self._ask_next(case, customer, kind, reply)
        defects.talk.bend_reply(case, customer.defects, reply, kind)
        base = " ".join(s for s in (*reply.said, reply.ask) if s) or "Thank you."
        text = await self.runtime.word(case, customer_text, base, reply.ask, reply.exact, emit)
        entry = Entry(id=secrets.token_hex(6), who="assistant", text=text, tags=reply.tags, at=customer.now())
        case.entries = [*case.entries, entry]
        record = TurnRecord(id=turn_id, kind=kind, entry=entry.id, read=reply.read, step=reply.step)
        case.turns = [*case.turns, record]
        return record

    def _ask_next(self, case: Case, customer: Customer, kind: str, reply: Reply) -> None:
        case.idle = False
        if defects.trivial.does_nothing(customer.defects):
            case.idle, reply.step = True, "idle"
            return
        if case.stage == "submitted":
            case.asked, case.card = [], None
            reply.step = "done"
            return
        if case.stage == "correcting":
            case.asked, case.card = [], None
            reply.ask, reply.step, reply.exact = _WHAT_TO_CHANGE[min(case.corrections, 2) - 1], "correct", True
            return
        was_asked, case.explaining = case.asked, None
        step = self._fault(case, customer, kind, reply)
        if step is None:
            return
        reply.ask, reply.step = step.text, step.kind
        case.asked, case.card = list(step.facts), step.file
        case.choosing = step.kind == "choose"
        if step.kind == "ask":
            pending = kind != "message" and set(step.facts) <= set(was_asked)
            repeated = any(f in case.facts for f in step.facts)
            if not pending and not repeated:
                case.attempts = {**case.attempts, **{f: case.attempts.get(f, 0) + 1 for f in step.facts}}
        elif step.kind == "file" and step.file:
            state = "asked_again" if case.files.get(step.file) == "later" else "asked"
            case.files = {**case.files, step.file: state}  # type: ignore[dict-item]
        elif step.kind == "explain":
            case.explaining = step.check
            case.explained = [*case.explained, *(review.WEAK if step.check in review.WEAK else [step.check or ""])]
        elif step.kind == "confirm":
            case.stage, reply.exact = "confirming", True
        elif step.kind == "sign_in":
            reply.exact = True
        case.questions_asked += 1

    def _fault(self, case: Case, customer: Customer, kind: str, reply: Reply) -> policy.Step | None:
        """The next step, or the one a switched-on defect puts in its place; None for a reply that asks nothing."""
        step = policy.next_step(case, customer)
        if kind == "message" and step.kind in ("ask", "file"):
            again = defects.talk.to_repeat(case, customer.defects, reply.read)
            return policy.Step("ask", again[1], facts=(again[0],)) if again else step
        if defects.talk.leaves_nothing(case, customer.defects, kind):
            case.idle, case.asked, case.card = True, [], None
            reply.ask, reply.step, reply.exact = "", "idle", True
            return None
        return step


def _for_all_weak(said: dict[str, str], case: Case) -> dict[str, str]:
    """One question asks about cover and earlier claims together, so its answer stands beside both signals."""
    if case.explaining not in review.WEAK or case.explaining not in said:
        return said
    return {**dict.fromkeys(review.WEAK, said[case.explaining]), **said}


_THANKS = ("Thank you.", "Thanks, I have noted that.", "Thank you, that helps.")
_WHAT_TO_CHANGE = (
    "What should I change? Please tell me which detail is wrong, and what is right.",
    "Which detail is still wrong? Please write it the way it should be.",
)
_WRONG = re.compile(r"\b(?:wrong|not right|not correct|incorrect|change|should be|mistake)\b", re.I)
