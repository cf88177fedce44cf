"""Every error a person can meet, with its exit code.

RigError
├── InputError          a file, field or argument is wrong; message names file, field and why (exit 2)
├── Refused             the rig will not do it, whatever the input (exit 3)
├── EnvironmentFault    product, store, browser or model endpoint is not there or not in the asked state (exit 4)
│   ├── SeedError       the product could not be put into the package's state
│   │   └── SeedRefused   the product says that the seed request itself is wrong (HTTP 400 or 422)
│   └── DirtyEnvironment  the receipt differs from the request, or the start page already shows a conversation
├── GateClosed          a check on a request to the customer's model failed; nothing was sent (exit 4)
├── SimulatorFault      the customer could not produce a usable move (exit 4)
├── PersonGone          whoever played the customer left the terminal; the attempt is aborted (exit 4)
└── ProductFault        the product broke under a correct customer; a result, not a failure of the rig
"""


class RigError(Exception):
    """Base of all errors with a message meant for a person; anything else is a bug and shows a traceback."""

    exit_code = 4


class InputError(RigError):
    """One wrong thing in one place.

    Args:
        where: file (and field, after a colon) or argument that is wrong.
        why: what is wrong with it and, if short, what would be right.
        code: kind of mistake in snake_case, for whoever counts or filters them; `format` where no closer one is given.
    """

    exit_code = 2

    def __init__(self, where: str, why: str, code: str = "format") -> None:
        self.where = one_line(where)
        self.why = one_line(why)
        self.code = code
        super().__init__(f"{self.where}: {self.why}")


class Refused(RigError):
    """Refused by rule, for instance a controlled product without --rehearsal."""

    exit_code = 3


class EnvironmentFault(RigError):
    """Something the run stands on is missing or broken; never the product's fault."""


class SeedError(EnvironmentFault):
    """The seed route did not do what was asked."""


class SeedRefused(SeedError):
    """The seed route says that what was asked is wrong (HTTP 400 or 422); asking again changes nothing."""


class DirtyEnvironment(EnvironmentFault):
    """The product is not in a known state."""


class GateClosed(RigError):
    """A request to the customer's model was stopped.

    Args:
        guard: `canary`, `view`, `residue` or `cap`.
    """

    def __init__(self, guard: str, why: str) -> None:
        self.guard = guard
        super().__init__(f"gate closed by {guard}: {one_line(why)}")


class SimulatorFault(RigError):
    """The customer stopped being a usable customer."""


class PersonGone(RigError):
    """The person who played the customer left; nobody's fault, and nothing to be scored."""


class ProductFault(RigError):
    """The product broke; ends the journey with `product_error`."""


def one_line(text: str, limit: int = 300) -> str:
    """The text without line breaks or control characters, cut at `limit` characters, safe for a terminal."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
