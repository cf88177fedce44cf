"""Mistakes in what the customer says: dates, values, openings, answers that shine through."""

import re
from collections.abc import Callable

from harness.schema.package import FACTS, MATERIALS, PROVENANCE
from scripts.mistakes.draft import Draft, appended, mistake

GROUP = "words"
RELATIVE = {
    "English": "It happened yesterday.", "English, misspelt": "it hapened yesteday.", "English, by a count": "That was three days ago.",
    "English, by a weekday": "It was on Tuesday.", "Chinese": "是昨天晚上发生的。", "Chinese, by a count": "三天前发生的。",
    "Vietnamese": "Chuyện xảy ra tối hôm qua.", "Vietnamese, without marks": "Chuyen xay ra hom qua.", "German": "Das war gestern Abend.",
    "German, by a count": "Das war vor zwei Tagen.", "French": "C’était hier soir.", "French, by a count": "Il y a trois jours.",
    "Spanish": "Fue anoche.", "Spanish, by a week": "Fue la semana pasada.",
}  # fmt: skip


def _said(fact: str, words: str, code: str) -> Callable[[Draft], str | None]:
    """Adds words to what the customer says of a fact."""

    def spoil(draft: Draft) -> str | None:
        found = draft.fact(fact)
        if found is None:
            return None
        facts, one = found
        one["say"] = f"{one['say']} {words}"
        draft.put(FACTS, facts)
        return code

    return spoil


for _language, _words in RELATIVE.items():

    def _opening(draft: Draft, words: str = _words) -> str:
        appended(draft, words)
        return "relative_date"

    mistake(GROUP, f"a relative date in the opening: {_language}")(_opening)

mistake(GROUP, "a relative date in an answer")(_said("place", "I was there last week.", "relative_date"))
mistake(GROUP, "a date without a year")(_said("place", "I was there on 9 March too.", "date_without_year"))
mistake(GROUP, "a date that can be read in two ways")(_said("place", "I was there on 03/04/2026.", "date_ambiguous"))


@mistake(GROUP, "a relative date in a label")
def _(draft: Draft) -> str:
    materials = draft.materials
    materials["materials"][0]["visible"]["label"] += " from this morning"
    draft.put(MATERIALS, materials)
    return "relative_date"


@mistake(GROUP, "a relative date in a promise")
def _(draft: Draft) -> str | None:
    materials = draft.materials
    later = next((m for m in materials["materials"] if m["visible"]["available"]["when"] == "later"), None)
    if later is None:
        return None
    later["visible"]["available"]["promise"] = "I will have it tomorrow."
    draft.put(MATERIALS, materials)
    return "relative_date"


@mistake(GROUP, "a relative date in the persona")
def _(draft: Draft) -> str:
    facts = draft.facts
    facts["persona"]["mood"] += ", slept badly last night"
    draft.put(FACTS, facts)
    return "relative_date"


def _mute(kind: str, words: str) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        found = draft.of_kind(kind)
        if found is None:
            return None
        facts, fact = found
        fact["say"] = words
        draft.put(FACTS, facts)
        return "say_without_value"

    return spoil


mistake(GROUP, "a date that is not said")(_mute("date", "It was in the spring of 2026."))
mistake(GROUP, "an amount that is not said")(_mute("amount", "Far more than I can pay."))
mistake(GROUP, "a plate that is not said")(_mute("plate", "It is the blue one."))
mistake(GROUP, "a time that is not said")(_mute("time", "Some time in the afternoon."))
mistake(GROUP, "an address that is not said")(_mute("email", "You have it already."))


@mistake(GROUP, "yes for no")
def _(draft: Draft) -> str | None:
    found = draft.of_kind("yes_no")
    if found is None:
        return None
    facts, fact = found
    fact["say"] = "Yes, it is so." if fact["value"] == "no" else "No, it is not."
    draft.put(FACTS, facts)
    return "say_without_value"


@mistake(GROUP, "an answer that leaves the place out")
def _(draft: Draft) -> str | None:
    found = draft.fact("place")
    if found is None:
        return None
    facts, fact = found
    fact["say"] = "Where I always am at that hour."
    draft.put(FACTS, facts)
    return "answer_not_in_view"


@mistake(GROUP, "an answer that leaves out what happened")
def _(draft: Draft) -> str | None:
    found = draft.fact("what_happened")
    if found is None:
        return None
    facts, fact = found
    fact["say"] = "You can see it on the picture."
    draft.put(FACTS, facts)
    return "answer_not_in_view"


# ------------------------------------------------------------------ openings


def _styled(draft: Draft) -> bool:
    return bool(draft.facts["opening_style"] != "plain")


