"""What the line rules look at: the record, the package, and the case among the product's cases."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness.schema.events import Acted, LedgerEntry, ScreenSeen
from harness.schema.package import LABELS, PROVENANCE, VisiblePackage, read_visible
from harness.schema.product import CaseState, StaffRow
from harness.schema.setup import ClaimsSetup
from harness.schema.strict_json import parse_json, read_bytes, sha256_hex
from harness.schema.visible import Fact
from harness.schema.wording import fold
from oracle_scoring.claims.talk import Talk, listen, stood
from oracle_scoring.compare import contains_words, fold_text
from oracle_scoring.corpus.load import read_labels, read_setup
from oracle_scoring.corpus.models import Labels
from oracle_scoring.corpus.unwritten import texts_in
from oracle_scoring.record import Record, read_record


@dataclass(frozen=True)
class Context:
    """One attempt beside its package."""

    record: Record
    visible: VisiblePackage
    labels: Labels
    setup: ClaimsSetup
    oracle_sha256: str
    """Of the bytes of oracle/labels.json."""
    talk: Talk
    file_texts: tuple[str, ...] = ()
    """What is known of the insides of the package's files: every text of provenance.json."""

    @cached_property
    def case_index(self) -> int | None:
        """Position of the journey's case in the state read: the one whose number was shown, else the submitted one, else
        the last; None if there is none."""
        cases = self.record.state.cases if self.record.state else []
        for index, case in enumerate(cases):
            if case.number and self.shown_at(case.number) is not None:
                return index
        submitted = [i for i, case in enumerate(cases) if case.status == "submitted"]
        return submitted[0] if submitted else len(cases) - 1 if cases else None

    @property
    def case(self) -> CaseState | None:
        """The journey's case."""
        return self.record.state.cases[self.case_index] if self.record.state and self.case_index is not None else None

    @property
    def case_path(self) -> str:
        """Where the case stands in state.json."""
        return "read.cases" if self.case_index is None else f"read.cases.{self.case_index}"

    @property
    def no_state(self) -> str | None:
        """Why nothing can be said from the product's state; None if it was read."""
        return None if self.record.state else f"the product's state could not be read: {self.record.state_why}"

    @cached_property
    def screens(self) -> list[ScreenSeen]:
        """All screens, in order."""
        return [e for e in self.record.events if isinstance(e, ScreenSeen)]

    @cached_property
    def acts(self) -> list[Acted]:
        """All acts of the customer, in order."""
        return [e for e in self.record.events if isinstance(e, Acted)]

    @cached_property
    def ledger(self) -> list[LedgerEntry]:
        """The claim ledger, in order."""
        return [e for e in self.record.events if isinstance(e, LedgerEntry)]

    @cached_property
    def said(self) -> list[Acted]:
        """What the customer put into words and the page confirmed: messages, filled fields, pressed buttons."""
        return [a for a in self.acts if a.confirmed and a.act in ("said", "filled", "pressed")]

    @cached_property
    def stood(self) -> list[ScreenSeen]:
        """The last screen before each act of the customer, and the last of all: what the customer answered."""
        return stood(self.record.events)

    def turn_event(self, turn: int) -> int | None:
        """The first event of a turn: what the customer did; None if no event of the turn was recorded."""
        return next((e.n for e in self.record.events if e.turn == turn), None)

    @property
    def unclear(self) -> list[int]:
        """Event numbers of screens of which a part was cut or could not be read."""
        return [s.n for s in self.screens if s.screen.truncated or s.screen.unreadable]

    @property
    def reached_end(self) -> bool:
        """The claim was submitted; where the state could not be read, the journey ended on a final state."""
        if self.record.state:
            return self.case is not None and self.case.status == "submitted"
        return self.record.attempt.termination_reason == "completed"

    @cached_property
    def own_texts(self) -> list[str]:
        """Everything that is the customer's own: what they know, what they wrote, what their files hold, what the insurer
        held about them beforehand, and the login made for them."""
        facts, policy = self.visible.facts, self.setup.policy
        return [
            self.visible.initial_message,
            facts.persona.name,
            *facts.persona.dont_know,
            *(text for f in facts.facts for text in (f.topic, f.value, f.say)),
            *(u.topic for u in facts.does_not_know),
            *(w.say for w in facts.wishes),
            *(text for m in self.visible.materials.materials for text in (m.visible.file, m.visible.label)),
            *(a.text for a in self.acts),
            *([policy.number, policy.holder, policy.inception, policy.insured_item] if policy else []),
            *(text for claim in self.setup.prior_claims for text in (claim.number, claim.reported)),
            *self.record.login_texts,
            *self.file_texts,
        ]

    @cached_property
    def own_flat(self) -> str:
        """`own_texts`, folded as `wording.fold` does, one below the other: to look a phrase up in."""
        return "\n".join(fold(text) for text in self.own_texts)

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Facts the customer knows, by id."""
        return {f.id: f for f in self.visible.facts.facts}

    def shown_at(self, text: str) -> tuple[int, str] | None:
        """Event number and text of the first screen on which `text` stood by itself; None if it never did."""
        for seen in self.screens:
            screen = seen.screen
            controls = (text for c in screen.controls for text in (c.name, c.value or ""))
            for shown in (screen.final or "", *(b.text for b in screen.blocks if b.part != "customer"), *controls):
                if contains_words(shown, text):
                    return seen.n, shown
        return None

    def staff_field(self, name: str) -> str | None:
        """Visible text of a single value of the staff page; None if it was not read or is not shown."""
        staff = self.record.staff
        return staff.fields.get(name) if staff and staff.found else None

    def staff_list(self, name: str) -> list[StaffRow] | None:
        """Rows of a list of the staff page; None if it was not read."""
        staff = self.record.staff
        return staff.lists.get(name) if staff and staff.found else None

    def no_staff(self, what: str) -> str:
        """Why `what` could not be read from the staff page."""
        staff = self.record.staff
        if staff is None:
            return f"the staff pages could not be read: {self.record.staff_why}"
        if not staff.found:
            return f"the case was not found on the staff pages: {staff.why_not or 'no reason recorded'}"
        return f"the staff page shows no {what}"

    def code(self, field: str, words: str) -> str | None:
        """The code of what a staff page shows, by the adapter's vocabulary; None for words it does not know.

        A field without a vocabulary shows its codes themselves.
        """
        table = self.record.adapter.vocabulary.get(field)
        if table is None:
            return fold_text(words) or None
        return next((code for word, code in table.items() if fold_text(word) == fold_text(words)), None)

    def codes(self, field: str, words: str) -> tuple[list[str], str]:
        """All codes a staff page shows in one text, and what is left of the text that the vocabulary does not know."""
        left, found = fold_text(words), []
        table = self.record.adapter.vocabulary.get(field, {})
        for word, code in sorted(table.items(), key=lambda pair: (-len(pair[0]), pair[0])):
            flat = fold_text(word)
            if contains_words(left, flat):
                found.append(code)
                left = left.replace(flat, " ")
        rest = " ".join("".join(c if c.isalnum() else " " for c in left).split())
        return sorted(found), rest


def open_context(attempt_dir: Path, package_dir: Path) -> Context:
    """Record and package, read and checked; the first mistake is an InputError."""
    record = read_record(attempt_dir)
    visible = read_visible(package_dir)
    labels = read_labels(package_dir)
    sha = sha256_hex(read_bytes(package_dir / LABELS, f"{package_dir.name}/{LABELS}"))
    made = parse_json(read_bytes(package_dir / PROVENANCE, shown := f"{package_dir.name}/{PROVENANCE}"), shown)
    talk = listen(record.events, visible)
    return Context(record, visible, labels, read_setup(package_dir), sha, talk, tuple(texts_in(made)))
