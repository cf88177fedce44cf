"""What belongs to one product: names, link, hosts, hours, options. A YAML file below profiles/."""

import re
from datetime import datetime, time
from functools import cache, lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

import re2
from pydantic import Field, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.strict_json import first_problem
from oracle_scoring.inquiry.lexicon import Lexicon, common_phrases, options
from oracle_scoring.inquiry.text import Text

FOLDER = Path(__file__).parent / "profiles"
DEFAULT = "beiyijia"
_CACHED_TEXTS = 1024
_KEPT_LENGTH = 20_000
_TIME_LENGTH = 40
_DIGIT = re.compile(r"\d")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?([Zz]|[+-]\d{2}:?\d{2})")


class Tools(Strict):
    """Names of the product's tools."""

    products: list[str]
    search: str
    detail: str
    media: str
    knowledge: str
    form_read: str
    """The only tool of the form that the conversion assistant may call."""


class Hours(Strict):
    """Working hours; both ends are inside."""

    zone: str
    start: str
    end: str


class LongReply(Strict):
    """More than this is long."""

    characters: int
    words: int


class ProfileFile(Strict):
    """The file."""

    name: str
    identity: list[str]
    persona: list[str]
    link: str
    link_hosts: list[str]
    forbidden_hosts: list[str]
    forbidden_ids: list[str]
    """Beginnings of ids that must not appear."""
    forbidden_tools: list[str]
    tools: Tools
    own_stores: list[str]
    working_hours: Hours
    poster_set_size: int = Field(ge=1)
    poster_languages: dict[str, str]
    default_poster_language: str
    poster_words: list[str]
    long_reply: LongReply
    long_sentence: LongReply
    moq_form_keys: list[str]
    customer_types: dict[str, list[str]]
    roles: dict[str, list[str]]
    form_keys: dict[str, str]
    sku: str
    style_code: str
    not_skus: list[str]
    languages_ignored: list[str]
    business_departments: dict[str, list[str]]


class Profile:
    """A profile ready for use."""

    def __init__(self, data: ProfileFile, where: str) -> None:
        self.data = data
        phrases = {
            **common_phrases(),
            "identity": data.identity,
            "persona": data.persona,
            "poster": data.poster_words,
            **{f"type:{name}": words for name, words in data.customer_types.items()},
            **{f"role:{name}": words for name, words in data.roles.items()},
            **{f"dept:{name}": words for name, words in data.business_departments.items()},
        }
        self.lexicon = Lexicon(phrases, where)
        self.types = frozenset(f"type:{name}" for name in data.customer_types)
        self.roles = frozenset(f"role:{name}" for name in data.roles)
        self.departments = frozenset(f"dept:{name}" for name in data.business_departments)
        self._zone = ZoneInfo(data.working_hours.zone)
        self._start = time.fromisoformat(data.working_hours.start)
        self._end = time.fromisoformat(data.working_hours.end)
        self._sku = re2.compile(data.sku, options())
        self._style_code = re2.compile(data.style_code, options())
        self._not_sku = re.compile("|".join(data.not_skus), re.IGNORECASE)
        self._ignored = re.compile(
            r"(?<![^\W\d_])(?:" + "|".join(w for w in data.languages_ignored if w.isascii()) + r")(?![^\W\d_])"
            + "".join(f"|{w}" for w in data.languages_ignored if not w.isascii())
            + r"|\b(?=[\w-]{0,20}\d)[A-Za-z0-9-]{2,20}\b",
            re.IGNORECASE,
        )  # fmt: skip
        self._kept = lru_cache(maxsize=_CACHED_TEXTS)(self._make)
        self.skus = lru_cache(maxsize=_CACHED_TEXTS)(self.skus_in)

    def _make(self, raw: str) -> Text:
        return Text(raw, self.lexicon, self._ignored)

    def text(self, raw: str) -> Text:
        """The text, from memory if it was read lately and is not huge."""
        return self._kept(raw) if len(raw) <= _KEPT_LENGTH else self._make(raw)

    def skus_in(self, text: str) -> list[str]:
        """Article numbers as written; names of plugs, standards and protocols and styles of a poster are none."""
        if _DIGIT.search(text) is None:
            return []
        return [
            m.group()
            for m in self._sku.finditer(text)
            if not self._not_sku.fullmatch(m.group()) and not self._style_code.fullmatch(m.group())
        ]

    def style_codes(self, text: str) -> list[str]:
        """Codes of styles on a poster, e.g. A-03."""
        return [m.group() for m in self._style_code.finditer(text)] if "-" in text else []

    def working(self, created_at: object) -> bool:
        """Whether the time is inside the working hours; what is no time with a zone is not."""
        moment = parse_time(created_at)
        if moment is None:
            return False
        return self._start <= moment.astimezone(self._zone).time().replace(microsecond=0) <= self._end


def parse_time(created_at: object) -> datetime | None:
    """An ISO 8601 time with its zone, or None."""
    return _time(created_at) if isinstance(created_at, str) and len(created_at) <= _TIME_LENGTH else None


@lru_cache(maxsize=256)
def _time(created_at: str) -> datetime | None:
    match = _ISO.fullmatch(created_at.strip())
    if match is None:
        return None
    zone = "+00:00" if match[7] in "Zz" else match[7] if ":" in match[7] else f"{match[7][:3]}:{match[7][3:]}"
    try:
        return datetime.fromisoformat(
            f"{match[1]}-{match[2]}-{match[3]}T{match[4]}:{match[5]}:{match[6] or '00'}{zone}"
        )
    except ValueError:
        return None


@cache
def load_profile(name: str) -> Profile:
    """The profile of that name."""
    known = sorted(p.stem for p in FOLDER.glob("*.yaml"))
    if name not in known:
        raise InputError(f"profile {name}", f"is not known; there is {', '.join(known)}")
    return read_profile(FOLDER / f"{name}.yaml")


def chosen_profile(given: str) -> Profile:
    """The profile that a person gave: a name, or a YAML file of theirs."""
    return read_profile(Path(given)) if given.endswith((".yaml", ".yml")) else load_profile(given)


def read_profile(path: Path) -> Profile:
    """The profile in a file."""
    try:
        data = ProfileFile.model_validate(YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8")))
    except ValidationError as exc:
        raise first_problem(exc, str(path)) from exc
    except (OSError, UnicodeDecodeError, YAMLError) as exc:
        raise InputError(str(path), f"is not YAML that can be read ({exc})") from exc
    try:
        return Profile(data, str(path))
    except (re.error, re2.error, KeyError, ValueError) as exc:
        raise InputError(str(path), f"holds a pattern, time or zone that cannot be read ({exc})") from exc