@mistake(GROUP, "the opening moves the incident by a day")
def _(draft: Draft) -> str | None:
    found = re.search(r"\b(\d{1,2})((?:st|nd|rd|th)?,? (?:of )?[A-Z][a-z]+,? \d{4})", draft.message)
    if found is None:
        return None
    day = int(found[1])
    draft.say(draft.message.replace(found[0], f"{day + 1 if day < 28 else day - 1}{found[2]}", 1))
    return "opening_says_no_fact"


@mistake(GROUP, "the opening leaves the date out")
def _(draft: Draft) -> str | None:
    found = re.search(r"\b\d{1,2}(?:st|nd|rd|th)?,? (?:of )?[A-Z][a-z]+,? \d{4}", draft.message)
    if found is None or not _styled(draft):
        return None
    draft.say(draft.message.replace(found[0], "a day", 1))
    return "opening_fact_lost"


@mistake(GROUP, "the opening names an amount that no fact has")
def _(draft: Draft) -> str:
    appended(draft, "It will cost £7,777.")
    return "opening_says_no_fact"


@mistake(GROUP, "the opening names a plate that no fact has")
def _(draft: Draft) -> str:
    appended(draft, "I wrote down QX99 ZZZ.")
    return "opening_says_no_fact"


@mistake(GROUP, "the opening counts what no fact counts")
def _(draft: Draft) -> str:
    appended(draft, "There were eleven of them.")
    return "opening_says_no_fact"


@mistake(GROUP, "the opening tells a thing that no fact tells")
def _(draft: Draft) -> str:
    appended(draft, "A crocodile exploded in the kitchenette.")
    return "opening_fact_added" if _styled(draft) else "opening_says_no_fact"


@mistake(GROUP, "the opening makes it worse")
def _(draft: Draft) -> str:
    appended(draft, "Everything is utterly demolished and pouring.")
    return "opening_fact_added" if _styled(draft) else "opening_says_no_fact"


@mistake(GROUP, "the opening turns a fact round")
def _(draft: Draft) -> str | None:
    from oracle_scoring.corpus.opening import content_stems, stem, words

    if not _styled(draft):
        return None
    plain = content_stems(draft.provenance["plain_opening"])
    names = {stem(w) for w in words(draft.facts["persona"]["name"])}
    word = next((w for w in words(draft.message) if stem(w) in plain and stem(w) not in names), None)
    if word is None:
        return None
    draft.say(re.sub(rf"\b{re.escape(word)}\b", f"not {word}", draft.message))
    return "opening_fact_changed"


@mistake(GROUP, "the opening tells a fact that the plain wording does not")
def _(draft: Draft) -> str | None:
    if draft.facts["opening_style"] in ("plain", "many_facts"):
        return None
    plain = draft.provenance["plain_opening"]
    fact = next(
        (f for f in draft.facts["facts"] if f["kind"] in ("phone", "email", "amount") and f["value"] not in plain), None
    )
    if fact is None or fact["value"].split(".")[0] in plain.replace(",", ""):
        return None
    appended(draft, fact["say"])
    return "opening_fact_added"


@mistake(GROUP, "a plain opening and another plain wording")
def _(draft: Draft) -> str | None:
    if _styled(draft):
        return None
    provenance = draft.provenance
    provenance["plain_opening"] += " Thank you."
    draft.put(PROVENANCE, provenance)
    return "opening_differs_from_plain"


@mistake(GROUP, "the plain wording under the name of another style")
def _(draft: Draft) -> str:
    facts = draft.facts
    facts["opening_style"] = "emotional" if facts["opening_style"] == "plain" else facts["opening_style"]
    draft.put(FACTS, facts)
    draft.say(draft.provenance["plain_opening"])
    return "opening_same_as_plain"


@mistake(GROUP, "the plain wording says what no fact says")
def _(draft: Draft) -> str | None:
    if not _styled(draft):
        return None
    provenance = draft.provenance
    provenance["plain_opening"] += " A crocodile exploded in the kitchenette."
    draft.put(PROVENANCE, provenance)
    return "opening_says_no_fact"


# ------------------------------------------------------------------ answers that shine through


def _label(change: Callable[[str, str, Draft], str | None], code: str) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        materials = draft.materials
        one = materials["materials"][0]
        label = change(one["visible"]["label"], one["hidden"]["evidence_kind"], draft)
        if label is None:
            return None
        one["visible"]["label"] = label
        draft.put(MATERIALS, materials)
        return code

    return spoil


def _amount(draft: Draft) -> str | None:
    found = draft.fact("estimated_loss")
    return found[1]["value"].split(".")[0] if found and len(found[1]["value"].split(".")[0]) >= 4 else None


