"""The page on which a grader reads the cases: one file that loads nothing and runs nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from oracle_scoring.sheets.cases import Case
from oracle_scoring.sheets.form import Form
from oracle_scoring.templates import content_hash, templates_of


@dataclass(frozen=True)
class Entry:
    """One item of the sheet on the page."""

    item: str
    statement: str
    """human: what holds or does not; empty for triage."""
    question: str
    case: Case


_TEMPLATES = templates_of("oracle_scoring.sheets")


def page_bytes(form: Form, entries: Sequence[Entry], left_out: int) -> bytes:
    """The page's HTML. Every text is escaped; the style is the only thing the page's policy allows, beside pictures.

    Args:
        form: what kind of sheet it is.
        entries: in the order of the sheet.
        left_out: places where words were left out.
    """
    css = _TEMPLATES.get_template("cases.css").render()
    html = _TEMPLATES.get_template("cases.html.j2").render(
        css=Markup(css),  # noqa: S704 -- the package's own style sheet
        css_hash=content_hash(css),
        form=form,
        entries=entries,
        left_out=left_out,
    )
    return html.encode("utf-8")
