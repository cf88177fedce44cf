"""Facts against each other and against the insurer's data, and that people in a package are plainly invented.

One person tells one story: an answer to one question does not tell the opposite of another answer. Telephone numbers are of
the ranges that are kept free for plays and films, mail addresses of the names that are kept free for examples.
"""

import re
from collections.abc import Iterator

from harness.schema.package import FACTS, LABELS, MATERIALS_DIR, SETUP
from oracle_scoring.corpus.check_declared import PLATE
from oracle_scoring.corpus.check_texts import visible_texts
from oracle_scoring.corpus.contents import contents
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.opening_lexis import COUNTS, clauses
from oracle_scoring.corpus.rules import fact_values
from oracle_scoring.corpus.unwritten import BRACKET
from oracle_scoring.corpus.values import parse_date

_DENIALS = frozenset({"not", "no", "never", "nobody", "none", "nothing", "neither", "nor", "without", "only"})
_BODY = r"(?:neck|back|arms?|legs?|wrists?|head|knees?|shoulders?|hands?|ankles?|foot|ribs?|chest|face|fingers?)"
_OWN = r"(?:my|our|his|her|their)"
_HARM = re.compile(
    rf"\b(?:hurt|injured|broke|sprained|bruised|fractured) {_OWN} {_BODY}(?=$| (?:in|on|at|when|and|badly|a) )"
    rf"|\b{_OWN} {_BODY} (?:is|was|has been|got) (?:\w+ )?(?:hurt|injured|broken|sprained|bruised|fractured)\b"
    r"|\b(?:son|daughter|wife|husband|partner|passenger|friend|mother|father|brother|sister|child|i|we|he|she)"
    r" (?:am|was|were|is|got) (?:\w+ )?(?:hurt|injured)\b"
    r"|\b(?:whiplash|concussion|concussed)\b"
)
"""Somebody is hurt; a back window, an arm chair or feelings are not somebody."""
_OTHERS = frozenset({"other", "his", "her", "their", "van", "lorry", "bus", "motorcycle", "bike"})
_NOT_DRIVEN = re.compile(
    r"\b(?:had to be|has to be|was|got) (?:towed|recovered|scrapped)\b|\b(?:cannot|can not|could not) be driven\b|\bundrivable\b|\bnot drivable\b"
)
_CLAIMS = re.compile(r"\b(\w+) (?:(?:small|other|earlier|previous|old|more|prior) )*claims\b")
_COVER = re.compile(r"\b(?:cover|policy|insurance)\b", re.IGNORECASE)
_BEGINS = re.compile(r"\b(?:start|starts|started|began|begun|begins|since|taken out|took out)\b", re.IGNORECASE)
_PHONE = re.compile(r"(?<![\w/.-])(?:\+44 ?(?:\(0\))?|0)[1-9](?:[ -]?\d){8,9}(?![\w/-])")
_FREE_PHONE = re.compile(
    r"0(?:1632960|7700900|2079460|1134960|1144960|1154960|1164960|1174960|1184960|1214960|1314960|1414960|1514960|1614960"
    r"|1914980|2896496|2920180|8081570|9098790|3069990)\d{3,4}"
)
"""The ranges that Ofcom keeps free for drama."""
_MAIL = re.compile(r"[\w.+-]+@((?:[\w-]+\.)+[\w-]+)")
_FREE_MAIL = re.compile(r"(?:.+\.)?(?:example(?:\.(?:com|net|org))?|test|invalid)", re.IGNORECASE)
_NUMBER = re.compile(r"FW([MHP])-")
"""Numbers of cover by product, as the packages write them."""
_PRODUCTS = {"M": "motor", "H": "home", "P": "property"}
_ON_THE_ROAD = re.compile(
    r"\bred light\b|\btraffic lights?\b|\b(?:waiting|queu(?:e)?ing|driving|slowing|braking) (?:at|in|for|down|along|on|behind)\b",
    re.IGNORECASE,
)
_PARKED = re.compile(r"\bpark(?:ed|ing|d)?\b", re.IGNORECASE)
_STORM = re.compile(r"\b(?:storm|gale|wind|hail|lightning|hurricane)\b", re.IGNORECASE)
_OUTSIDE = re.compile(r"\b(?:roof|tiles?|slates?|chimney|fence|gutter)\b", re.IGNORECASE)
_WEATHER = re.compile(_STORM.pattern + r"|\b(?:rain|tree|weather|snow)\b", re.IGNORECASE)
_WATER = re.compile(
    r"\b(?:pipes?|tank|boiler|tap|leak(?:ed|ing)?|washing machine|dishwasher|bath|sink|cistern|radiator|hose)\b",
    re.IGNORECASE,
)


