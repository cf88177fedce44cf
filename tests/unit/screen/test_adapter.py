"""Adapters: what is read, and what is refused in one line."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from harness.errors import InputError
from harness.screen.adapter import (
    ADAPTERS,
    Adapter,
    Locator,
    env_values,
    find_adapter,
    load_adapter,
    parse_yaml,
    substitute,
)

REFERENCE = ADAPTERS / "reference-claims.yaml"


def written(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The reference adapter with something changed, as a file."""
    data = copy.deepcopy(parse_yaml(REFERENCE.read_text(encoding="utf-8"), "reference"))
    change(data)
    path = tmp_path / "changed.yaml"
    yaml = YAML()
    with path.open("w", encoding="utf-8") as file:
        yaml.dump(data, file)
    return path


def refused(path: Path) -> str:
    """The one line with which a file is refused."""
    with pytest.raises(InputError) as caught:
        load_adapter(path, "a.yaml")
    line = str(caught.value)
    assert "\n" not in line and line.startswith("a.yaml")
    return line


def test_every_shipped_adapter_loads() -> None:
    """What ships is valid, and its name is its file's name."""
    for path in ADAPTERS.glob("*.yaml"):
        assert load_adapter(path).adapter == path.stem


def test_scalars_stay_strings() -> None:
    """No value is turned into a number, a truth value or nothing."""
    text = "{a: NO, b: 0107, c: 10:30, d: 1e3, e: ~, f: null, g: 2026-03-09, h: 0x10}"
    assert parse_yaml(text, "x") == {
        "a": "NO", "b": "0107", "c": "10:30", "d": "1e3", "e": "~", "f": "null", "g": "2026-03-09", "h": "0x10",
    }  # fmt: skip


@pytest.mark.parametrize("part", ["transcript", "customer_bubble", "reply", "composer", "send", "final", "ready"])
def test_a_needed_locator_must_be_there(tmp_path: Path, part: str) -> None:
    """Without one of the locators every product has, the adapter is refused and the field named."""
    line = refused(written(tmp_path, lambda d: d["customer"].pop(part)))
    assert f"customer.{part}" in line and "required" in line


@pytest.mark.parametrize(
    ("change", "field", "why"),
    [
        (lambda d: d.update(colour="red"), "colour", "not permitted"),
        (lambda d: d["customer"].update(composr={"css": "x"}), "customer.composr", "not permitted"),
        (lambda d: d["customer"].update(reply={"css": "x", "role": "log"}), "customer.reply", "exactly one of role"),
        (lambda d: d["customer"].update(reply={"name": "x"}), "customer.reply", "exactly one of role"),
        (lambda d: d["customer"].update(reply={"css": "x", "name": "y"}), "customer.reply", "goes with `role`"),
        (lambda d: d["customer"].update(reply=[]), "customer.reply", "at least 1"),
        (lambda d: d["customer"].update(send={}), "customer.send", "exactly one of button, key"),
        (lambda d: d["customer"].update(send={"button": {"css": "b"}, "key": "Enter"}), "customer.send", "exactly one"),
        (lambda d: d["staff"]["steps"].append({"hover": {"css": "x"}}), "staff.steps.3", "not permitted"),
        (lambda d: d["staff"]["steps"].append({}), "staff.steps.3", "exactly one verb"),
        (lambda d: d["staff"]["steps"].append({"click": {"css": "x"}, "goto": "/"}), "staff.steps.3", "click"),
        (lambda d: d["staff"]["steps"].append({"fill": {"css": "x"}}), "staff.steps.3", "`value` goes with `fill`"),
        (lambda d: d["staff"]["steps"].append({"click": {"css": "x"}, "value": "v"}), "staff.steps.3", "`value`"),
        (lambda d: d["staff"]["steps"].append({"press": {"css": "x"}}), "staff.steps.3", "`key` goes with `press`"),
        (lambda d: d["staff"]["steps"].append({"goto": "${env.HOME}"}), "staff.steps.3", "not known"),
        (lambda d: d["staff"]["steps"].append({"goto": "${password}"}), "staff.steps.3", "not known"),
        (lambda d: d.update(base_url="http://203.0.113.5:80"), "", "not loopback"),
        (lambda d: d.update(base_url="ftp://127.0.0.1"), "base_url", "pattern"),
        (lambda d: d.update(base_url="http://127.0.0.1/app"), "base_url", "pattern"),
        (lambda d: d.update(origins=["http://h/path"]), "", "not an origin"),
        (lambda d: d.update(origins=[]), "origins", "at least 1"),
        (lambda d: d["seed"].update(token_env="PATH"), "seed.token_env", "pattern"),
        (lambda d: d["seed"].update(path="http://elsewhere/"), "seed.path", "pattern"),
        (lambda d: d.update(surface="os:system"), "surface", "not registered"),
        (lambda d: d.update(surface="os.system"), "surface", "pattern"),
        (lambda d: d.update(adapter="Bad Name"), "adapter", "pattern"),
        (lambda d: d.update(embedded_stack="yes"), "embedded_stack", "'true' or 'false'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: Callable[[dict[str, Any]], None], field: str, why: str) -> None:
    """File, field and why stand in one line."""
    line = refused(written(tmp_path, change))
    assert field in line and why in line


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: 1\na: 2\n", "a: stands twice"),
        ("a: {b: {c: 1, c: 2}}\n", "a.b.c: stands twice"),
        ("a: &x 1\nb: *x\n", "anchors and aliases"),
        ("a: !!python/object:os.system x\n", "tags are not used"),
        ("a: 1\n--- \nb: 2\n", "more than one document"),
        ("", "is empty"),
        ("[1, 2", "is not YAML"),
        ("a: b: c\n", "is not YAML"),
        ("\tx: 1\n", "is not YAML"),
        ("? [a, b]\n: c\n", "a key must be plain text"),
        ("- a\n- b\n", "is not a mapping"),
        ("\ufeffa: 1\n", "byte order mark"),
        ("{" * 40 + "}" * 40, ""),
    ],
)
def test_yaml_that_hides_something_is_refused(tmp_path: Path, text: str, why: str) -> None:
    """Duplicate keys, aliases, tags, several documents and broken syntax are errors, not surprises."""
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")
    assert why in refused(path)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    """Nesting, size and number of values are bounded before anything is built."""
    bombs = [
        "a: &a [x,x]\n"
        + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)},*{chr(97 + i)}]\n" for i in range(20)),
        "[" * 5000,
        "a: [" + "x, " * 30_000 + "x]",
        "a: " + "x" * 300_000,
    ]
    for number, text in enumerate(bombs):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text, encoding="utf-8")
        refused(path)


