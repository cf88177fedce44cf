"""One self-contained HTML page about a run, to be read on a screen or on paper."""

from harness.report.page import Limits, write_report

__all__ = ["Limits", "write_report"]
