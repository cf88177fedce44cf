"""M-013 to M-016, M-020, M-035: parameters, versions, empty cells, policies, product tools."""

import re

from oracle_scoring.inquiry.finding import Finding, Moment, Occasions, absent, fail, holds, ok, predicate, trigger
from oracle_scoring.inquiry.interfaces import interfaces
from oracle_scoring.inquiry.lazy import remembered
from oracle_scoring.inquiry.lexicon import fold
from oracle_scoring.inquiry.measures import SPEC_KINDS, Measure, measures, normal_number
from oracle_scoring.inquiry.predicates.common import (
    KNOWLEDGE,
    POLICIES,
    PRICES,
    TOOLS_UNKNOWN,
    answered,
    asked_parameters,
    claimed_figures,
    customer_figures,
    defers,
    details,
    each_reply,
    last_turn,
    missed,
    on,
    parameters_in,
    searched_first,
    sentence_with,
    topics,
    unsourced,
)  # fmt: skip
from oracle_scoring.inquiry.sources import EMPTY_CELLS, Detail
from oracle_scoring.inquiry.talk import Conversation, Exchange, Reply

_COLUMNS = {
    "length": ("length", "长", "dài"), "power": ("power", "watt", "功率", "công suất"), "current": ("current", "amp", "电流", "dòng"),
    "voltage": ("volt", "电压", "điện áp"), "material": ("material", "材", "chất liệu"), "speed": ("speed", "rate", "传输", "速", "tốc độ"),
    "color": ("colo", "颜色", "màu"), "weight": ("weight", "重", "trọng lượng"), "diameter": ("diameter", "od", "径", "đường kính"),
    "packaging": ("pack", "包装", "đóng gói"), "temperature": ("temp", "温", "nhiệt"), "bend": ("bend", "弯", "uốn"),
}  # fmt: skip
_MANY_LINES = 3
_SHARED_TEXT = 60


def column_kind(column: str) -> str | None:
    """Which parameter a column of the specifications holds."""
    name = fold(column)
    return next((kind for kind, words in _COLUMNS.items() if any(w in name for w in words)), None)


def current_detail(c: Conversation, upto: int) -> Detail | None:
    """The product details read last."""
    found = details(c, upto)
    return found[-1] if found else None


def named_version(c: Conversation, e: Exchange, detail: Detail) -> str | None:
    """The version that the customer named last, up to this utterance; None: none or several."""
    for earlier in reversed(c.until(e)):
        named = [v for v in detail.versions if _names(v, earlier)]
        if len(named) == 1:
            return named[0]
        if named:
            return None
    return None


def _names(version: str, e: Exchange) -> bool:
    pairs = interfaces(fold(version))
    return bool(pairs & e.interfaces) if pairs else fold(version) in e.folded


def row_of(detail: Detail, version: str) -> dict[str, str]:
    """The row of a version."""
    return next((row for row in detail.rows if row.get("Version") == version), {})


def _numbers(cells: list[str]) -> set[tuple[str, str]]:
    return {(m.number, m.unit) for cell in cells for m in measures(fold(cell))} | {
        (normal_number(cell), "") for cell in cells if cell.replace(".", "", 1).isdigit()
    }


def _in(figure: Measure, numbers: set[tuple[str, str]]) -> bool:
    return (figure.number, figure.unit) in numbers or (figure.number, "") in numbers


def spec_figures(r: Reply) -> list[Measure]:
    """Figures of the reply that are parameters of a product."""
    return [m for m in claimed_figures(r) if m.kind in SPEC_KINDS]


# M-013 -------------------------------------------------------------------------------------------------------------------


@trigger
def single_parameter(c: Conversation) -> Occasions:
    """Utterances from the second on that ask for exactly one parameter of one product."""
    found = []
    for e in answered(c):
        if len(asked_parameters(c, e)) == 1 and len(set(c.profile.skus(e.raw))) <= 1 and not topics(c, e) & POLICIES:
            found.append(e)
    return on(found)


@predicate
def only_that_parameter(c: Conversation, m: Moment) -> Finding:
    """No value of another parameter is stated."""
    asked = asked_parameters(c, m.exchange)
    for r in m.exchange.replies:
        for kind, quote in parameters_in(r).items():
            figures = [f for s in r.text.statements if s.raw == quote for f in s.measures if f.kind == kind]
            if (
                kind not in asked
                and (figures or kind in ("material", "color", "packaging"))
                and not _restates(c, m, kind, quote)
            ):
                return fail(quote, f"states {kind}, which was not asked for")
    return ok()


