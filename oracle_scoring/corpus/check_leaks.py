"""Answers that shine through: in labels, names, metadata and words; and the canaries that would show a leak."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from harness.schema.package import FACTS, MATERIALS, MATERIALS_DIR
from oracle_scoring.corpus.check_codes import (
    SHORT_HIDDEN,
    SPELLED,
    holds,
    named_by_answer,
    phrase_of,
    plan_in,
    plan_in_id,
    secret_words,
    spelled_out,
    spoken,
    stands_in,
    words,
)
from oracle_scoring.corpus.check_texts import date_forms, visible_texts
from oracle_scoring.corpus.contents import contents
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.opening import stem
from oracle_scoring.corpus.picture_parts import image_metadata
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_date

__all__ = [
    "canary_problem", "derived_label", "holds", "image_metadata", "leak_findings", "shared_run", "words",
]  # fmt: skip
BORING_METADATA = re.compile(
    r"^(|\(?(anonymous|unspecified|untitled)\)?|D:\d{14}.*|[^A-Za-z]{0,6}ReportLab [Gg]enerated PDF document[A-Za-z ()-]*|ReportLab PDF Library - \([a-z.]*\)"
    r"|PDF-\d\.\d|/?(True|False|Unknown))$"
)
FILLERS = frozenset({"a", "an", "the", "of", "my", "file", "fil", "document", "this", "th", "thi"})
"""Stems that make no label of a kind."""
STATES_OF_MIND = frozenset({("alert", "persona.mood"), ("alert", "persona.manner")})
"""Words of the plan that are a person's state of mind where they stand alone."""
SHARED_WORDS = 6
"""So many words in a row in common with a hidden text are no coincidence."""


def shared_run(text: str, hidden: str, size: int = SHARED_WORDS) -> str | None:
    """A run of `size` words that both have; None if there is none."""
    said, secret = words(text), words(hidden)
    if len(said) < size or len(secret) < size:
        return None
    runs = _runs(secret, size)
    return next((" ".join(w) for w in zip(*(said[n:] for n in range(size)), strict=False) if w in runs), None)


def _runs(items: Sequence[str], size: int) -> set[tuple[str, ...]]:
    return set(zip(*(items[n:] for n in range(size)), strict=False))


def _hidden_texts(package: Package) -> list[tuple[str, str]]:
    """Where it stands, and text: what was written for whoever makes the files or judges the product."""
    hidden = [(f"files.{n}.purpose", m.purpose) for n, m in package.provenance.files.items()]
    hidden += [(f"files.{n}.prompt", m.prompt) for n, m in package.provenance.files.items() if m.prompt]
    for assertion in package.labels.assertions:
        hidden.append((f"assertions.{assertion.id}.says", assertion.says))
        if assertion.referee == "human":
            hidden.append((f"assertions.{assertion.id}.question", assertion.question))
    return hidden


def _answers(package: Package) -> dict[str, str]:
    """Squeezed expected values that are long enough to be no coincidence -> what they are."""
    values: dict[str, str] = {}
    for fact in (*package.labels.expected_facts, *package.labels.optional_facts):
        what = f"the value of {fact.id}"
        if fact.value in (UNKNOWN, NONE, "yes", "no") or (
            fact.kind == "text" and len(words(fact.value)) < SHORT_HIDDEN
        ):
            continue
        values["".join(words(fact.value))] = what
        if fact.kind == "amount":
            values["".join(re.findall(r"\d", fact.value.split(".")[0]))] = what
        elif fact.kind == "date" and (day := parse_date(fact.value)) is not None:
            forms = [*date_forms(day), f"{day:%d%m%Y}", f"{day:%Y%m%d}", f"{day:%d%m%y}"]
            values |= {form: what for form in forms}
    policy = package.setup.policy
    if policy is not None:
        values["".join(words(policy.number))] = "the policy number"
    return {value: what for value, what in values.items() if len(value) >= 4}


