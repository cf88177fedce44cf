"""E-mail and web addresses inside free text, so that a message holds none that the customer has from nowhere."""

import re
from collections.abc import Iterable
from functools import lru_cache

from harness.schema.wording import fold

_ENDS = "com|org|net|edu|gov|info|biz|io|app|dev|co|uk|eu|de|fr|cn|hk|tw|vn|jp|kr|example"
"""Ends of a host that make one of letters and dots alone; of others, as `it` and `so`, many a sentence begins unspaced."""
_TOKEN = re.compile(r"[^\s\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af<>()\[\]{}\"`|,;!…*]+")
_SPELT = re.compile(rf" ?[(\[]? ?\bdot\b ?[)\]]? ?(?=(?:{_ENDS})\b)")
_AT = re.compile(r" ?(?:\( ?at ?\)|\[ ?at ?\]) ?")
_WEB = re.compile(r"(?<![a-z0-9])(?:[a-z][a-z0-9+]{1,9}://|www\.)")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_BARE = re.compile(rf"(?:[\w-]+\.)+(?:{_ENDS})(?![\w.-])")
_BEGINS = "'.-_:=/&?"
_TRAILS = "'.-_:=/&?~"


@lru_cache(maxsize=2048)
def addresses(text: str) -> frozenset[str]:
    """Every e-mail and web address in a text, folded; a web address without scheme, `www.` and a trailing slash.

    Full-width letters are letters. Chinese, Japanese and Korean text ends an address, as white space does. "dot" before a
    usual end of a host, and "at" in brackets, are read as the signs they stand for.
    """
    flat = fold(text)
    if " dot " in flat or "dot)" in flat or "dot]" in flat or "at)" in flat or "at]" in flat:
        flat = _AT.sub("@", _SPELT.sub(".", flat))
    if "." not in flat and "@" not in flat and "://" not in flat:
        return frozenset()
    return frozenset(found for token in _TOKEN.findall(flat) if (found := _address(token)))


def _address(token: str) -> str:
    web = _WEB.search(token)
    if web is not None:
        return token[web.end() :].removeprefix("www.").rstrip(_TRAILS)
    before, at, after = token.partition("@")
    if at:
        local = re.split(r"[:=/]", before)[-1].lstrip(_BEGINS)
        host = _HOST.match(after)
        domain = host.group().rstrip("-_") if host else ""
        return f"{local}@{domain}" if domain[:1].isalpha() and (local or "." in domain) else ""
    start = token.lstrip(_BEGINS)
    host = _HOST.match(re.split(r"[:=]", start)[-1])
    bare = _BARE.fullmatch(host.group()) if host else None
    if bare is None:
        return ""
    return start[start.index(bare.group()) :].rstrip(_TRAILS)


def stray_addresses(message: str, held: Iterable[frozenset[str]]) -> list[str]:
    """The addresses of a message that are none of those that are held, which are asked for only if it has any.

    An address is held whole, or as the beginning of a longer one up to one of its parts: the host of a page's address or
    of an e-mail address, say. The other way round it is not: a page of a known host is a particular of its own.
    """
    own = addresses(message)
    if not own:
        return []
    known = frozenset().union(*held)
    return sorted(a for a in own if not any(_holds(k, a) for k in known))


def _holds(known: str, address: str) -> bool:
    if known == address or ("@" in known and known.partition("@")[2] == address):
        return True
    return "@" not in address and known.startswith(address) and known[len(address)] in "/?#:"
