"""Errors of driving a page.

EnvironmentFault
└── SurfaceUnreachable   composer, replies or start page cannot be reached; says nothing about the product's answers
ProductFault
└── PageCrashed          the page's process died
RigError
├── NoSuchControl        a move names a control that is not there, or that several controls could be
└── StepFailed           a step of an adapter (sign-in, staff page) could not be carried out
"""

from harness.errors import EnvironmentFault, ProductFault, RigError, one_line


class SurfaceUnreachable(EnvironmentFault):
    """The part of the page that the adapter names is not there, or lies where no locator reaches."""


class PageCrashed(ProductFault):
    """The page's process died."""


class StepFailed(EnvironmentFault):
    """One step of an adapter did not work.

    Args:
        step: number (from 1) and verb of the step.
        why: what was missing.
    """

    def __init__(self, step: str, why: str) -> None:
        self.step = step
        super().__init__(f"step {one_line(step)}: {one_line(why)}")


class NoSuchControl(RigError):
    """No control, or more than one, has this visible name.

    Attributes:
        name: what was asked for.
        there: visible names of the controls that are there.
        ambiguous: more than one control matched.
    """

    def __init__(self, name: str, there: list[str], ambiguous: bool = False) -> None:
        self.name = name
        self.there = there
        self.ambiguous = ambiguous
        listed = ", ".join(repr(n) for n in there[:20]) or "nothing"
        problem = "could be several controls" if ambiguous else "is not on the screen"
        super().__init__(f"{one_line(name, 80)!r} {problem}; there is {one_line(listed, 400)}")
