"""Many things judged at once: the questions of several are asked together, results come out in order."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from harness.errors import InputError
from oracle_scoring.judge.client import JudgeClient
from oracle_scoring.judge.rubric import Question
from oracle_scoring.judge.verdict import Judged

R = TypeVar("R")


@dataclass
class Opened(Generic[R]):
    """One thing with what is to be asked about it.

    Attributes:
        finish: its result, once all questions have their row, in order.
    """

    questions: list[Question]
    finish: Callable[[list[Judged]], R]
    rows: list[Judged] = field(default_factory=list)


async def in_order(things: Iterable[Opened[R]], client: JudgeClient) -> AsyncIterator[R]:
    """Each thing's result, in order, as soon as it and all before it are there; takes from the source as it goes.

    Raises:
        InputError: the source raised it; results of things before it came first.
    """
    waiting: deque[Opened[R]] = deque()
    wrong: list[InputError] = []

    def questions() -> Iterator[Question]:
        try:
            for thing in things:
                waiting.append(thing)
                yield from thing.questions
        except InputError as exc:
            wrong.append(exc)

    def done() -> Iterator[R]:
        while waiting and len(waiting[0].rows) == len(waiting[0].questions):
            first = waiting.popleft()
            yield first.finish(first.rows)

    async for row in client.stream(questions()):
        for item in done():
            yield item
        waiting[0].rows.append(row)
        for item in done():
            yield item
    for item in done():
        yield item
    if wrong:
        raise wrong[0]
