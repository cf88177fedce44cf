"""What a customer's message says: facts, "I don't know", questions for staff, files promised. Pure, by rule."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from harness.devstack.claims import parse
from harness.devstack.claims.catalogue import FactSpec, catalogue
from harness.devstack.claims.parse import NONE, UNKNOWN, Found


@dataclass(frozen=True)
class Context:
    """What the product had just asked when the message came."""

    asked: tuple[str, ...]
    wanted: tuple[str, ...]
    """All facts of the class, asked or not."""
    held: frozenset[str]
    """Facts that have a value; only replaced when the message says that it corrects something."""
    today: date
    card: str | None = None
    """The file that was just asked for."""
    promised: tuple[str, ...] = ()
    """Files the customer wanted to send later."""
    opening: bool = False
    correcting: bool = False
    explaining: str | None = None


@dataclass
class Understanding:
    """The reading of one message."""

    values: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    contacts: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """What to say at once to questions about the process."""
    later: list[str] = field(default_factory=list)
    """Files that come later, or not at all."""
    missing: list[str] = field(default_factory=list)
    """Of these, files that the customer knows nothing of: no use in asking again."""
    ready: list[str] = field(default_factory=list)
    """Files the customer has now."""
    explanations: dict[str, str] = field(default_factory=dict)
    said: str = ""
    """The message without questions and requests for contact."""


_ABBREVIATION = re.compile(r"\b(?:approx|no|st|rd|mr|mrs|ms|dr|ref|reg|e\.g|i\.e)\.$", re.I)
_HALF_DAY = re.compile(r"\b[ap]\.m\.$", re.I)
_BOUNDARY = re.compile(r"(?<=[.!?;])\s+|\n+|(?<=[。！？；])")
_CLAUSE = re.compile(
    r",\s+(?:and |but )?|(?<!\s)\s+(?:and|but|although|though|however)\s+|(?<!\s)\s+[-–—]\s+|[，、]", re.I
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of a text; abbreviations and "4.20 p.m." do not end one."""
    spans: list[tuple[int, int]] = []
    start = 0
    for m in _BOUNDARY.finditer(text):
        before = text[start : m.start()]
        following = text[m.end() : m.end() + 1]
        if "\n" not in m.group() and (
            _ABBREVIATION.search(before) or (_HALF_DAY.search(before) and not following.isupper())
        ):
            continue
        spans.append((start, m.start()))
        start = m.end()
    spans.append((start, len(text)))
    return [(a, b) for a, b in spans if text[a:b].strip()]


def clauses(text: str, span: tuple[int, int]) -> list[tuple[int, int]]:
    """Spans of the clauses of one sentence."""
    found: list[tuple[int, int]] = []
    start = span[0]
    for m in _CLAUSE.finditer(text, span[0], span[1]):
        found.append((start, m.start()))
        start = m.end()
    found.append((start, span[1]))
    return [(a, b) for a, b in found if text[a:b].strip(" ,.;!?")]


_ASKS_INDIRECTLY = re.compile(
    r"\b(?:i(?:[’']d| would) (?:also )?like to (?:know|ask)|i (?:also )?(?:want|wanted) to (?:know|ask)|i was wondering|"
    r"i(?: a|[’'])m wondering|i wonder (?:if|whether)|can you tell me|could you tell me)\b",
    re.I,
)
_CONTACT = re.compile(
    r"\b(?:call|ring|phone|contact|text|e-?mail) me\b|\bcall(?:ed)? back\b|\bcallback\b|\bget in touch\b|\bcontacted\b|"
    r"\b(?:speak|talk) (?:to|with) (?:a|an|some|the|your|one)\b|\breal person\b|\bhuman being\b|"
    r"\bsome(?:one|body)\b[^.?!]*\b(?:call|phone|ring|contact)s?\b",
    re.I,
)
_WISHES = re.compile(r"\b(?:please|can|could|would|want|like|prefer|need|may|is it possible|let me)\b", re.I)
_PROCEDURAL = re.compile(
    r"^\W*(?:sorry|pardon|what|(?:and |what )?now(?: what)?|huh|ok|okay|hm+|really|right|eh|(?:and )?(?:is|was) (?:that|this|it) (?:ok|okay|right|fine|enough|all right|"
    r"alright|what you (?:need|mean|want))|does that (?:help|work|make sense)|what do you mean|what does that mean|do you mean [^?]*|"
    r"why do you (?:need|ask)[^?]*|anything else(?: you need)?|what else do you need|what (?:do|should) i (?:do|write|say) (?:here|now))\W*$",
    re.I,
)


