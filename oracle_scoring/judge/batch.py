"""Many things judged at once: the questions of several are asked together, results come out in order."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
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
        finish: its result, given a row for each question, in order.
    """

    questions: list[Question]
    finish: Callable[[list[Judged]], R]


async def in_order(things: Iterable[Opened[R]], client: JudgeClient) -> AsyncIterator[R]:
    """Each thing's result, in order, as soon as it and all before it are there.

    Takes from the source as it goes: neither more questions nor more things than the client's window are under way, beside
    those of one thing.

    Raises:
        InputError: the source raised it; results of things before it came first.
    """
    waiting: deque[tuple[Opened[R], list[asyncio.Task[Judged]]]] = deque()
    wrong: list[InputError] = []
    asked = 0
    try:
        for thing in _until_wrong(things, wrong):
            waiting.append((thing, [asyncio.create_task(client.ask(question)) for question in thing.questions]))
            asked += len(thing.questions)
            while waiting and (_is_done(waiting[0][1]) or asked >= client.window or len(waiting) >= client.window):
                result = await _first(waiting)
                asked -= len(waiting.popleft()[1])
                yield result
        while waiting:
            result = await _first(waiting)
            waiting.popleft()
            yield result
    finally:
        left = [task for _, tasks in waiting for task in tasks]
        for task in left:
            task.cancel()
        for task in left:
            with contextlib.suppress(asyncio.CancelledError):
                await task
    if wrong:
        raise wrong[0]


async def _first(waiting: deque[tuple[Opened[R], list[asyncio.Task[Judged]]]]) -> R:
    thing, tasks = waiting[0]
    return thing.finish([await task for task in tasks])


def _is_done(tasks: list[asyncio.Task[Judged]]) -> bool:
    return all(task.done() for task in tasks)


def _until_wrong(things: Iterable[Opened[R]], wrong: list[InputError]) -> Iterator[Opened[R]]:
    try:
        yield from things
    except InputError as exc:
        wrong.append(exc)
