"""What the types keep apart: view, screen, adapter half, and the lines between parent and worker."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

import harness.pool
from harness.errors import GateClosed, InputError
from harness.pool import CUSTOMER_PARTS, Worker, WorkerDied, check_order
from harness.run import customer_half
from harness.schema.base import VISIBLE, Strict, Visible, visible_projection
from harness.schema.order import FROM_WORKER, TO_WORKER, Done, JourneyOrder, Limits, ModelReply, ModelRequest
from harness.schema.screen import Screen
from harness.schema.ticket import StartTicket
from harness.schema.visible import CustomerView, MaterialHidden, MaterialVisible
from harness.screen.adapter import Adapter, find_adapter, load_adapter, substitute
from harness.screen.reader import make_screen
from tests.seal.catalogue import Catalogue
from tests.support.views import screen, view

LEAKS = Catalogue()
ADAPTER = load_adapter(find_adapter("reference-claims"))


def _as_open(model: type[BaseModel], data: dict[str, Any]) -> dict[str, Any]:
    """What the same model would hold if it took whatever it is given."""

    class Open(model):  # type: ignore[misc,valid-type]
        model_config = ConfigDict(extra="allow")

    dumped: dict[str, Any] = Open.model_validate_json(json.dumps(data)).model_dump()
    return dumped


def _refused(model: type[BaseModel], data: dict[str, Any], key: str, value: Any) -> None:
    """With the key it is refused, without it it is taken, and an open model would have carried it along."""
    model.model_validate_json(json.dumps(data))
    leaky = {**data, key: value}
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        model.model_validate_json(json.dumps(leaky))
    assert _as_open(model, leaky)[key] == value


# ------------------------------------------------------------------ view


@LEAKS.leak("view", "a new field of a material that nobody marked", "types: a field is hidden until it is marked")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    class Grown(MaterialVisible):
        drawn_from: str

    base = view().files[0].model_dump()
    grown = Grown.model_validate({**base, "drawn_from": "zq source image"})
    assert "drawn_from" not in visible_projection(grown)

    class Marked(MaterialVisible):
        drawn_from: Visible[str]

    assert visible_projection(Marked.model_validate({**base, "drawn_from": "x"}))["drawn_from"] == "x"


@LEAKS.leak("view", "a hidden object inside a visible list", "types: a field is hidden until it is marked")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    class Outer(Strict):
        items: Visible[list[MaterialHidden]]
        named: Visible[dict[str, MaterialHidden]]

    kinds = MaterialHidden(evidence_kind="cost_estimate")
    shown = visible_projection(Outer(items=[kinds], named={"one": kinds}))
    assert shown == {"items": [{}], "named": {"one": {}}}
    patch.setitem(MaterialHidden.model_fields, "evidence_kind", _marked())
    assert visible_projection(Outer(items=[kinds], named={}))["items"] == [{"evidence_kind": "cost_estimate"}]


def _marked() -> Any:
    class Shown(BaseModel):
        evidence_kind: Annotated[str, VISIBLE]

    return Shown.model_fields["evidence_kind"]


@LEAKS.leak("view", "an answer as a further field of the view", "types: the view refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _refused(CustomerView, view().model_dump(mode="json"), "triage", {"level": "standard"})


# ------------------------------------------------------------------ screen reader


def _reading(**more: Any) -> dict[str, Any]:
    return {"blocks": [{"part": "reply", "text": "When?"}], "controls": [], "unreadable": [], "final": None, **more}


@LEAKS.leak("screen reader", "network data as a further field of the screen", "types: a screen refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _refused(Screen, screen("When?").model_dump(mode="json"), "turn_record", {"required_items": ["plate"]})


@LEAKS.leak("screen reader", "an attribute beside a block's text", "types: a block refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    make_screen(1, _reading(), [])
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        make_screen(1, _reading(blocks=[{"part": "reply", "text": "When?", "title": "field: incident_date"}]), [])


@LEAKS.leak("screen reader", "a label for screen readers beside a control", "types: a control refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    control = {"kind": "button", "name": "Send", "part": "page", "enabled": True, "h": 1, "e": 1}
    make_screen(1, _reading(controls=[control]), [])
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        make_screen(1, _reading(controls=[{**control, "aria": "submits a standard claim"}]), [])


@LEAKS.leak("screen reader", "text of a part that is not on the screen", "types: parts of a screen are listed")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValidationError, match="Input should be 'reply'"):
        make_screen(1, _reading(blocks=[{"part": "hidden", "text": "required_items: plate"}]), [])


# ------------------------------------------------------------------ adapter


def order(**changes: Any) -> JourneyOrder:
    """An ordinary order."""
    base: dict[str, Any] = {
        "ticket": StartTicket(start_url="http://127.0.0.1:1/", claimant_session="anonymous", login=None),
        "adapter": customer_half(ADAPTER), "attempt_dir": "/a", "staging_dir": "/s", "customer": "rule", "script": None,
        "limits": Limits(turn_limit=1, turn_timeout_s=1.0, journey_timeout_s=1.0), "rng_seed": 1,
    }  # fmt: skip
    return JourneyOrder.model_validate({**base, **changes})


def _part_stays(part: str) -> None:
    """The half has no such part; an order that carries it is stopped; the worker itself would have taken it."""
    whole = ADAPTER.model_dump(mode="json")
    assert whole[part] is not None
    assert customer_half(ADAPTER)[part] is None
    leaky = order(adapter={**customer_half(ADAPTER), part: whole[part]})
    with pytest.raises(GateClosed, match=f"gate closed by pipe: the order carries the adapter's {part}"):
        check_order(leaky)
    assert Adapter.model_validate(leaky.adapter).model_dump(mode="json")[part] == whole[part]


for _name in ("seed", "state", "usage", "runtime_report", "staff"):
    LEAKS.leak("adapter", f"the adapter's part `{_name}` goes to the worker", "pool: only the customer's half")(
        lambda folder, patch, part=_name: _part_stays(part)  # type: ignore[misc]
    )


@LEAKS.leak("adapter", "a new part of the adapter that nobody decided about", "pool: only the customer's half")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    leaky = order(adapter={**customer_half(ADAPTER), "expected": {"triage_level": "standard"}})
    with pytest.raises(GateClosed, match="expected"):
        check_order(leaky)
    patch.setattr(harness.pool, "CUSTOMER_PARTS", CUSTOMER_PARTS | {"expected"})
    check_order(leaky)


@LEAKS.leak("adapter", "an answer as a further key of the adapter file", "types: an adapter refuses unknown keys")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _refused(Adapter, ADAPTER.model_dump(mode="json"), "expected_level", "standard")


@LEAKS.leak("adapter", "a sign-in step that types the seed token", "adapter: a worker has no environment values")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("RIG_SEED_TOKEN", "token-of-the-test")
    worker_has = {"base_url": "http://127.0.0.1:1", "login.email": "a", "login.password": "b"}
    with pytest.raises(InputError, match="is not set"):
        substitute("${env.RIG_SEED_TOKEN}", worker_has)
    from harness.screen.adapter import env_values

    assert substitute("${env.RIG_SEED_TOKEN}", {**worker_has, **env_values()}) == "token-of-the-test"


@LEAKS.leak("adapter", "a surface of somebody's own that reads files", "adapter: surfaces are registered in code")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    text = find_adapter("reference-claims").read_text(encoding="utf-8") + "\nsurface: peek:AtTheOracle\n"
    (folder / "a.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="not registered"):
        load_adapter(folder / "a.yaml")
    from harness.screen import registry

    patch.setitem(registry.SURFACES, "peek:AtTheOracle", registry.surface_class(None))
    assert load_adapter(folder / "a.yaml").surface == "peek:AtTheOracle"


# ------------------------------------------------------------------ pipe


@LEAKS.leak("pipe", "the labels beside the start ticket", "types: an order refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _refused(JourneyOrder, order().model_dump(mode="json"), "labels", {"triage": {"level": "standard"}})


@LEAKS.leak("pipe", "the setup inside the start ticket", "types: a ticket refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    _refused(StartTicket, order().ticket.model_dump(mode="json"), "policy", {"inception": "2026-02-20"})


@LEAKS.leak("pipe", "a hint beside the model's reply", "types: a reply refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    reply = ModelReply(call="c0001", outcome="ok", text="{}", why="")
    _refused(ModelReply, reply.model_dump(mode="json"), "hint", "ask for the plate")
    with pytest.raises(ValidationError):
        TO_WORKER.validate_json(json.dumps({**reply.model_dump(mode="json"), "hint": "ask for the plate"}))


@LEAKS.leak("pipe", "a message of a kind nobody agreed on", "types: the kinds of messages are listed")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValidationError, match="expected tags"):
        TO_WORKER.validate_json(b'{"type":"oracle","level":"standard"}')


@LEAKS.leak("pipe", "more than a request on its way to the model", "types: a request refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    request = {"type": "model_request", "messages": [], "schema": {}, "screen": 1, "note": None}
    _refused(ModelRequest, request, "network", {"required_items": ["plate"]})
    with pytest.raises(ValidationError):
        FROM_WORKER.validate_json(json.dumps({**request, "network": "x"}))


@LEAKS.leak("pipe", "evidence handed back with the end of a journey", "types: an ending refuses unknown fields")
def _(folder: Path, patch: pytest.MonkeyPatch) -> None:
    done = Done(reason="completed", why="", final=None, slips={}, counts={})
    _refused(Done, done.model_dump(mode="json"), "network", [{"url": "/chat/turns"}])


ROWS = LEAKS.rows("test_types.py::test_planted_leak_is_caught")


@pytest.mark.parametrize("name", LEAKS)
def test_planted_leak_is_caught(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The type meant for it refuses it, and a type that takes anything would have carried it along."""
    LEAKS[name].plant(tmp_path, monkeypatch)