def _split_wishes(text: str, context: Context, out: Understanding) -> list[tuple[int, int]]:
    """Take questions and contact requests out; the spans that are left are statements."""
    statements: list[tuple[int, int]] = []
    lead: tuple[int, int] | None = None
    for span in sentences(text):
        sentence = text[span[0] : span[1]].strip()
        asks = sentence.endswith(("?", "？")) or _ASKS_INDIRECTLY.search(sentence) is not None
        contact = (
            _CONTACT.search(sentence)
            and _WISHES.search(sentence)
            and not {"contact_phone", "contact_email"} & set(context.asked)
        )
        if contact:
            out.contacts.append(sentence)
        elif asks and not (parse.says_unknown(sentence) and context.asked and not _ASKS_INDIRECTLY.search(sentence)):
            if answer := next((a.say for a in catalogue().answers if re.search(a.match, sentence, re.I)), None):
                if answer not in out.answers:
                    out.answers.append(answer)
            elif not _PROCEDURAL.match(sentence):
                out.questions.append(sentence)
        else:
            statements.append(span)
            lead = span
    # "One more thing. Will this …?" is one question: an introduction of a few words goes with what it introduces.
    if (out.questions or out.contacts) and len(statements) == 1 and lead and lead[0] == 0:
        words = text[lead[0] : lead[1]]
        if re.search(r"\b(question|one more thing|by the way|ask|something else|another thing)\b", words, re.I):
            statements = []
    return statements


def _word_pattern(words: list[str]) -> re.Pattern[str]:
    parts = [re.escape(w) + (r"\w*" if len(w) >= 6 and " " not in w else "") for w in words]
    return re.compile(r"(?<!\w)(?:" + "|".join(parts) + r")(?!\w)", re.I)


def about(spec: FactSpec, text: str) -> bool:
    """True if the text has one of the words that show it is about the fact."""
    return _word_pattern(spec.words).search(_DRIVEWAY.sub(" ", text)) is not None


_DRIVEWAY = re.compile(r"\b(?:my|our|the|his|her|own|front)(?: front)? drive(?:way)?\b(?!r)", re.I)
_FINE = re.compile(
    r"\b(?:every(?:one|body)|we|i|all)(?: is|[’']s| are|[’']re| am|[’']m| was| were)(?: all| both)? (?:fine|ok|okay|all right|alright|safe|well|unharmed)\b",
    re.I,
)
_NOT_BEFORE = re.compile(r"\bnot (?:on |at |from )?(?:the )?$", re.I)


_Find = Callable[[str, bool], list[Found]]


