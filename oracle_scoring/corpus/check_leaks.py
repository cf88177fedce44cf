"""Answers that shine through: in labels, names, metadata and words; and the canaries that would show a leak."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from harness.schema.package import MATERIALS, MATERIALS_DIR
from oracle_scoring.corpus.check_texts import date_forms, visible_texts
from oracle_scoring.corpus.contents import contents
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import CHECKS
from oracle_scoring.corpus.opening import stem
from oracle_scoring.corpus.picture_parts import image_metadata
from oracle_scoring.corpus.rules import LEVELS
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_date

__all__ = [
    "canary_problem", "derived_label", "holds", "image_metadata", "leak_findings", "shared_run", "words",
]  # fmt: skip
RIG_WORDS = (
    "oracle", "canary", "evidence_kind", "review_required", "innocent_control", "not_checked", "not_applicable",
    "no_signal", "one_weak_signal", "look_alike", "fraud", "triage", "scenario_class", "provenance",
)  # fmt: skip
"""Words of the rig's own that no customer's label or file carries."""
PLAN_PHRASES = (
    "oracle", "alert", "alerts", "must not alert", "review required", "review check", "review checks", "innocent control", "look alike",
    "lookalike", "one weak signal", "scenario class", "evidence kind", "triage level", "triage reason",
)  # fmt: skip
"""What authors and judges say of a package among themselves; a customer says it in other words, wherever it is."""
OUTCOME_WORDS = frozenset(
    {"hit", "clear", "weak", "strong", "signal", "innocent", "suspicious", "guilty", "genuine", "fake", "control", "flagged", "unflagged"}
)  # fmt: skip
"""Ordinary words in a sentence; a file that is called so and nothing else is called by the answer."""
LONG_SECRET = 9
"""A code of two words or more and so many letters is found in a file name without the gaps, too."""
_SPELLED = re.compile(r"(?<!\w)(?:\w[ .*_-]){3,}\w(?!\w)")
BORING_METADATA = re.compile(
    r"^(|\(?(anonymous|unspecified|untitled)\)?|D:\d{14}.*|[^A-Za-z]{0,6}ReportLab [Gg]enerated PDF document[A-Za-z ()-]*|ReportLab PDF Library - \([a-z.]*\)"
    r"|PDF-\d\.\d|/?(True|False|Unknown))$"
)
_WORD = re.compile(r"[^\W_]+")
FILLERS = frozenset({"a", "an", "the", "of", "my", "file", "fil", "document", "this", "th", "thi"})
"""Stems that make no label of a kind."""
SHARED_WORDS = 6
"""So many words in a row in common with a hidden text are no coincidence."""
SHORT_HIDDEN = 3
"""A hidden text of so many words or more is looked for as a whole, too, where nothing should stand."""


def words(text: str) -> list[str]:
    """Letters and digits in runs, lower case, full-width ones as plain ones; underscores, hyphens and dots part words."""
    return _WORD.findall((text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold())


@lru_cache(maxsize=4096)
def _phrase(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def holds(text: str, phrase: str) -> bool:
    """Whether the words of `phrase` stand in `text` one after the other."""
    return _in(words(text), _phrase(phrase))


def _in(there: list[str], wanted: tuple[str, ...]) -> bool:
    size = len(wanted)
    if size == 0 or wanted[0] not in there:
        return False
    return size == 1 or any(tuple(there[n : n + size]) == wanted for n in range(len(there) - size + 1))


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


def secret_words(package: Package) -> dict[str, str]:
    """Phrase -> what it is, for everything that must not stand in a label, a file name or metadata."""
    secrets = {word: "a word of the rig's" for word in (*RIG_WORDS, *PLAN_PHRASES)}
    secrets |= {check: "a review check" for check in CHECKS}
    secrets |= {reason: "a triage reason" for reasons in LEVELS.values() for reason in reasons}
    secrets |= {level: "a triage level" for level in LEVELS}
    secrets |= {assertion.id: "an assertion" for assertion in package.labels.assertions if "_" in assertion.id}
    secrets[package.labels.scenario_class] = "the scenario class"
    name = package.labels.scenario_class.partition(".")[2]
    if "_" in name:
        secrets[name] = "the scenario class"
    for material in package.visible.materials.materials:
        secrets[material.hidden.evidence_kind] = "an evidence kind"
    return secrets


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
    for file, canary in package.canaries().items():
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


def spelled_out(text: str, secrets: Mapping[str, str]) -> str | None:
    """A secret whose letters stand one by one, "u r g e n t"; None if there is none."""
    spelled = {"".join(words(found)) for found in _SPELLED.findall(text)}
    return next((secret for secret in secrets if spelled and "".join(words(secret)) in spelled), None)


def named_by_answer(base: str, secrets: Mapping[str, str]) -> str | None:
    """What of the answers a file is named by, beside whole words of secrets; None if by nothing."""
    there = words(base)
    if {w for w in there if not w.isdigit()} and all(w.isdigit() or w in OUTCOME_WORDS for w in there):
        return f"{' '.join(there)}, an outcome"
    squeezed = "".join(there)
    for secret, what in secrets.items():
        phrase = _phrase(secret)
        if (
            len(phrase) >= 2
            and len("".join(phrase)) >= LONG_SECRET
            and "".join(phrase) in squeezed
            and not _in(there, phrase)
        ):
            return f"{secret}, {what}"
    return None


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
                if _in(there, _phrase(secret)) and not (field == "label" and secret == kind):
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


def _spoken(secrets: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Secrets that no sentence holds in plain letters either, and those of two words that are ordinary but for a hyphen."""
    plain = {s: w for s, w in secrets.items() if s in PLAN_PHRASES or w == "a review check"}
    plain |= {s: w for s, w in secrets.items() if w == "a triage reason" and len(words(s)) >= SHORT_HIDDEN}
    plain |= {
        s: w
        for s, w in secrets.items()
        if s in ("innocent_control", "one_weak_signal", "look_alike", "review_required")
    }
    joined = {s: w for s, w in secrets.items() if w in ("a triage reason", "a word of the rig's") and s.count("_") == 1}
    return plain, {s: w for s, w in joined.items() if s not in plain and s != "no_signal"}


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
    kinds = {kind for kind in kinds if _in(there, _phrase(kind))}
    setup = {value: what for value, what in setup.items() if value.casefold() in whole}
    plain, joined = _spoken(secrets)
    plain = {secret: what for secret, what in plain.items() if _in(there, _phrase(secret))}
    joined = {secret.replace("_", "-"): what for secret, what in joined.items() if secret.replace("_", "-") in whole}
    spelled = any(_SPELLED.search(text) for _, _, text in texts)
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
            if not (secret in codes and secret in folded) and holds(text, secret)
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


def _hit(text: str, secrets: dict[str, str], answers: dict[str, str], hidden: list[tuple[str, str]]) -> str | None:
    """What of the answers a text holds; None if nothing."""
    there = words(text)
    squeezed = "".join(there)
    for secret, what in secrets.items():
        if _in(there, _phrase(secret)):
            return f"{secret}, {what}"
    for answer, what in answers.items():
        if answer in squeezed:
            return what
    for source, secret in hidden if len(there) >= SHORT_HIDDEN else ():
        phrase = _phrase(secret)
        if shared_run(text, secret) is not None or (len(phrase) >= SHORT_HIDDEN and _in(there, phrase)):
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
    for one in (canaries, labels_and_names, codes_in_words, metadata):
        yield from one(package)