def canaries(package: Package) -> Iterator[Finding]:
    """Random, each file its own, and in nothing visible."""
    seen: dict[str, str] = {}
    texts = list(visible_texts(package))
    whole = "\n".join(text for _, _, text in texts).casefold()
    for file, canary in package.canaries.items():
        where = f"{package.id}/{file}"
        if (problem := canary_problem(canary)) is not None:
            yield Finding(
                code="canary_not_random",
                file=where,
                field="canary",
                what=problem,
                mend="draw 16 random bytes, for instance with secrets.token_hex(16)",
            )
        if canary in seen:
            yield Finding(
                code="canary_repeated",
                file=where,
                field="canary",
                what=f"is the one of {seen[canary]}",
                mend="draw another one; each hidden file has its own",
            )
        seen.setdefault(canary, file)
        visible = {f for f, _, t in texts if canary in t.casefold()} if canary in whole else set()
        for name, data in package.visible.files.items():
            if any(canary in run for run in contents(data, package.hashes[name]).hex_runs):
                visible.add(f"{MATERIALS_DIR}/{name}")
        for name in sorted(visible):
            yield Finding(
                code="canary_in_visible",
                file=f"{package.id}/{name}",
                field="",
                what=f"holds the canary of {file}",
                mend="take it out and draw a new canary; something hidden was copied here",
            )


def canary_problem(canary: str) -> str | None:
    """Why 32 hexadecimal digits do not look random; None if they do.

    A random canary fails by chance about once in a million times.
    """
    digits = [int(c, 16) for c in canary]
    if len(set(digits)) < 8:
        return f"has only {len(set(digits))} different digits; it is not random"
    if max(digits.count(d) for d in set(digits)) > 12:
        return "repeats one digit too often; it is not random"
    steps = [(b - a) % 16 for a, b in pairwise(digits)]
    if max(steps.count(s) for s in set(steps)) > 14:
        return "counts up or down; it is not random"
    if any(canary[period:] == canary[:-period] for period in range(1, 17)):
        return "repeats itself; it is not random"
    return None


def derived_label(label: str, kind: str) -> bool:
    """Whether a label is an evidence kind in other letters: its words in any order, in the plural, with an article."""
    said, code = {stem(w) for w in words(label)} - FILLERS, {stem(w) for w in words(kind)} - FILLERS
    return (len(code) >= 2 and code <= said) or sorted(words(label)) == sorted(words(kind)) or holds(label, kind)


def labels_and_names(package: Package) -> Iterator[Finding]:
    """A label is written by hand in a person's words; it is no kind's code, and gives no answer."""
    secrets, answers = secret_words(package), _answers(package)
    for n, material in enumerate(package.visible.materials.materials):
        shown, kind = material.visible, material.hidden.evidence_kind
        at = f"materials.{n}.visible"
        base = shown.file.rpartition(".")[0]
        if derived_label(shown.label, kind):
            yield Finding(
                code="label_from_kind",
                file=f"{package.id}/{MATERIALS}",
                field=f"{at}.label",
                what=f"{shown.label!r} is the evidence kind {kind} in other letters",
                mend="describe the file as a person would who holds it",
            )
        for field, text in (("file", base), ("label", shown.label)):
            there = words(text)
            for secret, what in secrets.items():
                if stands_in(there, phrase_of(secret)) and not (field == "label" and secret == kind):
                    yield Finding(
                        code="answer_in_label" if field == "label" else "answer_in_file_name",
                        file=f"{package.id}/{MATERIALS}",
                        field=f"{at}.{field}",
                        what=f"{text!r} holds {secret}, {what}",
                        mend="say it in words that give nothing away",
                    )
            odd = named_by_answer(text, secrets) if field == "file" else None
            if odd is None and (spelled := spelled_out(text, secrets)) is not None:
                odd = f"{spelled}, {secrets[spelled]}, letter by letter"
            if odd is not None:
                yield Finding(
                    code="answer_in_label" if field == "label" else "answer_in_file_name",
                    file=f"{package.id}/{MATERIALS}",
                    field=f"{at}.{field}",
                    what=f"{text!r} holds {odd}",
                    mend="say it in words that give nothing away",
                )
            squeezed = "".join(words(text))
            for answer, what in answers.items():
                if answer in squeezed:
                    yield Finding(
                        code="answer_in_label" if field == "label" else "answer_in_file_name",
                        file=f"{package.id}/{MATERIALS}",
                        field=f"{at}.{field}",
                        what=f"{text!r} holds {what}",
                        mend="take the value out; the customer says it when asked",
                    )