class _Reader:
    """One message being read. `rest` is the message with everything already read blanked out, spans unchanged."""

    def __init__(self, text: str, statements: list[tuple[int, int]], context: Context, out: Understanding) -> None:
        self.text = text
        self.rest = text
        self.statements = statements
        self.context = context
        self.out = out
        self.cued_to = 0
        """End of the last sentence that answered a yes/no question in the question's own words."""
        self.overwrite = context.correcting or _CORRECTS.search(text) is not None

    def sentence(self, span: tuple[int, int], rest: bool = False) -> str:
        return (self.rest if rest else self.text)[span[0] : span[1]]

    def blank(self, start: int, end: int) -> None:
        self.rest = self.rest[:start] + " " * (end - start) + self.rest[end:]

    def open(self, fact: str) -> bool:
        """The fact may take a value from this message."""
        if fact not in self.context.wanted or fact in self.out.values:
            return False
        return fact in self.context.asked or fact not in self.context.held or self.overwrite

    def take(self, fact: str, value: str, start: int | None = None, end: int | None = None) -> None:
        self.out.values[fact] = value
        if start is not None and end is not None:
            self.blank(start, end)

    def of_kind(self, *kinds: str) -> list[str]:
        """Open facts of a kind, those asked for first."""
        order = [*self.context.asked, *(f for f in self.context.wanted if f not in self.context.asked)]
        return [f for f in order if f in self.context.wanted and catalogue().facts[f].kind in kinds and self.open(f)]

    def suits(self, fact: str, sentence: str) -> bool:
        """A value of the fact's kind in this sentence is a value of the fact."""
        spec = catalogue().facts[fact]
        if spec.avoid and re.search(spec.avoid, sentence, re.I) and fact not in self.context.asked:
            return False
        if spec.kind == "plate" and fact not in self.context.asked and "other_vehicle" in self.context.asked:
            return False
        if fact in self.context.asked:
            return True
        if self.context.correcting:
            return about(spec, sentence) or spec.volunteers in ([], ["."])
        return any(re.search(pattern, sentence, re.I) for pattern in spec.volunteers)

    # -- the kinds ---------------------------------------------------------------------------------------------

    def structured(self) -> None:
        """Dates, times, emails, phones, plates, amounts, references, in this order."""
        finders: tuple[tuple[str, _Find], ...] = (
            ("date", lambda s, asked: parse.find_dates(s, self.context.today)),
            ("time", lambda s, asked: parse.find_times(s)),
            ("email", lambda s, asked: parse.find_emails(s)),
            ("phone", lambda s, asked: parse.find_phones(s)),
            ("plate", lambda s, asked: parse.find_plates(s, asked)),
            ("amount", lambda s, asked: parse.find_amounts(s, asked)),
        )
        for kind, find in finders:
            for fact in self.of_kind(kind):
                asked = fact in self.context.asked or self.context.correcting
                if hit := self._first(fact, find, asked):
                    self.take(fact, hit.value, hit.start, hit.end)
                    if kind in ("date", "time"):
                        self._blank_repeats(find, hit.value)

    def _first(self, fact: str, find: _Find, asked: bool) -> Found | None:
        for span in self.statements:
            sentence = self.sentence(span, rest=True)
            if not self.suits(fact, self.sentence(span)):
                continue
            for hit in find(sentence, asked):
                if _NOT_BEFORE.search(sentence[: hit.start]):
                    continue
                return Found(hit.value, span[0] + hit.start, span[0] + hit.end)
        return None

    def _blank_repeats(self, find: _Find, value: str) -> None:
        for span in self.statements:
            for hit in find(self.sentence(span, rest=True), False):
                if hit.value == value:
                    self.blank(span[0] + hit.start, span[0] + hit.end)

    def references(self) -> None:
        """Police and other references: a number, or "none" where the customer says that there is none."""
        for fact in self.of_kind("reference"):
            spec = catalogue().facts[fact]
            asked = fact in self.context.asked
            for span in self.statements:
                sentence = self.sentence(span, rest=True)
                if not (about(spec, sentence) or asked):
                    continue
                hits = parse.find_references(sentence) if about(spec, sentence) or asked else []
                if hits:
                    self.take(fact, hits[0].value, span[0] + hits[0].start, span[0] + hits[0].end)
                    break
                for part in clauses(self.text, span):
                    clause = self.sentence(part, rest=True)
                    if about(spec, clause) and parse.negated(clause) and not parse.says_unknown(clause):
                        self.take(fact, NONE, *part)
                        if not _NO_AND.match(self.text[span[0] : part[0]]):
                            self.cued_to = max(self.cued_to, span[1])
                        break
                if fact in self.out.values:
                    break

    def yes_no(self) -> None:
        """Yes or no by the words of the fact, then by a bare yes or no to the question."""
        for fact in self.of_kind("yes_no"):
            spec = catalogue().facts[fact]
            for span in self.statements:
                for part in clauses(self.text, span):
                    clause = _DRIVEWAY.sub(lambda m: " " * len(m[0]), self.sentence(part, rest=True))
                    mine = about(spec, clause) and (fact in self.context.asked or self.suits(fact, clause))
                    if not mine or parse.says_unknown(clause):
                        continue
                    if spec.avoid and re.search(spec.avoid, clause, re.I):
                        continue
                    no = parse.negated(clause)
                    if spec.flip and _word_pattern(spec.flip).search(clause):
                        no = not no
                    self.take(fact, "no" if no else "yes", *part)
                    self.cued_to = max(self.cued_to, span[1])
                    break
                if fact in self.out.values:
                    break
            if fact == "injuries" and self.open(fact) and fact in self.context.asked and _FINE.search(self.text):
                self.take(fact, "no")
        self._bare_yes_no()

    def _bare_yes_no(self) -> None:
        specs = catalogue().facts
        asked = [f for f in self.context.asked if self.open(f)]
        can_be_bare = [f for f in asked if specs[f].kind == "yes_no" or specs[f].none_when_no]
        bare = [span for span in self.statements if span[0] >= self.cued_to]
        words = [s for span in bare if (s := self.sentence(span, rest=True).strip())]
        sides = [side for s in words if not parse.says_unknown(s) and (side := parse.polarity(s))]
        if not can_be_bare or not sides:
            return
        if "no" in sides and "yes" not in sides:
            joint = re.search(r"\b(both|neither|either|all)\b", self.text, re.I) or self._only_bare()
            for fact in can_be_bare:
                plain = specs[fact].kind == "yes_no"
                if (plain and fact == can_be_bare[0]) or joint:
                    self.out.values.setdefault(fact, "no" if plain else NONE)
        elif "yes" in sides and "no" not in sides:
            for fact in can_be_bare[:1]:
                if specs[fact].kind == "yes_no":
                    self.take(fact, "yes")
        else:
            for fact, side in zip(can_be_bare, sides, strict=False):
                if specs[fact].kind == "yes_no":
                    self.take(fact, side)
                elif side == "no":
                    self.take(fact, NONE)

    def _only_bare(self) -> bool:
        left = _FILLER.sub(" ", " ".join(self.sentence(s, rest=True) for s in self.statements))
        return len(re.findall(r"\w+", left)) == 0

    def texts(self) -> None:
        """Facts that are words: what is left of the answer to a question, else the part a rule can point at."""
        specs = catalogue().facts
        asked = [f for f in self.context.asked if specs[f].kind == "text" and self.open(f)]
        if asked:
            self._asked_texts(asked)
        for fact in self.of_kind("text"):
            spec = specs[fact]
            if fact in self.out.unknown:
                continue
            if self.context.correcting:
                if self.out.values or not about(spec, self.text):
                    continue
                if m := re.search(
                    r"(?:should (?:be|say)|was|is|[’']s|:)\s+(?!not\b|wrong\b)(.{2,300})$", self.text, re.I | re.S
                ):
                    self.take(fact, tidy(m[1]))
                continue
            if fact not in self.context.asked and (value := self._volunteered(fact, spec.volunteers)):
                self.take(fact, value)

    def _volunteered(self, fact: str, patterns: list[str]) -> str | None:
        """What the first pattern that fits points at, in the order of the sentences."""
        for span in self.statements:
            for pattern in patterns:
                m = re.search(pattern, self.sentence(span))
                group = next((g for g in m.groups() if g), None) if m else None
                if group and not (fact == "place" and not _PRECISE.search(group)):
                    return tidy(group)
        return None

    def _asked_texts(self, asked: list[str]) -> None:
        specs = catalogue().facts
        pieces: dict[str, list[tuple[int, int]]] = {f: [] for f in asked}
        unknown: set[str] = set()
        for span in self.statements:
            last: str | None = None
            for part in clauses(self.text, span):
                clause = self.sentence(part, rest=True)
                if not re.search(r"\w", _FILLER.sub(" ", _lead_off(clause))):
                    continue
                if self._about_something_held(clause):
                    continue
                target = self._target(asked, clause, last)
                if self._about_something_else(target, clause) and not self._hints(target, clause):
                    continue
                if parse.says_unknown(clause):
                    hinted = [f for f in asked if self._hints(f, clause)]
                    unknown.update(hinted if len(asked) > 1 and hinted else [f for f in asked if not pieces[f]])
                    continue
                pieces[target].append(part)
                last = target
        for fact in asked:
            spec = specs[fact]
            text = self._joined(pieces[fact])
            nameless = fact in _NEEDS_A_NAME and not re.search(r"[A-Z][a-z]+ [A-Z][a-z]+|\d{4}", text)
            if fact in unknown and (nameless or not text):
                self.out.unknown.append(fact)
            elif text and spec.none_when_no and _says_none(text):
                self.take(fact, NONE)
            elif text:
                self.take(fact, text)

    def _about_something_held(self, clause: str) -> bool:
        """The clause only says again what another question had found out ("no police")."""
        specs = catalogue().facts
        left = _FILLER.sub(" ", clause)
        for fact in self.context.held:
            spec = specs.get(fact)
            if spec and spec.kind in ("yes_no", "reference") and fact not in self.context.asked and about(spec, left):
                return len(re.findall(r"\w+", left)) <= 2
        return False

    def _about_something_else(self, target: str, clause: str) -> bool:
        """The clause goes on about a yes/no question answered in this message ("we are staying with my sister"), or tells
        again what was told before and is usually asked for together with `target`."""
        specs = catalogue().facts
        answered = [f for f in self.out.values if specs[f].kind == "yes_no" and f in self.context.asked]
        mates = {f for g in catalogue().groups.values() if target in g.facts for f in g.facts if f != target}
        told = [f for f in mates if f in self.context.held and f not in self.context.asked]
        return any(about(specs[f], clause) for f in answered) or any(self._hints(f, clause) for f in told)

    def _hints(self, fact: str, clause: str) -> bool:
        hint = _SIDE_HINTS.get(fact)
        return bool(hint and hint.search(clause)) or (hint is None and about(catalogue().facts[fact], clause))

    def _target(self, asked: list[str], clause: str, last: str | None) -> str:
        if len(asked) == 1:
            return asked[0]
        hinted = [f for f in asked if self._hints(f, clause)]
        if len(hinted) == 1:
            return hinted[0]
        if last and not hinted:
            return last
        return hinted[0] if hinted else asked[0]

    def _joined(self, parts: list[tuple[int, int]]) -> str:
        runs: list[list[int]] = []
        for start, end in parts:
            gap = self.text[runs[-1][1] : start] if runs else None
            if gap is not None and len(gap) <= 6 and not re.search(r"\w{4}", gap):
                runs[-1][1] = end
            else:
                runs.append([start, end])
        texts = [tidy(self.rest[a:b]) for a, b in runs]
        return "; ".join(t for t in texts if t)


