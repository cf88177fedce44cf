"""Whether time grows with the length of an input: two sizes side by side in one process, no clock of the machine."""

from collections.abc import Callable
from time import process_time

TOO_SMALL_S = 0.1
"""Below this many seconds of processor time the longer input is no trouble, whatever the ratio (that would be noise)."""


def grows_too_fast(run: Callable[[int], object], size: int, *, times: int = 4, tries: int = 6) -> str:
    """Run with a quarter and with the whole of a size, the quickest of some tries of each.

    Linear work gives a ratio of `times`, quadratic work `times` squared. The quickest of several tries leaves out what a
    machine that others use adds; a try that shows linear growth ends the matter, work that is quadratic never shows it.

    Args:
        run: Does the work for an input of so many units.
        size: Units of the long input.
        times: How much longer the long input is than the short one.
        tries: At most so many of each size.

    Returns:
        An empty text, or the two times in words.
    """
    run(max(1, size // (10 * times)))
    short = long = float("inf")
    for _ in range(tries):
        short = min(short, _seconds(run, size // times))
        long = min(long, _seconds(run, size))
        if long < max(TOO_SMALL_S, short * times * 2.25):
            return ""
    return f"{size // times} units took {short:.2f} s, {size} took {long:.2f} s"


def _seconds(run: Callable[[int], object], size: int) -> float:
    started = process_time()
    run(size)
    return process_time() - started
