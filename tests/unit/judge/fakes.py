"""A judge of a test: answers from a function, over no network."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from oracle_scoring.judge.reply import Completion
from oracle_scoring.judge.rubric import Message, Open, Question, Rubric

RUBRIC = Rubric("test/greets", "A reply greets.", "Does the reply greet?")
Answering = Callable[[int, dict[str, Any]], Completion | Exception]
"""(number of the call from 1, its body) -> what comes back."""


class FakeJudge:
    """An endpoint that notes what it is asked.

    Attributes:
        bodies: every body, in order; `most_at_once`: calls under way together.
    """

    model = "fake-judge"

    def __init__(self, answering: Answering, pause_s: float = 0.0) -> None:
        self._answering = answering
        self._pause_s = pause_s
        self.bodies: list[dict[str, Any]] = []
        self.now = 0
        self.most_at_once = 0

    async def complete(self, body: dict[str, Any]) -> Completion:
        """What the function says."""
        self.bodies.append(body)
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        try:
            found = self._answering(len(self.bodies), body)
            await asyncio.sleep(self._pause_s)
        finally:
            self.now -= 1
        if isinstance(found, Exception):
            raise found
        return found


def said(text: str = "", finish: str = "stop", cost: str | None = "0.01 USD", **more: Any) -> Completion:
    """A completion with tokens and a price."""
    return Completion(text=text, finish=finish, model="fake-1", tokens_in=100, tokens_out=10, cost=cost, **more)


def verdict(answer: str = "yes", quote: str = "good day", message: str = "t1", reason: str = "so it is") -> Completion:
    """A reply in the form asked for."""
    return said(json.dumps({"message": message, "quote": quote, "reason": reason, "answer": answer}))


def question(n: int = 0, text: str = "A very good day to you!", rubric: Rubric = RUBRIC) -> Question:
    """A question on a greeting; each number another one."""
    pieces = (Message("t0", "customer", f"hello {n}"), Message("t1", "assistant", text))
    return Question(f"q{n}", rubric, pieces, Open("rules cannot say"), "t1")