_FILLER = re.compile(
    r"\b(?:yes|no|not|both|neither|either|all|to|yeah|yep|nope|ok|okay|sure|thanks?|thank you|you|please|hello|hi|well|so|and|but|it|is|was|the|my|a|an|of|on|at|phone|mobile|email|name|"
    r"about|around|approximately|roughly|in|date|time|happened|registration|number|plate|reg|car|vehicle|cost|costs|repair|repairs|"
    r"amount|would|be|will|i|think|that|this|there|were|for|sorry|nothing|one|nobody|here|correct|right|luckily|thankfully|fortunately|approx|estimate|estimated|circa|pm|am)\b",
    re.I,
)
_LEAD = re.compile(
    r"^(?:well|so|er|um|ah|oh|sorry|yes|no|ok|okay|sure|thanks|thank you|hi|hello|yeah|now|currently|at the moment|right now|"
    r"it(?: all)? happened|it was|it is|it[’']?s|that was|that is|that[’']s|this was|this is|this happened|i think(?: it was)?|i believe(?: it was)?|"
    r"it took place|(?:my|the) (?:car|vehicle|van) (?:is|was)(?: now| currently)?(?: parked)?|"
    r"(?:the|my) (?:place|location|address|item|name|cause) (?:is|was))(?=[\s,:.!]|$)[\s,:.!]*",
    re.I,
)
_TAIL = re.compile(r"[\s,;:.!]*(?:\b(?:on|at|about|around|the|and|it is|it's|is|was|of)\b)?[\s,;:.!]*$", re.I)
_SIDE_HINTS = {
    "rooms_affected": re.compile(
        r"\b(?:\w*rooms?|kitchen|lounge|study|hall(?:way)?|landing|attic|loft|cellar|basement|conservatory|upstairs|downstairs)\b",
        re.I,
    ),
    "other_driver": re.compile(
        r"\b(?:who(?!le)|driver(?![’']s (?:car|vehicle|van))|driving|driven by|name[ds]?|called|note|he|she|they|his|her|their|woman|man|lady|gentleman|guy|person|someone|somebody|phone|insur\w+)\b|(?-i:^\W*[A-Z][a-z]+ [A-Z][a-z]+\W*$)",
        re.I,
    ),
    "other_vehicle": re.compile(
        r"\b(?:cars?|van|lorry|truck|vehicle|motorbike|reg(?:istration)?|plate|make|model|colou?r|black|white|silver|grey|gray|blue|red|green|"
        r"ford|vauxhall|volkswagen|vw|bmw|audi|toyota|honda|nissan|peugeot|renault|fiat|kia|hyundai|mercedes|skoda|seat|volvo|mini|mazda|tesla|suv|hatchback|estate|[a-z]{2}\d{2} ?[a-z]{3})\b",
        re.I,
    ),
}
_NO_AND = re.compile(r"\W*(?:no|nope)\W+(?:and|also)\W*$", re.I)
"""A "no" of its own before the clause: the answer to the other question ("No, and no police")."""
_NEEDS_A_NAME = frozenset({"other_driver"})
"""Text facts where "I don't know who it was, a man in a hat" still means that it is not known."""
_CORRECTS = re.compile(
    r"\b(?:actually|correction|i meant|i mean|should be|should say|is wrong|was wrong|wrong (?:date|time|plate|place|amount)|my mistake)\b",
    re.I,
)
_PRECISE = re.compile(
    r", ?[A-Z]|\b(?:on|in|at|of|near|off) (?:the )?[A-Z]|\b\d+[a-z]? [A-Z]|"
    r"\b[A-Z][a-z]+ (?:Street|Road|Lane|Avenue|Square|Terrace|Crescent|Close|Row|Gardens|Mews|Quay)"
)
_NONE_TEXT = re.compile(
    r"^(?:no|none|nope|nothing|no other \w+|there (?:was|is|were) (?:no|none|nobody|nothing)[^.]*|nobody(?: else)?|no one(?: else)?|not yet|no,? not(?: yet)?|not involved)\W*$",
    re.I,
)


