"""Whether the scoring notices: a product's planted faults held against the lines that move with them."""

from oracle_scoring.calibrate.conditions import Looked, effort, holds, read_package
from oracle_scoring.calibrate.matrix import Card, Matrix, Moved, Row, compare, judge, sound_problems

__all__ = [
    "Card",
    "Looked",
    "Matrix",
    "Moved",
    "Row",
    "compare",
    "effort",
    "holds",
    "judge",
    "read_package",
    "sound_problems",
]
