"""A judge for what rules leave open: one question a call, a verdict only with a quote that really stands there."""

from oracle_scoring.judge.cache import Answers
from oracle_scoring.judge.client import Bounds, Endpoint, JudgeClient, Replay
from oracle_scoring.judge.rubric import YES_NO, Message, Open, Option, Question, Rubric, Ruled, points
from oracle_scoring.judge.tally import JudgeSummary
from oracle_scoring.judge.verdict import Judged, Settled, settle

__all__ = [
    "YES_NO",
    "Answers",
    "Bounds",
    "Endpoint",
    "JudgeClient",
    "JudgeSummary",
    "Judged",
    "Message",
    "Open",
    "Option",
    "Question",
    "Replay",
    "Rubric",
    "Ruled",
    "Settled",
    "points",
    "settle",
]
