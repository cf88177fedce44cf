"""The command `rig`. Thin: every verb calls one library function; heavy imports happen inside the verb."""

from harness.cli.app import main

__all__ = ["main"]
