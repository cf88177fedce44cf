"""A recorded journey as a session.

From the product's state read, where the record has one: with tools, context and decisions, and held against the screens
(`journey.session_of_state`). Else as far as a customer's screen shows it: tools, context and decisions in the background are
not on the screen; they stay *not recorded*, and what hangs on them is NOT_CHECKED. A picture the customer uploaded is there,
what the product recognised in it is not.
"""

from collections.abc import Container, Iterator
from pathlib import Path

from harness.errors import InputError
from harness.schema.events import Acted
from harness.schema.run import RunManifest, trial_number
from harness.schema.session import AssistantTurn, CustomerTurn, Image, InquirySession
from harness.schema.strict_json import read_model
from oracle_scoring.claims.talk import heard
from oracle_scoring.inquiry.journey import session_name, session_of_state
from oracle_scoring.record import Record, attempts_of, read_record

_PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp")


class NoConversation(InputError):
    """Nobody said a word in the journey."""


def session_of_record(record: Record, profile: str) -> InquirySession:
    """The conversation of a journey: each message and picture of the customer's, and what the product said up to the next."""
    if record.talks is not None and record.talks.cases and record.talks.cases[0].turns:
        return session_of_state(record, record.talks.cases[0], profile)
    turns: list[CustomerTurn | AssistantTurn] = []
    spoken = heard(record.events)
    waiting = 0

    def replies_before(event: int) -> None:
        nonlocal waiting
        said = []
        while waiting < len(spoken) and spoken[waiting].n < event:
            said.append(spoken[waiting].text)
            waiting += 1
        if said:
            turns.append(AssistantTurn(role="assistant", reply_text="\n".join(said), published=True))

    for event in record.events:
        if isinstance(event, Acted) and event.act in ("said", "uploaded") and event.confirmed:
            replies_before(event.n)
            turns.append(_customer(event))
    replies_before(record.events[-1].n + 1 if record.events else 0)
    if not turns:
        raise NoConversation(str(record.folder), "holds no conversation")
    return InquirySession(schema="inquiry-session-v1", session_id=session_name(record), profile=profile, turns=turns)


def _customer(event: Acted) -> CustomerTurn:
    at = event.at.isoformat()
    if event.act == "said":
        return CustomerTurn(role="customer", text=event.text, created_at=at)
    picture = (event.file or event.text).lower().endswith(_PICTURES)
    if not picture:
        return CustomerTurn(role="customer", text="", created_at=at)
    return CustomerTurn(role="customer", text="", created_at=at, images=[Image(id=event.file or event.text)])


def sessions_of_run(run_dir: Path, profile: str) -> Iterator[tuple[str, InquirySession]]:
    """A session for every finished attempt of the run that counts, with the attempt's place."""
    for record in records_of_run(run_dir):
        yield str(record.folder), session_of_record(record, profile)


def records_of_run(run_dir: Path, only: Container[str] | None = None) -> Iterator[Record]:
    """Every finished attempt of the run (or of `only` these packages) that counts, by package and trial."""
    manifest = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json")
    for package in sorted(p for p in manifest.settings.packages if only is None or p in only):
        folder = run_dir / package
        trials = sorted(folder.iterdir()) if folder.is_dir() else []
        for trial in trials:
            if not trial.is_dir() or trial_number(trial.name) is None:
                continue
            for attempt in attempts_of(trial):
                if not (attempt / "attempt.json").is_file():
                    continue
                record = read_record(attempt)
                if record.counting:
                    yield record
