"""Working hours, in Shanghai."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Asia/Shanghai")
OPENS, CLOSES = time(9), time(20)
"""From the first second of the one up to, and without, the other."""


def working(at: datetime | None) -> bool:
    """Whether a moment falls into working hours; an unknown moment does not."""
    return at is not None and at.tzinfo is not None and OPENS <= at.astimezone(ZONE).time() < CLOSES