def test_the_customer_half_is_what_a_worker_may_have() -> None:
    """Every part of an adapter is either the customer's or taken out; a new one belongs to neither until decided."""
    half = customer_half(ADAPTER)
    assert {part for part, value in half.items() if value is not None} <= CUSTOMER_PARTS
    hidden = {"runtime_report", "seed", "state", "usage", "staff", "defects", "limits", "kind"}
    assert set(Adapter.model_fields) - CUSTOMER_PARTS == hidden
    check_order(order())


def test_an_order_is_checked_before_it_is_sent() -> None:
    """A worker that is not even running: the check comes first."""
    worker = Worker(Path("/nowhere"), None, [])  # type: ignore[arg-type]
    leaky = order(adapter=ADAPTER.model_dump(mode="json"))

    async def no_model(request: ModelRequest) -> ModelReply:
        raise AssertionError("nothing may be asked")

    with pytest.raises(GateClosed, match="pipe"):
        asyncio.run(worker.journey(leaky, no_model))
    with pytest.raises(WorkerDied, match="not running"):
        asyncio.run(worker.journey(order(), no_model))


def test_every_model_that_crosses_the_pipe_refuses_unknown_fields() -> None:
    """All of them, and all models inside them."""

    def inside(model: type[BaseModel], seen: set[type[BaseModel]]) -> set[type[BaseModel]]:
        if model not in seen:
            seen.add(model)
            for info in model.model_fields.values():
                for part in _types(info.annotation):
                    if isinstance(part, type) and issubclass(part, BaseModel):
                        inside(part, seen)
        return seen

    found: set[type[BaseModel]] = set()
    for model in (JourneyOrder, ModelReply, ModelRequest, Done, CustomerView, Screen):
        inside(model, found)
    assert {m.__name__ for m in found} >= {
        "StartTicket",
        "Login",
        "Limits",
        "Move",
        "Block",
        "Control",
        "Persona",
        "Fact",
    }
    assert [m.__name__ for m in found if m.model_config.get("extra") != "forbid"] == []


def _types(annotation: Any) -> list[Any]:
    return [annotation, *(t for part in getattr(annotation, "__args__", ()) for t in _types(part))]