def _restates(c: Conversation, m: Moment, kind: str, quote: str) -> bool:
    """The value was named by the customer, or belongs to the product's name."""
    if kind in m.exchange.signals:
        return True
    pairs = customer_figures(c, m.said.turn)
    figures = [f for f in measures(fold(quote)) if f.kind == kind]
    return bool(figures) and all((f.number, f.unit) in pairs for f in figures)


@predicate
def no_pasted_specification(c: Conversation, m: Moment) -> Finding:
    """Neither a table of values nor the product's description is pasted."""
    for r in m.exchange.replies:
        kinds = {f.kind for f in spec_figures(r)}
        lines = [line for line in r.text.lines if measures(fold(line)) or "：" in line or ": " in line]
        if len(kinds) >= _MANY_LINES or len(lines) >= _MANY_LINES:
            return fail(r.text.body.strip()[:200], "a whole specification instead of the one value")
        for d in details(c, r.turn):
            text = fold(d.text)
            if len(text) >= _SHARED_TEXT and any(
                text[i : i + _SHARED_TEXT] in r.text.folded
                for i in range(0, min(len(text), 2000) - _SHARED_TEXT + 1, 20)
            ):
                return fail(r.text.body.strip()[:200], "the product's description is pasted")
    return ok()


# M-014 ---------------------------------------------------------------------------------------------------------------------


@trigger
def several_versions(c: Conversation) -> Occasions:
    """Utterances from the second on that ask for a parameter of a product known in several versions."""
    found, lacking = [], False
    for e in answered(c):
        if not asked_parameters(c, e):
            continue
        if e.calls is None and not c.tools_recorded:
            lacking = True
            continue
        detail = current_detail(c, last_turn(e))
        if detail is not None and len(detail.versions) > 1:
            found.append(e)
    return Occasions(on(found).moments, TOOLS_UNKNOWN.reason if lacking and not found else "")


def _unclear(c: Conversation, m: Moment, detail: Detail) -> bool:
    """The customer named no version, and what was asked differs between versions."""
    if named_version(c, m.exchange, detail) is not None:
        return False
    asked = asked_parameters(c, m.exchange)
    for kind in asked:
        cells = {row.get(k, "") for row in detail.rows for k in row if column_kind(k) == kind}
        if len(cells) > 1:
            return True
    return False


def _asks_version(c: Conversation, r: Reply, detail: Detail) -> bool:
    for s in r.text.questions:
        named = sum(fold(v) in s.folded or bool(interfaces(fold(v)) & interfaces(s.folded)) for v in detail.versions)
        if s.signals & {"asks_interface", "asks_version"} and (
            named or s.signals & {"asks_interface"} or "asks_version" in s.signals
        ):
            return True
        if named >= 2:
            return True
    return False


@predicate
def version_confirmed_first(c: Conversation, m: Moment) -> Finding:
    """The version is known or asked; values come from its row alone."""
    detail = current_detail(c, last_turn(m.exchange))
    if detail is None:
        return TOOLS_UNKNOWN
    figures = [(r, f) for r in m.exchange.replies for f in spec_figures(r)]
    version = named_version(c, m.exchange, detail)
    if version is not None:
        row = _numbers(list(row_of(detail, version).values()))
        own = customer_figures(c, m.said.turn)
        for r, f in figures:
            if not _in(f, row) and (f.number, f.unit) not in own and not _in(f, _numbers([detail.text])):
                return fail(sentence_with(r, f), f"{f.text} does not stand in the row of {version}")
        return ok()
    if not _unclear(c, m, detail):
        return ok(reason="the versions do not differ in what was asked")
    if any(_asks_version(c, r, detail) for r in m.exchange.replies) and not figures:
        return ok()
    if figures:
        r, f = figures[0]
        return fail(sentence_with(r, f), "a value is given although the version is not known")
    return fail(m.said.text.raw.strip()[:200] or m.said.where, "the version is neither known nor asked")


@predicate
def no_value_of_another_version(c: Conversation, m: Moment) -> Finding:
    """No value stands in another version's row only."""
    detail = current_detail(c, last_turn(m.exchange))
    if detail is None:
        return TOOLS_UNKNOWN
    version = named_version(c, m.exchange, detail)
    if version is None:
        return absent("no single version was named")
    row = _numbers(list(row_of(detail, version).values()))
    others = _numbers([cell for r in detail.rows if r.get("Version") != version for cell in r.values()])
    for r in m.exchange.replies:
        for f in spec_figures(r):
            if _in(f, others) and not _in(f, row):
                return fail(sentence_with(r, f), f"{f.text} is the value of another version than {version}")
    return ok()


