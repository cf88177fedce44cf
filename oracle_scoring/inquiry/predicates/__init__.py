"""One small function per trigger, check, condition and edge; the metrics' files name them."""

from oracle_scoring.inquiry.predicates import (
    commerce,
    common,
    conduct,
    conversion,
    dialogue,
    joint,
    needs,
    opening,
    posters,
    product,
    routing,
)  # fmt: skip

__all__ = [
    "commerce", "common", "conduct", "conversion", "dialogue", "joint", "needs", "opening", "posters", "product", "routing",
]  # fmt: skip
