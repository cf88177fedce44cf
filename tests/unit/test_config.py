"""harness/config.py: the environment as checked values."""

from decimal import Decimal
from pathlib import Path

import pytest

from harness.config import PUBLIC_OPENAI, Ports, read_config
from harness.errors import InputError


def test_nothing_set_means_embedded_parts_and_no_vision() -> None:
    """With nothing configured the embedded parts stand in, and nothing stands in for vision."""
    config = read_config({})
    assert [config.model_state(r) for r in ("customer", "product", "judge", "vision")] == ["embedded"] * 3 + ["none"]
    assert (config.mongodb_state, config.s3_state) == ("embedded", "embedded")
    assert config.ports == Ports()
    assert config.endpoint("customer") is None


def test_a_role_falls_back_to_the_openai_variables() -> None:
    """Address and key of a role come from OPENAI_* where the role has none of its own."""
    env = {"OPENAI_BASE_URL": "http://m/v1/", "OPENAI_API_KEY": "shared", "RIG_CUSTOMER_MODEL": "a"}
    env |= {"RIG_JUDGE_MODEL": "b", "RIG_JUDGE_BASE_URL": "http://j/v1", "RIG_JUDGE_API_KEY": "own"}
    config = read_config(env)
    customer, judge = config.endpoint("customer"), config.endpoint("judge")
    assert customer and (customer.base_url, customer.model, customer.api_key) == ("http://m/v1", "a", "shared")
    assert judge and (judge.base_url, judge.model, judge.api_key) == ("http://j/v1", "b", "own")


def test_a_key_and_a_model_alone_mean_the_public_address() -> None:
    """With a key but no address the client's own default address is meant."""
    endpoint = read_config({"OPENAI_API_KEY": "k", "RIG_VISION_MODEL": "v"}).endpoint("vision")
    assert endpoint and endpoint.base_url == PUBLIC_OPENAI


def test_a_key_alone_configures_nothing() -> None:
    """A key that happens to be in the environment does not make a role configured."""
    assert read_config({"OPENAI_API_KEY": "k"}).model_state("customer") == "embedded"


def test_half_a_configuration_is_an_error_for_who_needs_the_role_only() -> None:
    """An address without a model is refused when the role is asked for, not for other roles."""
    config = read_config({"RIG_CUSTOMER_BASE_URL": "http://m/v1"})
    assert config.model_state("product") == "embedded"
    with pytest.raises(InputError, match=r"^RIG_CUSTOMER_MODEL: .*RIG_CUSTOMER_BASE_URL"):
        config.model_state("customer")
    with pytest.raises(InputError, match=r"^RIG_JUDGE_BASE_URL: "):
        read_config({"RIG_JUDGE_MODEL": "x"}).endpoint("judge")


def test_prices_are_exact_and_come_in_pairs() -> None:
    """Prices are decimals with a currency; half a price is an error that names the missing half."""
    env = {"RIG_CUSTOMER_MODEL": "a", "OPENAI_BASE_URL": "http://m/v1", "RIG_CUSTOMER_PRICE_IN": "0.15"}
    with pytest.raises(InputError, match=r"^RIG_CUSTOMER_PRICE_OUT: "):
        read_config(env)
    endpoint = read_config(env | {"RIG_CUSTOMER_PRICE_OUT": "0.60"}).endpoint("customer")
    assert endpoint and endpoint.price
    assert (endpoint.price.input_per_million, endpoint.price.currency) == (Decimal("0.15"), "USD")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RIG_CUSTOMER_BASE_URL", "ftp://m"),
        ("RIG_CUSTOMER_BASE_URL", "http://"),
        ("RIG_CUSTOMER_BASE_URL", "http://m:99999/v1"),
        ("RIG_CUSTOMER_BASE_URL", "http://[::1/v1"),
        ("RIG_MONGODB_URI", "localhost:27017"),
        ("RIG_PRODUCT_PORT", "80"),
        ("RIG_PRODUCT_PORT", "8810.5"),
        ("RIG_PRODUCT_PORT", "٨٨١٠"),
        ("RIG_MODEL_GGUF", "/nowhere/model.gguf"),
        ("RIG_BROWSER", "/nowhere/chromium"),
        ("RIG_BROWSER_SANDBOX", "maybe"),
        ("RIG_JUDGE_MODEL", "two\nlines"),
    ],
)
def test_a_bad_value_names_its_variable(name: str, value: str) -> None:
    """A value that cannot be used is one line that names the variable."""
    with pytest.raises(InputError) as caught:
        read_config({name: value})
    assert caught.value.where == name
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", ["-1", "NaN", "Infinity", "cheap"])
def test_a_price_is_a_finite_number_of_zero_or_more(value: str) -> None:
    """Prices that are no prices are refused."""
    with pytest.raises(InputError, match=r"^RIG_PRODUCT_PRICE_IN: "):
        read_config({"RIG_PRODUCT_PRICE_IN": value, "RIG_PRODUCT_PRICE_OUT": "1"})


def test_an_object_store_needs_all_three_values() -> None:
    """A part of an S3 configuration is an error that names what is missing."""
    with pytest.raises(InputError, match=r"^RIG_S3_SECRET_KEY: "):
        read_config({"RIG_S3_ENDPOINT": "http://s3", "RIG_S3_ACCESS_KEY": "a"})
    env = {"RIG_S3_ENDPOINT": "http://s3", "RIG_S3_ACCESS_KEY": "a", "RIG_S3_SECRET_KEY": "b"}
    assert read_config(env).s3_state == "configured"


def test_the_same_port_twice_is_refused() -> None:
    """Two parts cannot share a port."""
    with pytest.raises(InputError, match=r"the same"):
        read_config({"RIG_PRODUCT_PORT": "8817"})


def test_secrets_do_not_show_in_the_text_of_the_configuration() -> None:
    """Keys and passwords appear in no repr, so that no log or traceback can carry them."""
    env = {"RIG_MONGODB_URI": "mongodb://u:hush1@h/d", "OPENAI_BASE_URL": "http://m/v1", "OPENAI_API_KEY": "hush2"}
    env |= {"RIG_S3_ENDPOINT": "http://s3", "RIG_S3_ACCESS_KEY": "hush3", "RIG_S3_SECRET_KEY": "hush4"}
    env |= {"RIG_SEED_TOKEN": "hush5", "RIG_STAFF_PASSWORD": "hush6", "RIG_CUSTOMER_MODEL": "m"}
    assert "hush" not in repr(read_config(env))


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder variable that names a file is an error."""
    file = tmp_path / "f"
    file.write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=r"^RIG_STATE_DIR: "):
        read_config({"RIG_STATE_DIR": str(file)})
    assert read_config({"RIG_STATE_DIR": str(tmp_path / "new")}).state_dir == tmp_path / "new"