mistake(GROUP, "a label that is the kind")(_label(lambda _, kind, __: kind.replace("_", " "), "label_from_kind"))
mistake(GROUP, "a label that is the kind, turned round")(
    _label(lambda _, kind, __: "The " + " ".join(reversed(kind.capitalize().split("_"))), "label_from_kind")
)
mistake(GROUP, "a label that is the kind, in the plural")(
    _label(lambda _, kind, __: kind.replace("_", " ") + "s", "label_from_kind")
)
mistake(GROUP, "a label with the kind in it")(
    _label(lambda label, kind, __: f"{label} ({kind.replace('_', ' ')})" if "_" in kind else None, "label_from_kind")
)
mistake(GROUP, "the level in a label")(
    _label(lambda label, _, draft: f"{label} ({draft.labels['triage']['level']})", "answer_in_label")
)
mistake(GROUP, "the amount in a label")(
    _label(
        lambda label, _, draft: f"{label}, £{int(_amount(draft) or 0):,}" if _amount(draft) else None, "answer_in_label"
    )
)
mistake(GROUP, "fraud in a label")(_label(lambda label, _, __: f"{label}, no fraud", "answer_in_label"))


def _file(change: Callable[[Draft], str | None]) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        name = draft.files(".jpg", ".png", ".pdf")[0]
        stem = change(draft)
        if stem is None:
            return None
        draft.rename(name, f"{stem}.{name.rpartition('.')[2]}")
        return "answer_in_file_name"

    return spoil


def _incident(draft: Draft) -> str | None:
    found = draft.fact("incident_date")
    return found[1]["value"] if found else None


mistake(GROUP, "a check as a file name")(_file(lambda _: "quote-before-incident"))
mistake(GROUP, "the kind as a file name")(
    _file(lambda draft: str(draft.materials["materials"][0]["hidden"]["evidence_kind"]).replace("_", "-"))
)
mistake(GROUP, "the level as a file name")(_file(lambda draft: f"{draft.labels['triage']['level']}-1"))
mistake(GROUP, "a triage reason as a file name")(
    _file(lambda draft: str(draft.labels["triage"]["required_reasons"][0]))
)
mistake(GROUP, "the day of the incident as a file name")(
    _file(lambda draft: "IMG_" + (_incident(draft) or "").replace("-", "") if _incident(draft) else None)
)
mistake(GROUP, "the amount as a file name")(_file(lambda draft: f"scan-{_amount(draft)}" if _amount(draft) else None))


@mistake(GROUP, "a kind's code in the opening")
def _(draft: Draft) -> str:
    appended(draft, f"I have a {draft.materials['materials'][0]['hidden']['evidence_kind']}.")
    return (
        "code_in_words" if "_" in draft.materials["materials"][0]["hidden"]["evidence_kind"] else "opening_says_no_fact"
    )


@mistake(GROUP, "a kind in plain letters in an answer")
def _(draft: Draft) -> str | None:
    kind = next(
        (
            m["hidden"]["evidence_kind"]
            for m in draft.materials["materials"]
            if m["hidden"]["evidence_kind"].count("_") >= 2
        ),
        None,
    )
    found = draft.fact("what_happened")
    if kind is None or found is None:
        return None
    found[1]["say"] += f" You get my {kind.replace('_', ' ')}."
    draft.put(FACTS, found[0])
    return "code_in_words"


@mistake(GROUP, "the class in an answer")
def _(draft: Draft) -> str | None:
    return _said("what_happened", f"That is {draft.labels['scenario_class']}.", "code_in_words")(draft)


@mistake(GROUP, "a review check in a wish")
def _(draft: Draft) -> str:
    facts = draft.facts
    facts["wishes"].append(
        {"id": "added", "kind": "question", "say": "Is there a receipt_after_incident?", "after_customer_messages": 3}
    )
    draft.put(FACTS, facts)
    return "code_in_words"


@mistake(GROUP, "the insurer's number of a claim in an answer")
def _(draft: Draft) -> str | None:
    policy = draft.setup["policy"]
    if policy is None or any(f["value"] == policy["number"] for f in draft.facts["facts"]):
        return None
    return _said("what_happened", f"My number is {policy['number']}.", "code_in_words")(draft)


def _long_words(text: str) -> str | None:
    words = re.findall(r"[^\W_]+", text)
    return " ".join(words[:9]) if len(words) >= 7 else None


