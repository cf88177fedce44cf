"""Many samples, as they are read: graded in order, earlier results taken as they are, wrong lines counted or the end of it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from harness.errors import InputError
from oracle_scoring.livechat.grade import Graded, grade
from oracle_scoring.livechat.models import Sample
from oracle_scoring.livechat.read import Samples
from oracle_scoring.livechat.words import Words
from oracle_scoring.livechat.written import Written, check_same

TOLD_EVERY = 200
NAMED = 20
"""Wrong lines that are named; the others are counted."""
Watcher = Callable[[Sample, dict[str, Any]], object]
"""Is shown each sample with its result, earlier ones too, in order."""


class Batch:
    """Grades what `samples` gives.

    Attributes:
        bad: wrong lines left out; `kept`: results that were there already.
    """

    def __init__(
        self, samples: Samples, version: str, judged: bool, written: Written | None, skip_bad: bool,
        watchers: Sequence[Watcher], say: Callable[[str], None], told: Callable[[int, int], None],
    ) -> None:  # fmt: skip
        """Nothing is read yet.

        Args:
            samples: what is graded.
            version: stands in each result.
            judged: a judge is asked, so that results without one do not belong among these.
            written: holds the earlier results; None: there are none.
            skip_bad: wrong lines are left out and counted.
            watchers: are shown each result.
            say: is told what a person should know; `told`: how far it is (samples, bytes).
        """
        self._samples = samples
        self._version = version
        self._judged = judged
        self._written = written
        self._skip_bad = skip_bad
        self._watchers = watchers
        self._say = say
        self._told = told
        self.bad = self.kept = 0

    def graded(self) -> Iterator[tuple[str, Graded, Words]]:
        """Place, what rules say, and the words of each sample that has no result yet.

        Raises:
            InputError: a line is wrong, or the earlier results are not those of these samples.
        """
        earlier = self._written.earlier() if self._written is not None else iter(())
        ahead = next(earlier, None)
        for number, read in enumerate(self._samples, start=1):
            if number % TOLD_EVERY == 0:
                self._told(number, self._samples.done())
            if read.sample is None or read.words is None:
                self._wrong(read.problem)
            elif ahead is not None and self._written is not None:
                check_same(ahead, read.where, read.sample.id, self._version, self._judged, self._written.path)
                self.show(read.sample, ahead)
                self.kept += 1
                ahead = next(earlier, None)
            else:
                yield read.where, grade(read.sample, read.words), read.words
        if ahead is not None and self._written is not None:
            raise InputError(
                str(self._written.path), "cannot be continued: it holds more results than there are samples"
            )

    def show(self, sample: Sample, result: dict[str, Any]) -> None:
        """The watchers are shown a result."""
        for watcher in self._watchers:
            watcher(sample, result)

    def _wrong(self, problem: InputError | None) -> None:
        if problem is not None and not self._skip_bad:
            raise problem
        self.bad += 1
        if self.bad <= NAMED:
            self._say(f"rig: left out: {problem}")
