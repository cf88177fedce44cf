"""What staff are left with: nothing open that the customer could have given, and every upload once."""

from harness.schema import wording
from harness.schema.product import StaffRow
from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.asked_files import kinds_of
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.facts import kept_back
from oracle_scoring.claims.words import pattern, patterns
from oracle_scoring.compare import fold_text, no_value
from oracle_scoring.lines import EVENTS, STAFF, Head, at_event, in_file, line, listed

OPEN_LISTS = ("open_items", "missing")
"""Lists of a staff page that hold nothing but what is still missing."""


def handover_lines(ctx: Context) -> list[ScoreLine]:
    """`staff.nothing_open`, `staff.uploads`."""
    return [_nothing_open(ctx), _uploads(ctx)]


# Nothing open ----------------------------------------------------------------------------------------------------------


def fact_called(ctx: Context, label: str) -> str | None:
    """The fact a staff page means by a label: by the adapter's words, by the fact's names, or as a question for it."""
    code = ctx.code("fact", label) if "fact" in ctx.record.adapter.vocabulary else None
    if code in ctx.facts or code in _unknown(ctx):
        return code
    flat = fold_text(label)
    named = {f.id: [f.id.replace("_", " "), f.topic] for f in ctx.visible.facts.facts}
    for fact in (*ctx.labels.expected_facts, *ctx.labels.optional_facts):
        named.setdefault(fact.id, []).append(fact.field)
    exact = next((i for i, names in named.items() if flat in (fold_text(name) for name in names)), None)
    if exact:
        return exact
    asked = wording.asked_facts(f"{label}?") or wording.asked_facts(f"The {label}?")
    return asked[0] if len(asked) == 1 else None


def _unknown(ctx: Context) -> set[str]:
    known = {f.id for f in ctx.labels.expected_facts if no_value(f.value)}
    return known | {u.id for u in ctx.visible.facts.does_not_know}


def _could_give(ctx: Context, fact_id: str) -> bool:
    """The customer knows it, and did not fail to tell it when asked."""
    fact = ctx.facts.get(fact_id)
    return fact is not None and fold_text(fact.value) != "unknown" and kept_back(ctx, fact_id) is None


def _open_rows(rows: list[StaffRow]) -> list[tuple[int, str, str]]:
    """Position, label and what is open of it, for every row without a value or not settled."""
    found = []
    for index, row in enumerate(rows):
        value, status = (wording.fold(row.cells.get(name, "")) for name in ("value", "status"))
        label = row.cells.get("fact", "").strip()
        if "value" in row.cells and pattern("unknown_cells").search(value):
            found.append((index, label, row.cells["value"].strip() or "nothing"))
        elif pattern("open_status").search(status):
            found.append((index, label, row.cells["status"].strip()))
    return found


def _nothing_open(ctx: Context) -> ScoreLine:
    head = Head("staff.nothing_open", "staff", "Nothing is open that the customer could have given")
    staff, rows = ctx.record.staff, ctx.staff_list("facts")
    if staff is None or not staff.found:
        return line(head, "not_checked", ctx.no_staff("facts"), [in_file(STAFF)])
    if ctx.no_state is None and not ctx.reached_end:
        why = "the claim was not sent; that is judged by journey.completed"
        return line(head, "not_applicable", why, [in_file(STAFF)])
    if not rows:
        return line(head, "not_checked", ctx.no_staff("facts"), [in_file(STAFF, "lists.facts")])
    problems: list[str] = []
    evidence: list[Evidence] = []
    unsure: list[str] = []
    for index, label, what in _open_rows(rows):
        fact = fact_called(ctx, label)
        here = in_file(STAFF, f"lists.facts.{index}", f"{label}: {what}")
        if fact is not None and _could_give(ctx, fact):
            problems.append(f"{label}: {what}")
            evidence.append(here)
        elif fact is None:
            unsure.append(f"{label}: {what}")
    for text, place in _listed_open(ctx):
        state = _could_be_given(ctx, text)
        if state:
            problems.append(f"open: {text}")
            evidence.append(place)
        elif state is None:
            unsure.append(text)
    if problems:
        why = f"the customer knows it or has it, and staff see it as open: {'; '.join(problems)}"
        return line(head, "fail", why, evidence, expected="0", got=str(len(problems)))
    here = in_file(STAFF, "lists.facts")
    if unsure:
        why = f"a person has to say whether the customer could have given it: {'; '.join(unsure)}"
        return line(head, "needs_human", why, [here], referee="human", expected="0")
    why = f"of {len(rows)} facts on the staff page none is open that the customer knows"
    return line(head, "pass", why, [here], expected="0", got="0")