def _denied(clause: tuple[str, ...]) -> bool:
    return bool(_DENIALS & set(clause))


def _tells_harm(text: str) -> str | None:
    """Words that tell of somebody hurt."""
    for clause in clauses(text):
        found = _HARM.search(" ".join(clause))
        if found and not _denied(clause):
            return found[0]
    return None


def _tells_towed(text: str) -> str | None:
    """Words that tell of a car that does not go."""
    for clause in clauses(text):
        plain = " ".join(clause)
        found = _NOT_DRIVEN.search(plain)
        if found and not _OTHERS & set(clause) and "never" not in clause and "nothing" not in clause:
            return found[0]
    return None


def other_answers(package: Package) -> Iterator[Finding]:
    """No answer tells the opposite of the facts injuries and drivable."""
    facts = package.visible.facts
    if not facts.persona.language.startswith("en"):
        return
    values = fact_values(facts)
    rules = [("injuries", "no", _tells_harm), ("drivable", "yes", _tells_towed)]
    for about, value, tells in rules:
        if values.get(about) != value:
            continue
        for n, fact in enumerate(facts.facts):
            if fact.id == about:
                continue
            said = tells(fact.say) or tells(fact.value)
            if said is not None:
                yield Finding(
                    code="facts_contradict",
                    file=f"{package.id}/{FACTS}",
                    field=f"facts.{n}",
                    what=f"{fact.id} tells {said!r}, the fact {about} is {value}",
                    mend="let all answers tell one story",
                )


def told_of_cover(package: Package) -> Iterator[Finding]:
    """What the customer says of earlier claims and of the first day of cover is what the insurer has."""
    setup = package.setup
    file = f"{package.id}/{FACTS}"
    for n, fact in enumerate(package.visible.facts.facts):
        counted = [
            COUNTS.get(word, int(word) if word.isdigit() and len(word) < 3 else 0)
            for word in _CLAIMS.findall(f"{fact.value}\n{fact.say}".casefold())
        ]
        if max(counted, default=0) > len(setup.prior_claims) and "prior_claims" not in setup.failed_lookups:
            yield Finding(
                code="setup_differs",
                file=file,
                field=f"facts.{n}.say",
                what=f"{fact.id} tells of {max(counted)} claims; {SETUP} lists {len(setup.prior_claims)}",
                mend="make setup and facts speak of the same claims",
            )
        told = f"{fact.topic} {fact.say}"
        starts = fact.kind == "date" and _COVER.search(told) and _BEGINS.search(told)
        if starts and setup.policy is not None and fact.value != setup.policy.inception and parse_date(fact.value):
            yield Finding(
                code="setup_differs",
                file=file,
                field=f"facts.{n}.value",
                what=f"{fact.id} says that cover began on {fact.value}; {SETUP} says {setup.policy.inception}",
                mend="make setup and facts speak of the same cover",
            )


