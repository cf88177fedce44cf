"""The command `rig`. Thin: every verb calls one library function; heavy imports happen inside the verb."""

import gc


def main() -> None:
    """Entry point.

    What is loaded and built before a verb runs stays until the end; to look through it for cycles again and again would take
    a third of the start, so that begins with the verb.
    """
    gc.disable()
    from harness.cli.app import main as run

    run()


__all__ = ["main"]