def _listed_open(ctx: Context) -> list[tuple[str, Evidence]]:
    """What the staff page lists as missing: rows of its own list, and lines that begin with "Missing:" or the like."""
    staff = ctx.record.staff
    if staff is None:
        return []
    found: list[tuple[str, Evidence]] = []
    for name in OPEN_LISTS:
        for index, row in enumerate(staff.lists.get(name, [])):
            text = " ".join(t for t in row.cells.values() if t.strip())
            found.append((text, in_file(STAFF, f"lists.{name}.{index}", text)))
    for number, page in enumerate(staff.pages):
        for row_text in page.splitlines():
            flat = wording.fold(row_text)
            match = next((m for p in patterns("open_headings") if (m := p.search(flat))), None)
            if match and match["what"] and not pattern("nothing_listed").search(match["what"]):
                found.append((row_text.strip(), in_file(STAFF, f"pages.{number}", row_text.strip())))
    return found


def _could_be_given(ctx: Context, text: str) -> bool | None:
    """Whether the customer knows or has what a line says is missing; None if the line names nothing known."""
    facts = wording.asked_facts(f"What is missing: {text}?")
    kinds = kinds_of(text)
    if any(_could_give(ctx, fact) for fact in facts):
        return True
    handed = {e.id for e in ctx.ledger if e.entry == "file_handed_over"}
    files = [m.visible for m in ctx.visible.materials.materials if kinds_of(m.visible.label) & kinds]
    if any(f.file not in handed and f.available.when == "now" for f in files):
        return True
    return False if facts or kinds else None


# Uploads ---------------------------------------------------------------------------------------------------------------


def _uploads(ctx: Context) -> ScoreLine:
    head = Head("staff.uploads", "staff", "Staff see every upload, once")
    rows = ctx.staff_list("files")
    given = [a for a in ctx.acts if a.act == "uploaded" and a.confirmed and a.file]
    here = in_file(STAFF, "lists.files")
    handed = [at_event(a.n, a.file) for a in given]
    if not ctx.record.events:
        return line(head, "not_checked", "no event was recorded", [in_file(EVENTS)])
    if rows is None:
        staff = ctx.record.staff
        if staff and not staff.found and staff.pages and given:
            why = "the customer handed over files, and staff cannot find the case"
            return line(head, "fail", why, [here, *handed])
        return line(head, "not_checked", ctx.no_staff("files"), [here, *handed])
    shown = [fold_text(_name(row)) for row in rows]
    want = [fold_text(a.file or "") for a in given]
    expected, got = listed(a.file or "" for a in given), listed(_name(row) for row in rows)
    if not given and not rows:
        return line(head, "not_applicable", "no file was handed over", [here])
    doubled = sorted({n for n in want if shown.count(n) > want.count(n)})
    missing = sorted({n for n in want if shown.count(n) < want.count(n)})
    strange = [n for n in shown if n not in want]
    if strange and len(strange) == sum(want.count(n) - shown.count(n) for n in missing) and not doubled:
        why = f"as many files as were handed over, {len(strange)} of them by other names"
        return line(head, "pass", why, [here, *handed], expected=expected, got=got)
    problems = [f"{n} stands there {_times(shown.count(n))}" for n in doubled]
    problems += [f"{n} was handed over and is not there" for n in missing]
    problems += [f"{n} was never handed over" for n in strange]
    if problems:
        return line(head, "fail", "; ".join(problems), [here, *handed], expected=expected, got=got)
    return line(head, "pass", f"{len(rows)} files, each once", [here, *handed], expected=expected, got=got)


def _name(row: StaffRow) -> str:
    """The file's name in a row, without a folder before it."""
    return row.cells.get("name", "").replace("\\", "/").rsplit("/", 1)[-1].strip()


def _times(n: int) -> str:
    return {2: "twice"}.get(n, f"{n} times")