def _says_none(text: str) -> bool:
    return _NONE_TEXT.match(text.strip()) is not None


def _lead_off(text: str) -> str:
    text = text.strip(" ,.;:!?-—")
    while m := _LEAD.match(text):
        if not m.group():
            break
        text = text[m.end() :]
    return text


def tidy(text: str) -> str:
    """The text on one line without lead-ins ("It was …") and dangling ends; at most 600 characters."""
    flat = " ".join(text.split())
    flat = re.sub(r"\s+([,.;:!?])", r"\1", flat)
    flat = re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", flat)
    flat = _lead_off(flat)
    flat = _TAIL.sub("", flat) if len(flat.split()) > 1 else flat.strip(" ,.;:!?")
    return flat[:600].strip()


_LATER = re.compile(
    r"\b(?:later|not yet|soon|tomorrow|next week|another day|when i (?:have|get|can|receive)|once i|as soon as|i(?:[’']ll| will| am going to| shall)|"
    r"will (?:have|get|send|be|come|arrive|take)|still waiting|waiting for|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|haven[’']?t|don[’']?t have|do not have|didn[’']?t|"
    r"in (?:a few|two|three|\d+) (?:days|weeks|hours)|still (?:writing|working|making|doing)|have no|no (?:quote|photo|picture|receipt|estimate)|can[’']?t|cannot|to follow|promise|expect(?:ing)?)\b|以后|稍后|还没",
    re.I,
)
_NOW = re.compile(
    r"\b(?:now|here (?:it|they|you)|here[’']s|here is|got|have|ready|arrived|came|received|uploading|attached|available)\b",
    re.I,
)
_EXPLAINS = {
    "loss_within_30_days_of_inception": r"\b(?:polic(?:y|ies)|cover(?:ed)?|insurance|insured with|renew\w*|switched|joined|took out)\b",
    "prior_claims_within_year": r"\b(?:claims?|claimed)\b.*\b(?:before|already|earlier|last|other|previous|prior|this year|recent)\b|\b(?:previous|prior|earlier|other|last) claims?\b",
    "quote_before_incident": r"\b(?:quote|quotation|estimate)\b.*\b(?:dated?|before|earlier|already|old(?:er)?|previous|typo|mistake)\b",
    "receipt_after_incident": r"\b(?:receipt|invoice)\b.*\b(?:dated?|after|later|copy|reprint\w*|duplicate|replacement|typo|mistake)\b",
}