def codes_in_words(package: Package) -> Iterator[Finding]:
    """No code of the rig's, no plan or kind in plain letters and no run of a hidden text in what the customer says."""
    secrets = secret_words(package)
    codes = {secret: what for secret, what in secrets.items() if "_" in secret or "." in secret}
    kinds = {k for k, what in secrets.items() if what == "an evidence kind" and len(words(k)) >= SHORT_HIDDEN}
    setup = {c.number: "a claim of the setup" for c in package.setup.prior_claims}
    if package.setup.policy is not None:
        setup[package.setup.policy.number] = "the policy of the setup"
    known = {f.value for f in package.visible.facts.facts}
    runs = [(source, _runs(words(text), SHARED_WORDS)) for source, text in _hidden_texts(package)]
    texts = list(visible_texts(package))
    whole = "\n".join(text for _, _, text in texts).casefold()
    there = words(whole)
    codes = {code: what for code, what in codes.items() if code in whole}
    kinds = {kind for kind in kinds if stands_in(there, phrase_of(kind))}
    setup = {value: what for value, what in setup.items() if value.casefold() in whole}
    plain, joined = spoken(secrets)
    plain = {secret: what for secret, what in plain.items() if stands_in(there, phrase_of(secret))}
    joined = {secret.replace("_", "-"): what for secret, what in joined.items() if secret.replace("_", "-") in whole}
    spelled = any(SPELLED.search(text) for _, _, text in texts)
    all_runs = _runs(there, SHARED_WORDS)
    runs = [(source, secret) for source, secret in runs if secret & all_runs]
    if not (codes or kinds or setup or runs or plain or joined or spelled):
        return
    for file, field, text in texts:
        folded = text.casefold()
        hits = [f"{code}, {what}" for code, what in codes.items() if code in folded]
        hits += [
            f"{secret}, {what}"
            for secret, what in plain.items()
            if not (secret in codes and secret in folded)
            and (secret, field) not in STATES_OF_MIND
            and holds(text, secret)
        ]
        hits += [f"{secret}, {what}" for secret, what in joined.items() if secret in folded]
        if spelled and (letters := spelled_out(text, secrets)) is not None:
            hits.append(f"{letters}, {secrets[letters]}, letter by letter")
        hits += [f"{kind}, an evidence kind" for kind in kinds if kind not in folded and holds(text, kind)]
        hits += [
            f"{value}, {what}" for value, what in setup.items() if value.casefold() in folded and value not in known
        ]
        for hit in hits:
            yield Finding(
                code="code_in_words",
                file=f"{package.id}/{file}",
                field=field,
                what=f"holds {hit}",
                mend="say it as a person would; what the insurer's systems hold is said only if it is a fact of the customer's",
            )
        said = _runs(words(text), SHARED_WORDS)
        for source, secret in runs:
            for run in sorted(said & secret)[:1]:
                yield Finding(
                    code="hidden_text_in_words",
                    file=f"{package.id}/{file}",
                    field=field,
                    what=f"shares {' '.join(run)!r} with {source}",
                    mend="write one of the two in other words",
                )


