"""Canonical values of facts: dates, amounts, yes and no. What cannot be read is None, never a guess."""

import re
from datetime import date, time
from decimal import Decimal, InvalidOperation

UNKNOWN = "unknown"
NONE = "none"
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}$")
_TIME = re.compile(r"^([01]\d|2[0-3]):[0-5]\d$")
_AMOUNT = re.compile(r"^(\d{1,12}(?:\.\d{1,2})?) ([A-Z]{3})$")


def parse_date(value: str) -> date | None:
    """YYYY-MM-DD as a date; None if it is not one."""
    if not _DATE.match(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def parse_time(value: str) -> time | None:
    """HH:MM as a time of day; None if it is not one."""
    return time.fromisoformat(value) if _TIME.match(value) else None


def parse_amount(value: str) -> tuple[Decimal, str] | None:
    """ "1240.00 GBP" as number and currency; None if it is not that."""
    found = _AMOUNT.match(value)
    try:
        return (Decimal(found[1]), found[2]) if found else None
    except InvalidOperation:
        return None


def parse_yes_no(value: str) -> bool | None:
    """yes as True, no as False, anything else as None."""
    return {"yes": True, "no": False}.get(value)


def value_problem(kind: str, value: str) -> str | None:
    """Why `value` is not a canonical value of `kind`; None if it is, or says unknown or none."""
    if value in (UNKNOWN, NONE):
        return None
    if kind == "date" and parse_date(value) is None:
        return "is not a date YYYY-MM-DD"
    if kind == "time" and not _TIME.match(value):
        return "is not a time HH:MM"
    if kind == "amount" and parse_amount(value) is None:
        return 'is not an amount like "1240.00 GBP"'
    if kind == "yes_no" and parse_yes_no(value) is None:
        return "is neither yes nor no"
    return None