@predicate
def one_clarifying_question(c: Conversation, m: Moment) -> Finding:
    """Where the version matters and is not known, one question asks it."""
    detail = current_detail(c, last_turn(m.exchange))
    if detail is None:
        return TOOLS_UNKNOWN
    if not _unclear(c, m, detail):
        return absent("the version is known or does not matter")
    asked = [s for r in m.exchange.replies for s in r.text.questions]
    if len(asked) != 1:
        quote = asked[1].raw if len(asked) > 1 else m.said.text.raw.strip()[:200] or m.said.where
        return fail(quote, f"{len(asked)} questions instead of one for the version")
    if not any(_asks_version(c, r, detail) for r in m.exchange.replies):
        return fail(asked[0].raw, "the question does not ask the version")
    return ok(asked[0].raw)


def _empty_kinds(c: Conversation, m: Moment) -> set[str]:
    """Parameters asked for whose cell is empty or missing, in the version named or in every version."""
    detail = current_detail(c, last_turn(m.exchange))
    if detail is None or not detail.rows:
        return set()
    version = named_version(c, m.exchange, detail)
    rows = [row_of(detail, version)] if version else detail.rows
    empty = set()
    for kind in asked_parameters(c, m.exchange):
        cells = [cell for row in rows for column, cell in row.items() if column_kind(column) == kind]
        if all(fold(cell) in EMPTY_CELLS for cell in cells) and kind not in {
            f.kind for f in measures(fold(detail.text))
        }:
            empty.add(kind)
    return empty


@predicate
def value_of_other_version_for_empty_cell(c: Conversation, m: Moment) -> Finding:
    """The cell of the version named is empty and another version's value is stated."""
    return holds(bool(_empty_kinds(c, m)) and no_value_of_another_version(c, m).state == "fail")


# M-015, M-035 ----------------------------------------------------------------------------------------------------------------


@trigger
def parameter_figures(c: Conversation) -> Occasions:
    """Replies that state figures of parameters."""
    return each_reply([r for r in c.replies if spec_figures(r)])


@predicate
def empty_cell_no_figure(c: Conversation, m: Moment) -> Finding:
    """Where the cell asked for is empty, no figure of that kind is stated."""
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    empty = _empty_kinds(c, m)
    own = customer_figures(c, m.said.turn)
    for f in spec_figures(m.said):
        if f.kind in empty and (f.number, f.unit) not in own:
            return fail(sentence_with(m.said, f), f"a figure for {f.kind}, whose cell is empty")
    return ok()


_FACTORS = {
    "m": 1000.0,
    "cm": 10.0,
    "mm": 1.0,
    "ft": 304.8,
    "g": 1.0,
    "kg": 1000.0,
    "mbps": 1.0,
    "gbps": 1000.0,
    "day": 1.0,
    "week": 7.0,
}


@predicate
def nothing_filled_or_converted(c: Conversation, m: Moment) -> Finding:
    """No empty cell is filled, and no figure is one that a source gives in another unit."""
    found = empty_cell_no_figure(c, m)
    if found.state != "pass":
        return found
    pairs, _ = c.sources.figures(m.said.turn)
    for f in unsourced(c, m.said):
        for number, unit in pairs:
            same_kind = unit != f.unit and unit in _FACTORS and f.unit in _FACTORS
            if same_kind and abs(float(number) * _FACTORS[unit] - float(f.number) * _FACTORS[f.unit]) < 1e-6:
                return fail(sentence_with(m.said, f), f"{f.text} is converted from {number} {unit}")
    return ok()


@predicate
def no_usual_values(c: Conversation, m: Moment) -> Finding:
    """Each figure of a parameter stands in what tools returned, or was named by the customer."""
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    for f in unsourced(c, m.said):
        if f.kind in SPEC_KINDS:
            return fail(sentence_with(m.said, f), f"no tool returned {f.text}")
    return ok()


@predicate
def new_interface_new_row(c: Conversation, m: Moment) -> Finding:
    """After the customer changes the interface, figures come from the new version's row."""
    e = m.exchange
    before = frozenset().union(*(x.interfaces for x in c.earlier(e)))
    if not e.interfaces or not before or e.interfaces <= before:
        return absent("the customer did not change the interface")
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    detail = current_detail(c, last_turn(e))
    version = named_version(c, e, detail) if detail else None
    if detail is None or version is None:
        return fail(m.said.text.raw.strip()[:200], "figures without a row of the new version")
    row = _numbers(list(row_of(detail, version).values()))
    for f in spec_figures(m.said):
        if not _in(f, row) and not _in(f, _numbers([detail.text])):
            return fail(sentence_with(m.said, f), f"{f.text} does not stand in the row of {version}")
    return ok()