def insured(package: Package) -> Iterator[Finding]:
    """What is insured, and the numbers, belong to the product and to the home of the claim."""
    setup = package.setup
    policy = setup.policy
    if policy is None:
        return
    problems = []
    place = fact_values(package.visible.facts).get("place", "")
    if policy.product == "home":
        here, there = set(re.findall(r"\d+", policy.insured_item)), set(re.findall(r"\d+", place))
        if here and there and not here & there:
            problems.append(("policy.insured_item", f"is {policy.insured_item!r}; it happened at {place!r}"))
    if policy.product != "motor" and PLATE.fullmatch(policy.insured_item):
        problems.append(("policy.insured_item", f"is a plate; the cover is a {policy.product} cover"))
    numbered = [("policy.number", policy.number)]
    numbered += [(f"prior_claims.{n}.number", claim.number) for n, claim in enumerate(setup.prior_claims)]
    for field, number in numbered:
        letter = _NUMBER.match(number)
        if letter and _PRODUCTS[letter[1]] != policy.product:
            problems.append((field, f"is {number}, a number of {_PRODUCTS[letter[1]]} cover; this is {policy.product}"))
    seen: set[str] = set()
    for field, number in numbered:
        if number in seen:
            problems.append((field, f"{number} stands there twice"))
        seen.add(number)
    for field, what in problems:
        yield Finding(
            code="setup_differs",
            file=f"{package.id}/{SETUP}",
            field=field,
            what=what,
            mend="make setup, facts and labels speak of the same cover and person",
        )


def class_told(package: Package) -> Iterator[Finding]:
    """The class is what the customer tells: parked or on the road, storm or water from inside."""
    facts = package.visible.facts
    if not facts.persona.language.startswith("en"):
        return
    told = "\n".join([package.visible.initial_message, *(f"{f.value}\n{f.say}" for f in facts.facts)])
    values = fact_values(facts)
    cause = values.get("cause", "")
    happened = values.get("what_happened", "")
    name = package.labels.scenario_class
    why = None
    if name == "motor.parked_hit" and not _PARKED.search(told) and (found := _ON_THE_ROAD.search(told)):
        why = f"the customer tells {found[0]!r} and of nothing parked"
    elif (
        name == "motor.rear_end" and re.search(r"\bmy parked (?:car|van)\b", happened) and not _ON_THE_ROAD.search(told)
    ):
        why = f"the customer tells {happened!r}"
    elif cause and (
        (name == "home.escape_of_water" and _STORM.search(cause) and _OUTSIDE.search(told) and not _WATER.search(told))
        or (name == "home.storm" and _WATER.search(cause) and not _WEATHER.search(cause))
    ):
        why = f"the cause is {cause!r}"
    if why is not None:
        yield Finding(
            code="class_differs_from_facts",
            file=f"{package.id}/{LABELS}",
            field="scenario_class",
            what=f"is {name}; {why}",
            mend="correct the class, or the facts",
        )


def invented(package: Package) -> Iterator[Finding]:
    """No telephone number and no mail address in facts and documents can be anybody's."""
    texts = [(file, field, text) for file, field, text in visible_texts(package) if BRACKET not in text]
    for name, data in package.visible.files.items():
        read = contents(data, package.hashes[name])
        texts += [(f"{MATERIALS_DIR}/{name}", "", page) for page in (read.pdf.pages if read.pdf else [])]
    for file, field, text in texts:
        real = [f[0] for f in _MAIL.finditer(text) if not _FREE_MAIL.fullmatch(f[1])]
        for found in _PHONE.finditer(text):
            digits = re.sub(r"\D", "", found[0].replace("+44", "0", 1).replace("(0)", "", 1))
            if not _FREE_PHONE.fullmatch(digits):
                real.append(found[0])
        for one in dict.fromkeys(real):
            yield Finding(
                code="may_be_somebodys",
                file=f"{package.id}/{file}",
                field=field,
                what=f"{one!r} can belong to somebody",
                mend="use 07700 900xxx or 01632 960xxx and a mail address at example.com or of a domain ending in .example",
            )


def agreement_findings(package: Package) -> Iterator[Finding]:
    """All of this module."""
    for one in (other_answers, told_of_cover, insured, class_told, invented):
        yield from one(package)