@mistake(GROUP, "what a file is for, in an answer")
def _(draft: Draft) -> str | None:
    purposes = [_long_words(m["purpose"]) for m in draft.provenance["files"].values()]
    words = next((p for p in purposes if p), None)
    return _said("what_happened", f"{words}.", "hidden_text_in_words")(draft) if words else None


@mistake(GROUP, "the prompt of a picture in a label")
def _(draft: Draft) -> str | None:
    prompt = "photorealistic wide angle shot of a wet street at dusk without people"
    photos = draft.files(".jpg", ".png")
    if not photos:
        return None
    provenance, made = draft.made(photos[0])
    made.update(how="generated", prompt=prompt, recipe=None, rng_seed=None)
    draft.put(PROVENANCE, provenance)
    materials = draft.materials
    one = next(m["visible"] for m in materials["materials"] if m["visible"]["file"] == photos[0])
    one["label"] = f"my picture, {prompt}"
    draft.put(MATERIALS, materials)
    return "hidden_text_in_words"


@mistake(GROUP, "a question for the human referee in a wish")
def _(draft: Draft) -> str | None:
    human = next((a for a in draft.labels["assertions"] if a["referee"] == "human"), None)
    words = _long_words(human["question"]) if human else None
    if words is None:
        return None
    facts = draft.facts
    facts["wishes"].append({"id": "added", "kind": "question", "say": f"{words}?", "after_customer_messages": 3})
    draft.put(FACTS, facts)
    return "hidden_text_in_words"


@mistake(GROUP, "a canary in the persona")
def _(draft: Draft) -> str:
    facts = draft.facts
    facts["persona"]["manner"] += f" {draft.labels['canary']}"
    draft.put(FACTS, facts)
    return "canary_in_visible"


# ------------------------------------------------------------------ plans in plain words


for _plan in (
    "quote before incident", "receipt-after-incident", "prior claims within year", "Loss within 30 days of inception",
    "third party involved", "review required", "Innocent Control", "look-alike", "one weak signal", "the quote that must not alert", "oracle",
):  # fmt: skip
    mistake(GROUP, f"a plan in an answer: {_plan}")(_said("what_happened", f"So, {_plan}.", "code_in_words"))
    mistake(GROUP, f"a plan in a label: {_plan}")(
        _label(lambda label, _, __, p=_plan: f"{label}, {p}", "answer_in_label")
    )


@mistake(GROUP, "a level letter by letter in an answer")
def _(draft: Draft) -> str | None:
    return _said("what_happened", f"It is {' '.join(draft.labels['triage']['level'])}.", "code_in_words")(draft)


@mistake(GROUP, "the class in plain words in a label")
def _(draft: Draft) -> str | None:
    name = draft.labels["scenario_class"].partition(".")[2]
    if "_" not in name:
        return None
    return _label(lambda label, _, __: f"{label} {name.replace('_', ' ')}", "answer_in_label")(draft)


for _base in (
    "quote_before_incident", "quote-before-incident-2", "quoteBeforeIncident", "receipt.after.incident", "innocent-control", "InnocentControl",
    "look-alike", "one-weak-signal", "review-required", "oracle-1", "alert", "must-not-alert", "clear", "weak-2", "standard", "hit",
):  # fmt: skip
    mistake(GROUP, f"a plan as a file name: {_base}")(_file(lambda _, b=_base: b))


@mistake(GROUP, "the class as a file name")
def _(draft: Draft) -> str | None:
    name = draft.labels["scenario_class"].partition(".")[2]
    return _file(lambda _: name.replace("_", "-"))(draft) if "_" in name else None


def _persona(field: str, words: str) -> Callable[[Draft], str]:
    def spoil(draft: Draft) -> str:
        facts = draft.facts
        facts["persona"][field] += f", {words}"
        draft.put(FACTS, facts)
        return "code_in_words"

    return spoil


mistake(GROUP, "the plan as a mood: weak hits")(_persona("mood", "two weak hits call for a human look"))
mistake(GROUP, "the plan as a manner: flagged")(_persona("manner", "will be flagged because of the quote date"))
mistake(GROUP, "the plan as a manner: triage")(_persona("manner", "the product should triage this as urgent"))
mistake(GROUP, "the plan in an answer: flagged")(_said("what_happened", "It should not be flagged.", "code_in_words"))
for _plan in ("a suspicious quote", "quote from before the accident", "receipt whose date cannot be read"):
    mistake(GROUP, f"the plan as a label: {_plan}")(
        _label(lambda label, _, __, p=_plan: f"{label}, {p}", "answer_in_label")
    )