@predicate
def leaves_figure_to_technicians(c: Conversation, m: Moment) -> Finding:
    """What was asked has no ground, and the reply says who confirms it."""
    return holds(bool(defers(c, m.exchange)) and not spec_figures(m.said))


@trigger
def any_figures(c: Conversation) -> Occasions:
    """Replies that state figures of parameters or policies."""
    return each_reply([r for r in c.replies if claimed_figures(r)])


@predicate
def figures_have_sources(c: Conversation, m: Moment) -> Finding:
    """Each figure was returned by a tool, or named by the customer."""
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    if missing := unsourced(c, m.said):
        return fail(sentence_with(m.said, missing[0]), f"neither tool nor customer gave {missing[0].text}")
    return ok()


@predicate
def figure_of_a_parameter(c: Conversation, m: Moment) -> Finding:
    """A figure of a parameter, which M-015 looks at too."""
    return holds(bool(spec_figures(m.said)))


# M-016 ---------------------------------------------------------------------------------------------------------------------


def asked_policies(c: Conversation, e: Exchange) -> frozenset[str]:
    """Commercial policies that the utterance asks about."""
    return topics(c, e) & POLICIES


@trigger
def policy_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask about MOQ, samples, payment, lead time, certification or the company."""
    return on([e for e in answered(c) if asked_policies(c, e)])


@predicate
def policy_looked_up(c: Conversation, m: Moment) -> Finding:
    """The knowledge base was searched."""
    return searched_first(c, m, asked_policies(c, m.exchange))


@predicate
def missing_policy_names_who(c: Conversation, m: Moment) -> Finding:
    """Where no document was found, the reply says who will confirm."""
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    lacking = missed(c, m.exchange, asked_policies(c, m.exchange))
    if not lacking:
        return absent("the knowledge base had an answer")
    if defers(c, m.exchange):
        return ok()
    return fail(
        m.said.text.raw.strip()[:200] or m.said.where,
        f"nothing was found on {lacking[0]}, and nobody is named who confirms",
    )


@predicate
def no_policy_from_custom(c: Conversation, m: Moment) -> Finding:
    """Figures, terms and marks of a policy all stand in what was returned."""
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    for r in m.exchange.replies:
        for f in unsourced(c, r):
            if f.kind not in SPEC_KINDS:
                return fail(sentence_with(r, f), f"no document gave {f.text}")
        if (bad := unsourced_terms(c, r)) is not None:
            return fail(bad[1], f"no document speaks of {bad[0]}")
    return ok()


_TERMS = re.compile(
    r"(?<![a-z0-9])(?:t/t|l/c|paypal|western union|alipay|fob|cif|ddp|exw|fcc|rohs|mfi|ul|ce|iso)(?![a-z0-9])"
)


@remembered
def unsourced_terms(c: Conversation, r: Reply) -> tuple[str, str] | None:
    """A term of trade or mark of conformity that the reply states and neither tools nor customer named, with its sentence."""
    if _TERMS.search(r.text.folded) is None:
        return None
    known = c.sources.text(r.turn) + "\n" + "\n".join(e.folded for e in c.until(r.exchange))
    for s in r.text.statements:
        if s.signals & c.profile.departments and "confirms" in s.signals:
            continue
        for match in _TERMS.finditer(s.folded):
            if match.group() not in known:
                return match.group(), s.raw
    return None


@predicate
def price_asked_too(c: Conversation, m: Moment) -> Finding:
    """A price is asked for in the same utterance."""
    return holds(bool(topics(c, m.exchange) & PRICES))


# M-020 -----------------------------------------------------------------------------------------------------------------------


def asks_product_fact(c: Conversation, e: Exchange) -> bool:
    """The utterance asks for a fact of a product: a parameter, an article, whether there is one; or shows a picture as a clue."""
    if asked_parameters(c, e):
        return True
    if not e.asks or topics(c, e) & (PRICES | KNOWLEDGE | {"stock", "color"}):
        return False
    if c.profile.skus(e.raw) and "images" not in e.signals:
        return True
    clue = any(
        i.recognized in ("cable", "connector", "plug", "charger", "spec", "style_code") and i.clear is not False
        for i in e.images or []
    )
    return (clue and "asks_identify" in e.signals) or (bool(e.interfaces) and "product" in e.signals)


@trigger
def product_fact_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask for facts of a product."""
    return on([e for e in answered(c) if asks_product_fact(c, e)])


