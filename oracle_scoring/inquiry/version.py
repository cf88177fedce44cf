"""The version of the inquiry scoring. It moves with every change that could move a verdict (see CHANGELOG.md)."""

RUBRIC = "inquiry"
SCORING_VERSION = "1.1.0"