@mistake(GROUP, "the plan in a promise")
def _(draft: Draft) -> str | None:
    materials = draft.materials
    later = next((m for m in materials["materials"] if m["visible"]["available"]["when"] == "later"), None)
    if later is None:
        return None
    later["visible"]["available"]["promise"] = "It is dated after the accident so it is clear."
    draft.put(MATERIALS, materials)
    return "code_in_words"


@mistake(GROUP, "the plan as a fact's id")
def _(draft: Draft) -> str:
    facts = draft.facts
    facts["facts"].append(
        {
            "id": "strong_hit_explanation",
            "topic": "the paper",
            "kind": "text",
            "value": "it was late",
            "say": "It was late.",
        }
    )
    draft.put(FACTS, facts)
    return "code_in_words"


# ------------------------------------------------------------------ characters that nobody sees


for _char, _called in (
    ("\u200b", "a space of no width"), ("\u200d", "a joiner between letters"), ("\u202e", "a turn of the writing's direction"),
    ("\u2066", "an isolate of direction"), ("\u00ad", "a soft hyphen"), ("\ufeff", "a byte order mark"), ("\u2060", "a word joiner"),
    ("\ufe0f", "a form of no sign"), ("\u3164", "a filler"),
):  # fmt: skip
    mistake(GROUP, f"{_called} in an answer")(
        _said("what_happened", f"It is so{_char}me thing.", "invisible_character")
    )


@mistake(GROUP, "a space of no width in the opening")
def _(draft: Draft) -> str:
    draft.say(f"{draft.message[:2]}\u200b{draft.message[2:]}")
    return "invisible_character"


mistake(GROUP, "a soft hyphen in a label")(
    _label(lambda label, _, __: f"{label[:2]}\u00ad{label[2:]}", "invisible_character")
)
mistake(GROUP, "a Cyrillic letter in a word")(_said("what_happened", "It is n\u043et much.", "mixed_alphabets"))
mistake(GROUP, "a Greek letter in a label")(_label(lambda label, _, __: f"{label}, n\u03bfw", "mixed_alphabets"))
mistake(GROUP, "a word of Cyrillic letters that look Latin")(
    _said("what_happened", "It is \u0441\u0430r \u043e\u0440 so.", "mixed_alphabets")
)


# ------------------------------------------------------------------ answers that contradict their fact


def _answers(kind: str, words: Callable[[str], str | None], code: str) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        found = draft.of_kind(kind)
        said = words(found[1]["value"]) if found else None
        if found is None or said is None:
            return None
        found[1]["say"] = said.replace("{}", found[1]["say"])
        draft.put(FACTS, found[0])
        return code

    return spoil


def _of(fact: str, value: str, said: str) -> Callable[[Draft], str]:
    """The customer knows a yes/no fact of that id and value, and says something else of it."""

    def spoil(draft: Draft) -> str:
        facts = draft.facts
        others = [f for f in facts["facts"] if f["id"] != fact]
        facts["facts"] = [*others, {"id": fact, "topic": "how it is", "kind": "yes_no", "value": value, "say": said}]
        draft.put(FACTS, facts)
        return "say_contradicts_value"

    return spoil


mistake(GROUP, "an answer to no that denies nothing")(
    _answers("yes_no", lambda value: "It is so." if value == "no" else None, "say_contradicts_value")
)
mistake(GROUP, "an answer to yes that opens with nobody")(_of("witnesses", "yes", "Nobody, really."))
mistake(GROUP, "drivable, and it had to be towed")(_of("drivable", "yes", "Yes, but it had to be towed."))
mistake(GROUP, "drivable, and it cannot be driven")(_of("drivable", "yes", "It can't be driven."))
mistake(GROUP, "not drivable, and it still drives")(_of("drivable", "no", "No, it still drives."))
mistake(GROUP, "nobody hurt, and a neck that hurts")(_of("injuries", "no", "No, but my neck hurts."))
mistake(GROUP, "somebody hurt, and nobody hurt")(_of("injuries", "yes", "Yes, nobody was hurt."))
mistake(GROUP, "habitable, and they moved out")(_of("habitable", "yes", "Yes, we moved out."))
mistake(GROUP, "not habitable, and they can still live there")(_of("habitable", "no", "No, we can still live here."))
mistake(GROUP, "a second date in an answer")(
    _answers("date", lambda _: "{} Or 30 January 2021.", "say_has_another_value")
)
mistake(GROUP, "a second amount in an answer")(_answers("amount", lambda _: "{} Or £17.50.", "say_has_another_value"))
mistake(GROUP, "a second time in an answer")(_answers("time", lambda _: "{} Or 03:07.", "say_has_another_value"))
mistake(GROUP, "a second plate in an answer")(_answers("plate", lambda _: "{} Or QX99 ZZZ.", "say_has_another_value"))
