"""The metrics' files against the manual's own cards, and against the functions that decide them."""

import csv
import re
from pathlib import Path

import pytest

from harness.errors import InputError
from oracle_scoring.inquiry.evaluate import plan, plans
from oracle_scoring.inquiry.finding import PREDICATES, TRIGGERS
from oracle_scoring.inquiry.metric import Metric, metrics, read_metric

MANUAL = Path(__file__).parents[3] / "docs/manual"
LINES = (MANUAL / "inquiry.txt").read_text("utf-8").split("\n")
with (MANUAL / "inquiry-cards.tsv").open(encoding="utf-8") as stream:
    CARDS = {row["id"]: row for row in csv.DictReader(stream, delimiter="\t")}


def card_text(metric_id: str) -> str:
    """The card as the manual has it, from the definition on, without white space."""
    first, last = map(int, CARDS[metric_id]["seed_lines"].split("-"))
    lines = LINES[first - 1 : last]
    checks = next(n for n, line in enumerate(lines) if line.startswith(("check_1", "| 5 |")))
    return squeezed("".join(lines[checks - 3 :]))


def squeezed(text: str) -> str:
    """Without white space."""
    return "".join(text.split())


def written_text(metric: Metric) -> str:
    """The card put together again from the metric's file, in the manual's order."""
    c = metric.criteria
    parts = [metric.definition, metric.inputs, c.trigger.text]
    parts += [f"{check.id}{check.text}" for check in c.checks]
    if c.scoring:
        parts += [f"| {points} | {text} |" for points, text in c.scoring.items()]
    else:
        parts.append(c.decision.text)
    parts += [f"- {edge.text}" for edge in c.edges]
    parts += [metric.scale, *(e.text for e in metric.examples if e.by == "manual"), metric.prompt_section]
    return squeezed("".join(parts))


def test_all_58_metrics_are_there_with_the_manuals_names_levels_and_lines() -> None:
    """Id, level, name and source lines of every metric are those of the manual's table."""
    assert [m.id for m in metrics()] == list(CARDS)
    for m in metrics():
        card = CARDS[m.id]
        assert (m.level, m.name_zh) == (card["level"], card["name_zh"])
        assert "{}-{}".format(*m.source.lines) == card["seed_lines"]
    assert sum(m.level == "P0" for m in metrics()) == 53


@pytest.mark.parametrize("metric", metrics(), ids=lambda m: m.id)
def test_a_metrics_file_holds_every_word_of_its_card(metric: Metric) -> None:
    """Definition, inputs, trigger, checks, decision, edges, scale, examples and section together are the whole card."""
    assert written_text(metric) == card_text(metric.id)


def test_an_edge_that_is_left_out_is_noticed() -> None:
    """The comparison with the card fails when one edge is missing from the file."""
    whole = next(m for m in metrics() if m.id == "M-102")
    criteria = whole.criteria.model_copy(update={"edges": whole.criteria.edges[:-1]})
    assert written_text(whole.model_copy(update={"criteria": criteria})) != card_text("M-102")


def test_edges_are_as_many_as_the_cards_have_and_say_the_same_result() -> None:
    """Each bullet of a card is one edge, and the result it names is the edge's."""
    for m in metrics():
        first, last = m.source.lines
        bullets = sum(len(re.findall(r"(?:^|\s)- (?=\S)", line)) for line in LINES[first - 1 : last])
        assert len(m.criteria.edges) == bullets, m.id
        for edge in m.criteria.edges:
            words = re.findall(r"(?:PASS|FAIL|N/A)", edge.text)
            assert edge.result in words if edge.result else not words or m.scored, f"{m.id} {edge.id}"


def test_every_check_and_edge_is_decided_by_a_function_or_a_judges_question(capsys: pytest.CaptureFixture[str]) -> None:
    """No trigger, check, condition or edge is left without somebody who decides it; the coverage is printed."""
    checks = [check for m in metrics() for check in m.criteria.checks]
    edges = [edge for m in metrics() for edge in m.criteria.edges]
    by_rule = sum(check.referee == "rule" for check in checks)
    with capsys.disabled():
        print(
            f"\ninquiry: {len(metrics())} metrics, {len(checks)} checks ({by_rule} by rule, {len(checks) - by_rule} by a judge, "
            f"of which {sum(c.referee == 'judge' and c.predicate is not None for c in checks)} have a rule that goes first), "
            f"{len(edges)} edges ({sum(e.when.rule is not None for e in edges)} by rule)"
        )
    assert len(plans()) == 58
    for m in metrics():
        assert m.criteria.trigger.rule in TRIGGERS, m.id
        assert m.scored or m.criteria.checks, m.id
        for check in m.criteria.checks:
            assert (check.predicate in PREDICATES) if check.referee == "rule" else check.question, f"{m.id} {check.id}"
        for edge in m.criteria.edges:
            assert edge.when.judge or edge.when.rule in PREDICATES, f"{m.id} {edge.id}"


def test_no_function_is_known_that_no_metric_names() -> None:
    """Every registered trigger and predicate is named by a metric's file."""
    named = {m.criteria.trigger.rule for m in metrics()}
    for m in metrics():
        named |= {c.predicate for c in m.criteria.checks if c.predicate} | set(m.criteria.decision.conditions.values())
        named |= {e.when.rule for e in m.criteria.edges if e.when.rule}
    assert set(PREDICATES) | set(TRIGGERS) == named


@pytest.mark.parametrize("part", ["check", "edge", "trigger", "condition"])
def test_a_name_without_a_function_is_an_error_that_says_where(part: str) -> None:
    """A metric that names a function there is none of cannot be used, and the message names metric and part."""
    metric = next(m for m in metrics() if m.id == "M-012")
    c = metric.criteria
    changed = {
        "check": {"checks": [c.checks[0].model_copy(update={"predicate": "no_such"}), *c.checks[1:]]},
        "edge": {
            "edges": [c.edges[0].model_copy(update={"when": c.edges[0].when.model_copy(update={"rule": "no_such"})})]
        },
        "trigger": {"trigger": c.trigger.model_copy(update={"rule": "no_such"})},
        "condition": {"decision": c.decision.model_copy(update={"conditions": {"in_first_utterance": "no_such"}})},
    }[part]
    with pytest.raises(InputError, match=rf"^M-012: .*({part}|{part}_1).*names no_such"):
        plan(metric.model_copy(update={"criteria": c.model_copy(update=changed)}))


def test_a_metrics_file_that_is_wrong_is_one_line(tmp_path: Path) -> None:
    """A missing predicate, a check the decision leaves out, a check it does not know: file, field and why."""
    good = (Path(__file__).parents[3] / "oracle_scoring/inquiry/metrics/M-004.yaml").read_text("utf-8")
    path = tmp_path / "M-004.yaml"
    for old, new, why in [
        ("predicate: at_most_one_question", "question: null", "names no predicate"),
        ("pass: check_1 AND check_2", "pass: check_1", "leaves out check_2"),
        ("pass: check_1 AND check_2", "pass: check_1 AND check_2 AND check_9", "check_9"),
        ("id: edge_1", "id: edge_7", "not counted from edge_1"),
        ("id: M-004", "id: M-005", "named after another metric"),
        ("level: P0", "level: P7", "P0"),
    ]:
        assert old in good
        path.write_text(good.replace(old, new, 1), "utf-8")
        with pytest.raises(InputError, match=why) as caught:
            read_metric(path)
        assert "\n" not in str(caught.value)