def test_an_adapter_is_found_by_name_or_path(tmp_path: Path) -> None:
    """A plain name means one that ships; an unknown one lists them; a path is a file."""
    assert find_adapter("reference-claims") == REFERENCE
    assert find_adapter(str(REFERENCE)) == REFERENCE
    with pytest.raises(InputError, match="reference-claims"):
        find_adapter("no-such-product")
    with pytest.raises(InputError, match="no such adapter file"):
        find_adapter(str(tmp_path / "absent.yaml"))


def test_only_the_products_origins_are_allowed() -> None:
    """Scheme, host and port must be the same; sockets count as their page's scheme; the rest is refused."""
    adapter = load_adapter(REFERENCE)
    for url in (
        "http://127.0.0.1:8810/",
        "ws://127.0.0.1:8810/s",
        "data:text/plain,x",
        "blob:http://x/1",
        "about:blank",
    ):
        assert adapter.allowed(url)
    for url in (
        "https://127.0.0.1:8810/", "http://127.0.0.1:8811/", "http://127.0.0.1.example.org:8810/", "http://u@evil:8810/",
        "file:///etc/passwd", "chrome://version", "http://localhost:8810/", "http://[::1", "http://127.0.0.1:99999/", "",
    ):  # fmt: skip
        assert not adapter.allowed(url), url
    moved = adapter.with_base_url("http://127.0.0.1:9000/")
    assert moved.allowed("http://127.0.0.1:9000/x") and not moved.allowed("http://127.0.0.1:8810/")


def test_substitution_is_single_pass_and_complete() -> None:
    """A value that looks like a placeholder stays as it is; a name without value is an error."""
    assert substitute("${a}-${b}", {"a": "${b}", "b": "2"}) == "${b}-2"
    with pytest.raises(InputError, match=r"\$\{env.RIG_STAFF_USER\}: is not set"):
        substitute("${env.RIG_STAFF_USER}", {})


def test_only_variables_of_the_rig_can_be_named() -> None:
    """No other part of the environment reaches a page."""
    assert env_values({"RIG_STAFF_USER": "u", "HOME": "/h", "OPENAI_API_KEY": "k"}) == {"env.RIG_STAFF_USER": "u"}


def test_one_locator_and_a_list_mean_the_same() -> None:
    """A single mapping is a list of one."""
    data = load_adapter(REFERENCE).model_dump()
    assert data["customer"]["reply"] == [Locator(css="[data-from=assistant]").model_dump()]
    assert Adapter.model_validate(data) == load_adapter(REFERENCE)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever stands in a file, the outcome is a value or one InputError."""
    try:
        parse_yaml(text, "a.yaml")
    except InputError as exc:
        assert "\n" not in str(exc)


YAMLISH = st.recursive(
    st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
PATHS = [
    ("customer",), ("customer", "send"), ("customer", "reply"), ("staff",), ("staff", "steps"), ("staff", "lists"),
    ("seed",), ("origins",), ("base_url",), ("customer", "sign_in"), ("capabilities",),
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PATHS), YAMLISH)
def test_any_value_in_any_place_is_read_or_refused(path: tuple[str, ...], value: Any) -> None:
    """A damaged adapter is a model or a validation error, never another exception."""
    data = parse_yaml(REFERENCE.read_text(encoding="utf-8"), "reference")
    at = data
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    try:
        Adapter.model_validate(data)
    except (ValueError, InputError) as exc:
        assert str(exc)


def test_half_of_a_surrogate_pair_is_no_text() -> None:
    """YAML can write one as an escape; it is refused where it stands, before anything is to be stored."""
    with pytest.raises(InputError, match=r"x: a: holds half of a surrogate pair.*line 1"):
        parse_yaml('a: "\\ud83d"', "x")
