"""The version of the grading by agent rules. It moves with every change that could move a verdict (see CHANGELOG.md)."""

RUBRIC = "agent-rules"
SCORING_VERSION = "1.0.0"
