"""What documents say beside their declared fields: other dates, plates, amounts, people and things than the claim's.

The text of a PDF is read from its pages; of a photographed paper, where no text can be read, what it was drawn from. A thing
is declared if a printed field, a sum of the content, a fact or the cover says it.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from harness.schema.package import MATERIALS_DIR, PROVENANCE
from oracle_scoring.corpus.check_texts import printed_amounts, visible_texts
from oracle_scoring.corpus.contents import contents
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.opening_lexis import MONTHS, content_stems, exact_values, plain_number
from oracle_scoring.corpus.rules import fact_values, incident_date
from oracle_scoring.corpus.unwritten import texts_in
from oracle_scoring.corpus.values import parse_date

FIGURES = re.compile(r"(?<![\d/])(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?![\d/])")
PLATE = re.compile(r"\b([A-Z]{2}\d{2}) ?([A-Z]{3})\b")
_POUNDS = re.compile(r"£ ?(\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+(?:\.\d{2})?)")
_DAYS = re.compile(r"\b(\d{1,3}) days\b", re.IGNORECASE)
NEAR_DAYS = 80
"""A number of days so many characters from a date is counted from it."""
_PLAN = re.compile(
    r"\b(?:needs?|requires?) (?:a |an )?(?:\w+ )?review\b|\b(?:precedes|predates) the (?:incident|accident|loss|theft)\b|\bflagged\b",
    re.IGNORECASE,
)
"""What an author says of a document; no trade prints it."""
_PERSON = re.compile(
    r"(?:\b(?:of|for)|\bDear) (?:Mr|Mrs|Ms|Miss|Mx|Dr)\.? ((?:[A-Z][\w'’-]+ ){0,2}[A-Z][\w'’-]*\w)", re.MULTILINE
)
_LOSS_DAY = re.compile(
    rf"\b(?:accident|incident|theft|loss|collision|burglary|storm) (?:of|on) (\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({'|'.join(MONTHS)})\b",
    re.IGNORECASE,
)
_SIDES = {"front": re.compile(r"\bfront\b", re.I), "rear": re.compile(r"\b(?:rear|back|boot|tailgate)\b", re.I)}
_SAME = {"television": "tv", "telly": "tv", "bike": "bicycle", "cycle": "bicycle", "phone": "telephone"}


def _spaced(text: str) -> str:
    return " ".join(text.split())


def tells_date(day: date, text: str) -> str | None:
    """How a text tells the day in any usual form, in compact figures, without its year, or by counting from another date."""
    spaced = _spaced(text)
    for found in FIGURES.finditer(spaced):
        year = int(found[3]) + (2000 if len(found[3]) == 2 else 0)
        if (year, int(found[2]), int(found[1])) == (day.year, day.month, day.day):
            return found[0]
    for form in ("%d%m%y", "%d%m%Y", "%Y%m%d", "%y%m%d"):
        if re.search(rf"(?<!\d){day.strftime(form)}(?!\d)", spaced):
            return day.strftime(form)
    month = MONTHS[day.month - 1]
    names = rf"(?:{month}|{month[:3]})"
    worded = re.search(
        rf"(?<![\d.,£])0?{day.day}(?:st|nd|rd|th)?(?: of)? {names}\b(?!,? (?!{day.year})\d{{4}})"
        rf"|\b{names} 0?{day.day}(?:st|nd|rd|th)?\b(?!,? (?!{day.year})\d{{4}})",
        spaced,
        re.IGNORECASE,
    )
    if worded:
        return worded[0]
    if re.search(rf"\b{day.isoformat()}\b", spaced):
        return day.isoformat()
    for key, written in exact_values(spaced).items():
        other = parse_date(key.removeprefix("date ")) if key.startswith("date ") else None
        at = spaced.find(written)
        around = spaced[max(0, at - NEAR_DAYS) : at + len(written) + NEAR_DAYS]
        for count in _DAYS.findall(around) if other else []:
            if other is not None and abs(other - day) == timedelta(days=int(count)):
                return f"{written}, {count} days"
    return None


def _pages(package: Package, name: str, made: FileProvenance) -> list[str]:
    """Texts of a document: its pages, or what a photographed paper was drawn from."""
    data = package.visible.files.get(name)
    if data is None:
        return []
    read = contents(data, package.hashes[name])
    if read.pdf is not None:
        return read.pdf.pages
    if made.document == "photo" or read.problem is not None:
        return []
    whole = made.pages_present is None or len(made.pages_present) == made.pages_total
    printed = [f.printed for f in made.printed_fields.values() if f.legible]
    return ["\n".join([*(texts_in(made.content) if whole else ()), *printed])]


def withheld_dates(package: Package) -> Iterator[Finding]:
    """A date that stands on a page left out, or cannot be read, is told nowhere else in the file."""
    incident = incident_date(fact_values(package.visible.facts))
    for name, made in sorted(package.provenance.files.items()):
        pages = _pages(package, name, made)
        for field, printed in made.printed_fields.items():
            left_out = made.pages_present is not None and printed.page not in made.pages_present
            day = parse_date(printed.value) if printed.kind == "date" else None
            if day is None or day == incident or (printed.legible and not left_out):
                continue
            how = next((told for page in pages if (told := tells_date(day, page))), None)
            if how is not None:
                yield Finding(
                    code="printed_on_other_page" if left_out else "illegible_can_be_read",
                    file=f"{package.id}/{MATERIALS_DIR}/{name}",
                    field=f"printed_fields.{field}",
                    what=f"tells {printed.printed!r} all the same: {how!r}",
                    mend="take what tells it off the pages that are there, or declare the date as one that can be read",
                )


def _facts_text(package: Package) -> str:
    policy = package.setup.policy
    facts = package.visible.facts.facts
    return "\n".join([*(f"{f.value}\n{f.say}" for f in facts), policy.insured_item if policy else ""])


def _known_dates(package: Package, made: FileProvenance) -> set[str]:
    values = {f.value for f in package.visible.facts.facts if f.kind == "date"}
    values |= {f.value for f in made.printed_fields.values()}
    told = exact_values(_facts_text(package))
    return values | {key.removeprefix("date ") for key in told if key.startswith("date ")}


def _money(text: str) -> Decimal | None:
    try:
        return Decimal(text) if re.fullmatch(r"\d+(?:\.\d{1,2})?", text) else None
    except InvalidOperation:
        return None


def _known_amounts(package: Package, made: FileProvenance) -> set[Decimal]:
    """Amounts of fields, facts and sums, with net and VAT as they follow from them."""
    inner = made.content.get("sums")
    sums: dict[str, Any] = inner if isinstance(inner, dict) else made.content
    known = {money for leaf in texts_in(made.content) if (money := _money(leaf)) is not None}
    lines = sums.get("lines")
    rows = [line for line in lines if isinstance(line, dict)] if isinstance(lines, list) else []
    net = sum((_money(str(row.get("amount"))) or Decimal(0) for row in rows), Decimal(0))
    rate = _money(str(sums.get("vat_rate"))) or Decimal(0)
    penny = Decimal("0.01")
    on_top, inside = (net * rate / 100).quantize(penny), (net * rate / (100 + rate)).quantize(penny)
    known |= {net, on_top, net + on_top, inside, net - inside}
    for field in made.printed_fields.values():
        known |= set(printed_amounts(field.printed))
    return known | {Decimal(n.replace(",", "")) for n in _POUNDS.findall(_facts_text(package))}


def undeclared(package: Package) -> Iterator[Finding]:
    """Dates, plates and amounts on a document are those of its fields, its sums, the facts or the cover."""
    for name, made in sorted(package.provenance.files.items()):
        pages = _pages(package, name, made)
        if not pages or made.document == "photo":
            continue
        text = _spaced("\n".join(pages))
        seen = exact_values(text)
        dates, said = _known_dates(package, made), _facts_text(package).upper()
        plates = {a + b for a, b in PLATE.findall(said)}
        plates |= {a + b for f in made.printed_fields.values() for a, b in PLATE.findall(f.printed.upper())}
        odd = [("date", w) for k, w in seen.items() if k.startswith("date ") and k.removeprefix("date ") not in dates]
        odd += [("plate", f"{a} {b}") for a, b in PLATE.findall(text) if a + b not in plates]
        if made.how == "drawn":
            amounts = {plain_number(str(amount)) for amount in _known_amounts(package, made)}
            odd += [("amount", f"£{n}") for n in _POUNDS.findall(text) if plain_number(n) not in amounts]
        for kind, written in dict.fromkeys(odd):
            yield Finding(
                code="undeclared_in_document",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.printed_fields",
                what=f"{name} holds the {kind} {written!r}, which no field, sum or fact says",
                mend="take it off the document, or declare it as a printed field",
            )


def _stems(text: str) -> set[str]:
    plain = re.sub(r"\b[a-z]+\b", lambda m: _SAME.get(m[0], m[0]), text.casefold())
    return set(content_stems(plain))


def _dearest(made: FileProvenance) -> str | None:
    """What the dearest line of a receipt or an invoice is for."""
    inner = made.content.get("sums", made.content)
    lines = inner.get("lines") if isinstance(inner, dict) else None
    rows = [row for row in lines if isinstance(row, dict)] if isinstance(lines, list) else []
    priced = [(_money(str(row.get("amount"))) or Decimal(0), str(row.get("what", ""))) for row in rows]
    return max(priced)[1] if priced else None


def other_matter(package: Package) -> Iterator[Finding]:
    """A document is of the customer and of what the claim is about, and says nothing of the package's plan."""
    texts = [text for _, _, text in visible_texts(package)]
    everything = "\n".join(texts)
    damage = " ".join(f"{f.value} {f.say}" for f in package.visible.facts.facts if f.id in ("damage", "what_happened"))
    motor = package.labels.scenario_class.startswith("motor.")
    incident = incident_date(fact_values(package.visible.facts))
    for name, made in sorted(package.provenance.files.items()):
        pages = _pages(package, name, made)
        if made.document == "photo" or not pages:
            continue
        text = _spaced("\n".join(pages))
        problems = [f"says {found[0]!r}, which is of the package's plan" for found in _PLAN.finditer(text)][:1]
        writers = [
            v for k, v in made.content.items() if k in ("firm", "garage", "signed_for", "officer", "force", "shop")
        ]
        known = {w.casefold() for source in (everything, *texts_in(writers)) for w in re.findall(r"[\w'’-]+", source)}
        problems += [
            f"names {found[1]!r}, whom nobody in the package knows"
            for found in _PERSON.finditer("\n".join(pages))
            if found[1].split()[-1].removesuffix("'s").removesuffix("’s").casefold() not in known
        ]
        problems += [
            f"says {found[0]!r}, the incident was on {incident}"
            for found in _LOSS_DAY.finditer(text)
            if incident and (incident.day, incident.month) != (int(found[1]), MONTHS.index(found[2].casefold()) + 1)
        ]
        bought = _dearest(made) if made.document == "receipt" and "plate" not in made.printed_fields else None
        if bought and _stems(bought) and not _stems(bought) & _stems(everything):
            problems.append(f"is for {bought!r}, of which the customer says nothing")
        findings = made.content.get("findings")
        if motor and made.document == "quote" and isinstance(findings, str):
            here = {side for side, words in _SIDES.items() if words.search(findings)}
            there = {side for side, words in _SIDES.items() if words.search(damage)}
            if len(here) == len(there) == 1 and here != there:
                problems.append(f"finds damage at the {here.pop()}; the customer says {there.pop()}")
        for problem in problems:
            yield Finding(
                code="document_of_other_matter",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.content",
                what=f"{name} {problem}",
                mend="let document and facts speak of one person and one loss",
            )


def one_address(package: Package) -> Iterator[Finding]:
    """Documents of one package are sent to one address; of a home claim, to the home."""
    policy = package.setup.policy
    home = policy.insured_item if policy is not None and policy.product == "home" else None
    first: tuple[str, list[str]] | None = None
    for name, made in sorted(package.provenance.files.items()):
        lines = made.content.get("customer_address")
        if not isinstance(lines, list) or not lines:
            continue
        address = [_spaced(str(line)).casefold() for line in lines]
        other = None
        if first is None:
            first = (name, address)
        elif first[1] != address:
            other = f"{first[0]} is sent to {', '.join(first[1])}"
        if other is None and home is not None and address[0] not in _spaced(home).casefold():
            other = f"the home insured is {home}"
        if other is not None:
            yield Finding(
                code="address_differs",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.content.customer_address",
                what=f"{name} is sent to {', '.join(address)}; {other}",
                mend="one address for the customer",
            )


def declared_findings(package: Package) -> Iterator[Finding]:
    """All of this module."""
    for one in (withheld_dates, undeclared, other_matter, one_address):
        yield from one(package)
