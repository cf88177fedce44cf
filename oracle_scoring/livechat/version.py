"""The version of the livechat scoring. It moves with every change that could move a score (see CHANGELOG.md)."""

RUBRIC = "livechat"
SCORING_VERSION = "1.0.0"
