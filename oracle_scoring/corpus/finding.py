"""What a check says: one wrong thing, where it is, and how to mend it."""

from harness.schema.base import Strict


class Finding(Strict):
    """One wrong thing in one place."""

    code: str
    """Kind of mistake, e.g. `review_check_differs`; never changes its meaning."""
    file: str
    """Package id and path below it."""
    field: str
    """Where in the file; empty for the file as a whole."""
    what: str
    """What is wrong."""
    mend: str
    """What to do about it."""

    def line(self) -> str:
        """The finding on one line."""
        where = f"{self.file}: {self.field}" if self.field else self.file
        return f"{where}: {self.what} [{self.code}] -> {self.mend}"