def plans_in_words(package: Package) -> Iterator[Finding]:
    """Nothing that the customer's model reads tells what is to come out: no words of the plan, in ids neither."""
    facts = package.visible.facts
    ids = [(f"facts.{n}.id", fact.id) for n, fact in enumerate(facts.facts)]
    ids += [(f"does_not_know.{n}.id", unknown.id) for n, unknown in enumerate(facts.does_not_know)]
    ids += [(f"wishes.{n}.id", wish.id) for n, wish in enumerate(facts.wishes)]
    told = [(FACTS, field, name, plan_in_id(name), "code_in_words") for field, name in ids]
    for file, field, text in visible_texts(package):
        place = field.rpartition(".")[2]
        code = {"label": "answer_in_label", "file": "answer_in_file_name"}.get(place, "code_in_words")
        told.append((file, field, text, plan_in(text, field), code))
    for file, field, text, plan, code in told:
        if plan is not None:
            yield Finding(
                code=code,
                file=f"{package.id}/{file}",
                field=field,
                what=f"{text[:80]!r} holds {plan!r}, words of the plan",
                mend="call it by what it is to the customer; the answers stand in the oracle",
            )


def _hit(text: str, secrets: dict[str, str], answers: dict[str, str], hidden: list[tuple[str, str]]) -> str | None:
    """What of the answers a text holds; None if nothing."""
    there = words(text)
    squeezed = "".join(there)
    for secret, what in secrets.items():
        if stands_in(there, phrase_of(secret)):
            return f"{secret}, {what}"
    for answer, what in answers.items():
        if answer in squeezed:
            return what
    for source, secret in hidden if len(there) >= SHORT_HIDDEN else ():
        phrase = phrase_of(secret)
        if shared_run(text, secret) is not None or (len(phrase) >= SHORT_HIDDEN and stands_in(there, phrase)):
            return f"words of {source}"
    return None


def metadata(package: Package) -> Iterator[Finding]:
    """Pictures carry nothing but pixels, documents nothing but pages that a reader sees."""
    secrets, answers, hidden = secret_words(package), _answers(package), _hidden_texts(package)
    runs = [(source, _runs(words(text), SHARED_WORDS)) for source, text in hidden]
    for name, data in package.visible.files.items():
        file = f"{package.id}/{MATERIALS_DIR}/{name}"
        read = contents(data, package.hashes[name])
        for key, value in read.metadata.items():
            if read.pdf is None:
                yield Finding(
                    code="image_metadata",
                    file=file,
                    field=key,
                    what=f"carries metadata: {value[:80]!r}",
                    mend="save the picture without metadata",
                )
            if not BORING_METADATA.match(value) and (hit := _hit(value, secrets, answers, hidden)) is not None:
                yield Finding(
                    code="answer_in_metadata",
                    file=file,
                    field=key,
                    what=f"{value[:80]!r} holds {hit}",
                    mend="clear the document's information" if read.pdf else "save the picture without metadata",
                )
        for odd in read.oddities:
            yield Finding(code=odd.code, file=file, field=odd.field, what=odd.what, mend=odd.mend)
        for page, unseen in read.unseen:
            yield Finding(
                code=unseen.code,
                file=file,
                field=f"page {page}",
                what=f"holds text that no reader sees: {unseen.text[:80]!r} {unseen.why}",
                mend="take it out of the text layer, or draw it so that it is seen",
            )
        if read.pdf is None:
            continue
        for attached in read.pdf.attachments:
            yield Finding(
                code="pdf_attachment",
                file=file,
                field=attached,
                what="carries an attached file",
                mend="take the attachment out",
            )
        for code, what in secrets.items():
            if ("_" in code or "." in code) and code in read.text:
                yield Finding(
                    code="code_in_document",
                    file=file,
                    field="",
                    what=f"prints {code}, {what}",
                    mend="draw the document without it",
                )
        printed = _runs(read.words, SHARED_WORDS)
        for source, secret in runs:
            for run in sorted(secret & printed)[:1]:
                yield Finding(
                    code="hidden_text_in_document",
                    file=file,
                    field="",
                    what=f"shares {' '.join(run)!r} with {source}",
                    mend="write one of the two in other words",
                )


def leak_findings(package: Package) -> Iterator[Finding]:
    """All of this module."""
    for one in (canaries, labels_and_names, codes_in_words, plans_in_words, metadata):
        yield from one(package)