_COMES_TO_CLAIM = re.compile(
    r"\b(?:claim|claiming|report|reporting|use|notify)\b.{0,60}\b(?:insurance|policy|cover|warranty)\b|"
    r"\b(?:insurance|policy|cover|warranty)\b.{0,20}\bclaim\b",
    re.I,
)
"""Says on which insurance somebody wants to claim, and explains nothing."""


def read(text: str, context: Context) -> Understanding:
    """Read one message in its context. Text in any language is safe; what is not understood is left out."""
    out = Understanding()
    statements = _split_wishes(text, context, out)
    out.said = " ".join(text[a:b].strip() for a, b in statements)
    reader = _Reader(text, statements, context, out)
    if context.opening and "what_happened" in context.wanted and len(out.said.split()) >= 6:
        out.values["what_happened"] = " ".join(text.split())[:2000]
    _read_files(out, context)
    if context.explaining:
        if out.said:
            out.explanations[context.explaining] = out.said[:1000]
        return out
    _volunteered_explanations(text, statements, out, context.opening)
    if context.card and out.later and not context.asked:
        return out  # "I get it on Thursday at 4 pm" is about the file
    reader.structured()
    reader.references()
    reader.yes_no()
    reader.texts()
    if parse.says_unknown(out.said):
        out.unknown += [f for f in context.asked if f not in out.values and f not in out.unknown]
    out.unknown = [f for f in out.unknown if f not in out.values]
    nothing_else = not out.values and not out.unknown and not out.later and not out.ready
    if nothing_else and len(out.questions) + len(out.contacts) == 1 and not out.said:
        whole = " ".join(text.split())
        if out.questions:
            out.questions = [whole]
        else:
            out.contacts = [whole]
    return out


def _read_files(out: Understanding, context: Context) -> None:
    files = catalogue().files
    named = [k for k, spec in files.items() if _word_pattern(spec.words).search(out.said)]
    if context.card:
        if context.card in named or not named:
            later = _LATER.search(out.said) is not None
            if later or parse.polarity(out.said) == "no" or parse.says_unknown(out.said):
                out.later.append(context.card)
                if not later and parse.says_unknown(out.said):
                    out.missing.append(context.card)
            elif _NOW.search(out.said):
                out.ready.append(context.card)
        return
    for kind in named:
        if kind in context.promised and _NOW.search(out.said) and not _LATER.search(out.said):
            out.ready.append(kind)


def _volunteered_explanations(text: str, statements: list[tuple[int, int]], out: Understanding, opening: bool) -> None:
    told = [text[a:b].strip() for a, b in statements]
    if opening:
        told = [sentence for sentence in told if not _COMES_TO_CLAIM.search(sentence)]
    for check, pattern in _EXPLAINS.items():
        said = [sentence for sentence in told if re.search(pattern, sentence, re.I)]
        if said:
            out.explanations[check] = " ".join(said)[:1000]


__all__ = ["NONE", "UNKNOWN", "Context", "Understanding", "read", "sentences", "tidy"]
