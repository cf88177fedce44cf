"""The one client of every rubric: asks many questions at once, within bounds, and says of each what came of it."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from harness.errors import one_line
from oracle_scoring.judge import prompt
from oracle_scoring.judge.cache import Answers
from oracle_scoring.judge.faults import TRANSIENT, EndpointFault, Fault, ReplyFault, SchemaRefused
from oracle_scoring.judge.reply import Completion, Unusable, Verdict, is_quota_text, read_reply
from oracle_scoring.judge.rubric import Question
from oracle_scoring.judge.tally import JudgeSummary, Tally
from oracle_scoring.judge.verdict import Judged

LONGEST_WAIT_S = 60.0
WINDOW = 4
"""Questions taken from the source ahead of the answers, as a multiple of the concurrency."""


class Endpoint(Protocol):
    """Where answers come from."""

    @property
    def model(self) -> str:
        """Name of the model, as configured."""
        ...

    async def complete(self, body: dict[str, Any]) -> Completion:
        """One completion.

        Raises:
            EndpointFault: none came.
            SchemaRefused: the endpoint does not take this `response_format`.
        """
        ...


class Replay:
    """An endpoint that is not there: everything must be among the kept answers."""

    def __init__(self, model: str) -> None:
        self.model = model

    async def complete(self, body: dict[str, Any]) -> Completion:
        """Always an EndpointFault."""
        raise EndpointFault("not_recorded", "no answer to this request was kept")


@dataclass(frozen=True)
class Bounds:
    """How an endpoint is treated."""

    concurrency: int = 4
    per_minute: float | None = None
    """Calls begun in a minute, retries among them."""
    tries: int = 4
    """Calls of one request while the endpoint is busy or broken."""
    first_wait_s: float = 1.0
    """Before the second of them; doubled each time, with jitter."""
    give_up_after: int = 10
    """Questions in a row without any answer from the endpoint, after which the rest is not asked."""

    def __post_init__(self) -> None:
        if self.concurrency < 1 or self.tries < 1 or self.give_up_after < 1:
            raise ValueError("bounds start at 1")
        if self.per_minute is not None and not self.per_minute > 0:
            raise ValueError("a rate is above 0")


class Pace:
    """Spreads the beginnings of calls evenly, and keeps all of them back when the endpoint asks for it."""

    def __init__(self, per_minute: float | None) -> None:
        self._gap_s = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0

    async def turn(self) -> None:
        """Returns when a call may begin."""
        now = asyncio.get_running_loop().time()
        at = max(now, self._next)
        self._next = at + self._gap_s if self._gap_s else self._next
        if at > now:
            await asyncio.sleep(at - now)

    def hold(self, seconds: float) -> None:
        """Nothing begins for so long."""
        self._next = max(self._next, asyncio.get_running_loop().time() + min(seconds, LONGEST_WAIT_S))


class JudgeClient:
    """Asks an endpoint.

    Args:
        endpoint: who answers.
        answers: earlier answers; what they hold is not asked again.
        bounds: concurrency, rate, tries.
    """

    def __init__(self, endpoint: Endpoint, answers: Answers | None = None, bounds: Bounds | None = None) -> None:
        self._endpoint = endpoint
        self._answers = answers if answers is not None else Answers()
        self._bounds = bounds or Bounds()
        self._pace = Pace(self._bounds.per_minute)
        self._slots = asyncio.Semaphore(self._bounds.concurrency)
        self._tally = Tally(endpoint.model)
        self._under_way: dict[str, asyncio.Task[tuple[Completion, bool]]] = {}
        self._form_level = 0
        self._unanswered = 0

    @property
    def window(self) -> int:
        """Questions that may be taken from a source ahead of the answers."""
        return WINDOW * self._bounds.concurrency

    def summary(self) -> JudgeSummary:
        """Counts and cost so far."""
        return self._tally.summary()

    async def ask_all(self, questions: Iterable[Question]) -> list[Judged]:
        """What came of each, in order."""
        return [judged async for judged in self.stream(questions)]

    async def stream(self, questions: Iterable[Question]) -> AsyncIterator[Judged]:
        """What came of each, in order, as soon as it and all before it are there; takes from the source as it goes."""
        waiting: deque[asyncio.Task[Judged]] = deque()
        try:
            for question in questions:
                waiting.append(asyncio.create_task(self.ask(question)))
                if len(waiting) >= self.window:
                    yield await waiting.popleft()
            while waiting:
                yield await waiting.popleft()
        finally:
            for task in waiting:
                task.cancel()
            for task in waiting:
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    async def ask(self, question: Question) -> Judged:
        """One question: one call, a second in other words if its reply is no verdict. Never raises for what a judge does."""
        texts = [m.text for m in question.messages]
        if not any(m.text.strip() for m in question.quotable):
            return self._not_judged(question, "material_empty", "there is nothing that could be quoted")
        if (size := sum(map(len, texts))) > prompt.MATERIAL_LIMIT:
            why = f"{size} characters; the limit is {prompt.MATERIAL_LIMIT}"
            return self._not_judged(question, "material_too_large", why)
        ids = [m.id for m in question.quotable if m.text.strip()]
        form = prompt.schema(
            question.rubric.values if question.order == "forward" else question.rubric.values[::-1], ids
        )
        system = question.rubric.system(question.order)
        user = prompt.material(question.messages, question.about)
        tries: list[str] = []
        replayed = True
        note: ReplyFault | None = None
        sha, last = "", Unusable("empty", "")
        completion: Completion | None = None
        for _ in range(2):
            body, sha = prompt.request(self._endpoint.model, system, user, form, question.repeat, note)
            try:
                completion, called = await self._completion(body, sha, form)
            except EndpointFault as exc:
                return self._not_judged(question, exc.kind, exc.why, sha, [*tries, exc.kind])
            replayed = replayed and not called
            found, remarks = read_reply(completion, question.rubric.values, question.quotable)
            outcome = "ok" if isinstance(found, Verdict) else found.kind
            tries.append(outcome)
            self._tally.read(sha, completion, outcome, remarks)
            if isinstance(found, Verdict):
                self._tally.ended(None)
                return self._row(question, sha, completion, tries, replayed, found)
            note, last = found.kind, found
        return self._not_judged(question, last.kind, last.why, sha, tries, completion, replayed)

    async def _completion(self, body: dict[str, Any], sha: str, form: dict[str, Any]) -> tuple[Completion, bool]:
        """The answer, and whether a call was made for this question."""
        if (kept := self._answers.get(sha)) is not None:
            self._tally.replayed += 1
            return kept, False
        task = self._under_way.get(sha)
        if task is not None:
            completion, _ = await asyncio.shield(task)
            self._tally.replayed += 1
            return completion, False
        task = asyncio.create_task(self._fetch(body, sha, form))
        self._under_way[sha] = task
        try:
            return await task
        finally:
            del self._under_way[sha]

    async def _fetch(self, body: dict[str, Any], sha: str, form: dict[str, Any]) -> tuple[Completion, bool]:
        async with self._slots:
            if self._unanswered >= self._bounds.give_up_after:
                raise EndpointFault("given_up", f"{self._unanswered} questions before it got no answer")
            try:
                async for attempt in AsyncRetrying(
                    stop=stop_after_attempt(self._bounds.tries), wait=_wait(self._bounds.first_wait_s),
                    retry=retry_if_exception(_is_transient), reraise=True,
                ):  # fmt: skip
                    with attempt:
                        completion = await self._call(body, form)
            except EndpointFault:
                self._unanswered += 1
                raise
            self._unanswered = 0
            self._tally.answered(completion)
            self._answers.put(sha, self._endpoint.model, completion)
            return completion, True

    async def _call(self, body: dict[str, Any], form: dict[str, Any]) -> Completion:
        """One call; where the endpoint knows no schemas, as JSON, and where it knows no JSON, without a form."""
        level = self._form_level
        while True:
            await self._pace.turn()
            try:
                completion = await self._endpoint.complete({**body, **_response_format(level, form)})
                if is_quota_text(completion):
                    raise EndpointFault("quota_text", one_line(completion.text, 120))
            except SchemaRefused as exc:
                self._tally.schema_refused += 1
                level += 1
                if level > 2:
                    raise EndpointFault("http_error", str(exc)) from exc
                continue
            except EndpointFault as exc:
                self._tally.call_broke(exc.kind)
                if exc.retry_after_s is not None:
                    self._pace.hold(exc.retry_after_s)
                raise
            self._form_level = max(self._form_level, level)
            return completion

    def _not_judged(
        self, question: Question, kind: Fault, why: str, sha: str | None = None, tries: list[str] | None = None,
        completion: Completion | None = None, replayed: bool = False,
    ) -> Judged:  # fmt: skip
        self._tally.ended(kind)
        return self._row(question, sha, completion, tries or [], replayed, None, kind, why)

    def _row(
        self, question: Question, sha: str | None, completion: Completion | None, tries: list[str], replayed: bool,
        verdict: Verdict | None, kind: Fault | None = None, why: str | None = None,
    ) -> Judged:  # fmt: skip
        return Judged(
            question=question.id, rubric=question.rubric.id, prompt_sha256=question.rubric.prompt_sha256,
            request_sha256=sha, model=self._endpoint.model,
            answered_as=completion.model if completion else "", weak=completion is not None and completion.weak,
            answer=verdict.answer if verdict else None, message=verdict.message if verdict else None,
            quote=verdict.quote if verdict else None, reason=verdict.reason if verdict else None,
            not_judged=kind, why=why, tries=tries, replayed=replayed,
        )  # fmt: skip


def _is_transient(exc: BaseException) -> bool:
    return isinstance(exc, EndpointFault) and exc.kind in TRANSIENT


def _wait(first_s: float) -> Callable[[RetryCallState], float]:
    """Doubling with jitter, and at least what the endpoint asked for."""
    grown = wait_exponential_jitter(multiplier=first_s, max=LONGEST_WAIT_S, jitter=first_s)

    def wait(state: RetryCallState) -> float:
        exc = state.outcome.exception() if state.outcome else None
        asked = exc.retry_after_s if isinstance(exc, EndpointFault) else None
        return max(float(grown(state)), min(asked or 0.0, LONGEST_WAIT_S))

    return wait


def _response_format(level: int, form: dict[str, Any]) -> dict[str, Any]:
    if level == 0:
        schema = {"name": "verdict", "strict": True, "schema": form}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    return {"response_format": {"type": "json_object"}} if level == 1 else {}
