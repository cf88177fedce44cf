"""E-mail and web addresses in free text."""

import pytest

from harness.schema.words.addresses import addresses, stray_addresses
from tests.support.growth import grows_too_fast


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Write to joe@example.com.", {"joe@example.com"}),
        ("My e-mail: Joe.Bloggs+claims@Example.co.uk, thanks", {"joe.bloggs+claims@example.co.uk"}),
        ("email:joe@example.com's inbox", {"joe@example.com"}),
        ("(joe@example.com)", {"joe@example.com"}),
        ("mailto:joe@example.com", {"joe@example.com"}),
        ("我的邮箱是joe@example.com，谢谢。", {"joe@example.com"}),
        ("我的邮箱是ｊｏｅ＠ｅｘａｍｐｌｅ．ｃｏｍ。谢谢", {"joe@example.com"}),
        ("邮箱：joe@example.com、网站：www.mysite.com", {"joe@example.com", "mysite.com"}),
        ("địa chỉ là nguyễn@example.vn nhé", {"nguyễn@example.vn"}),
        ("joe (at) example [dot] com", {"joe@example.com"}),
        ("It is mysite dot com", {"mysite.com"}),
        ("address www.mysite.com", {"mysite.com"}),
        ("See https://www.mysite.com/a/b?x=1.", {"mysite.com/a/b?x=1"}),
        ("请看ｗｗｗ．ｍｙｓｉｔｅ．ｃｏｍ！", {"mysite.com"}),
        ("on mysite.co.uk/quotes/", {"mysite.co.uk/quotes"}),
        ("ftp://files.mysite.zz", {"files.mysite.zz"}),
        ("joe@localhost", {"joe@localhost"}),
    ],
)
def test_an_address_is_found_in_any_surroundings(text: str, found: set[str]) -> None:
    """Whatever stands around it: punctuation, Chinese, full-width signs."""
    assert addresses(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "It was dented.It still drives.So I went home.",
        "Two tyres @50 pounds each, at 16:20.",
        "The photo is photo.jpg, the quote quote.pdf, e.g. page 2.",
        "About £1,240.00 at 4.20 p.m. on 9.3.2026...",
        "There was a dot on the bumper.",
        "事故发生在三月九日。车还能开。",
    ],
)
def test_ordinary_text_holds_no_address(text: str) -> None:
    """Sentences without a space between them, prices, times and file names are none."""
    assert addresses(text) == frozenset()


def test_what_holds_an_address() -> None:
    """The whole address, or a longer one of which it is the host or the beginning; a part of a word is not enough."""
    held = [addresses("Write to bigjoe@example.com"), addresses("https://claims.mysite.com/help/now")]
    for known in (
        "bigjoe@example.com",
        "example.com",
        "claims.mysite.com",
        "www.claims.mysite.com/help",
        "BigJoe@Example.com",
    ):
        assert stray_addresses(known, held) == []
    for stray in (
        "joe@example.com",
        "mysite.com",
        "claims.mysite.com/hel",
        "claims.mysite.com/help/now/then",
        "ample.com",
    ):
        assert stray_addresses(stray, held) == [stray]


@pytest.mark.parametrize("part", ["a", "a.", "@", "www.", "a@", "-", ".com", "a://", " dot ", "[at"])
def test_long_runs_take_no_long_time(part: str) -> None:
    """Time grows with the length of a text, not with its square."""
    assert grows_too_fast(lambda size: addresses(part * size), 40_000) == ""
