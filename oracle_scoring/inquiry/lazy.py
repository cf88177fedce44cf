"""Values computed once: attributes of an object, and functions of an utterance or a reply."""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, overload

T = TypeVar("T")
P = ParamSpec("P")


class lazy(Generic[T]):
    """As functools.cached_property without its lock: an object here is read by one thread."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[T]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> "lazy[T] | T":
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value


class Remembers(Protocol):
    """Has a place for what was computed of it."""

    memo: dict[str, Any]


C = TypeVar("C")
R = TypeVar("R", bound=Remembers)


def remembered(function: Callable[[C, R], T]) -> Callable[[C, R], T]:
    """The function of a conversation and a part of it, computed once for each part."""
    name = function.__name__

    def look(conversation: C, part: R) -> T:
        memo = part.memo
        if name in memo:
            value: T = memo[name]
            return value
        value = memo[name] = function(conversation, part)
        return value

    look.__doc__ = function.__doc__
    look.__name__ = name
    return look
