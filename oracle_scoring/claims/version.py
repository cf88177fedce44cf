"""The version of the claims scoring. It moves with every change that could move a verdict (see CHANGELOG.md)."""

RUBRIC = "claims"
SCORING_VERSION = "2.0.0"