@predicate
def facts_from_product_tools(c: Conversation, m: Moment) -> Finding:
    """A product tool was called, with categories and tags of the catalogue; or the product's details were read before."""
    e = m.exchange
    tools = c.profile.data.tools
    if e.calls is None and not c.tools_recorded:
        return TOOLS_UNKNOWN
    called = [call for call in e.calls or [] if call.name in tools.products]
    if not called and not details(c, e.turn):
        return fail(f"turns.{m.said.turn}.tool_calls", "no product tool was called")
    catalog = c.session.catalog_context
    for call in called:
        for field, allowed in (
            ("category", catalog.categories if catalog else None),
            ("tags", catalog.tags if catalog else None),
        ):
            given = (call.arguments or {}).get(field)
            values = [v for v in (given if isinstance(given, list) else [given]) if v]
            if values and allowed is not None and (wrong := [v for v in values if v not in allowed]):
                return fail(f"turns.{m.said.turn}.tool_calls", f"{field} {wrong[0]} is not in catalog_context")
    return ok()


@predicate
def only_confirmed_products(c: Conversation, m: Moment) -> Finding:
    """Product ids that were used had been returned by a search before."""
    e = m.exchange
    tools = c.profile.data.tools
    if e.calls is None:
        return TOOLS_UNKNOWN if not c.tools_recorded else absent("no tools in this exchange")
    known = {i.product_id for s in c.sources.products if s.turn <= last_turn(e) for i in s.items}
    known |= {d.product_id for d in details(c, e.turn)}
    used = [
        str(arguments["productId"])
        for call in e.calls
        if call.name in (tools.detail, tools.media) and (arguments := call.arguments or {}).get("productId")
    ]
    if not used:
        return absent("no product id was used")
    if wrong := [u for u in used if u not in known]:
        return fail(f"turns.{m.said.turn}.tool_calls", f"productId {wrong[0]} was never returned by a search")
    return ok()


def not_found(c: Conversation, e: Exchange) -> bool:
    """Articles were named or searched for, and no search of the exchange returned them."""
    last = last_turn(e)
    found = [s for s in c.sources.products if e.turn < s.turn <= last]
    if not found:
        return False
    wanted = {w.lower() for w in c.profile.skus(e.raw)}
    items = [i for s in found for i in s.items]
    if wanted:
        known = {x.lower() for i in items for x in (i.model, i.product_id)} | {d.text.lower() for d in details(c, last)}
        return not all(any(w in k for k in known) for w in wanted)
    return not items


@predicate
def unknown_model_asks_clues(c: Conversation, m: Moment) -> Finding:
    """An article that was not found is not replaced by a like one; a picture, interface, power or model is asked for."""
    e = m.exchange
    if e.calls is None and not c.tools_recorded:
        return TOOLS_UNKNOWN
    if not not_found(c, e):
        return absent("the article was found, or none was searched for")
    wanted = {w.lower() for w in c.profile.skus(e.raw)}
    others = {i.model for s in c.sources.products for i in s.items if i.model and i.model.lower() not in wanted}
    for r in e.replies:
        for s in r.text.statements:
            if any(o in s.raw for o in others) or (s.measures and any(f.kind in SPEC_KINDS for f in s.measures)):
                return fail(s.raw, "another product stands in for the one that was not found")
        shown = [k for k in r.text.markers if k.kind == "IMAGE" and k.target not in c.poster_ids]
        if shown:
            return fail(shown[0].raw, "another product's picture stands in for the one that was not found")
    if any(s.signals & {"asks_missing_clue"} for r in e.replies for s in r.text.questions):
        return ok()
    if any("asks_missing_clue" in r.signals and r.signals & {"requests", "asks_for"} for r in e.replies):
        return ok()
    return fail(
        m.said.text.raw.strip()[:200] or m.said.where,
        "the article was not found, and no picture, interface, power or model is asked for",
    )


@predicate
def detail_url_known(c: Conversation, m: Moment) -> Finding:
    """A tool returned a detailUrl."""
    return holds(any(d.url for d in details(c, last_turn(m.exchange))))


@predicate
def several_parameters_asked(c: Conversation, m: Moment) -> Finding:
    """Several parameters are asked for at once."""
    return holds(len(asked_parameters(c, m.exchange)) > 1)
