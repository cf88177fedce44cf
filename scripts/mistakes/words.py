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
