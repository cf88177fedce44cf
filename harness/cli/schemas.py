"""`rig schema`: every published JSON Schema by name, and a folder of them for an editor."""

import ast
import inspect
import json
import textwrap
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, TypeAdapter

from harness.errors import InputError
from harness.schema.events import Event
from harness.schema.human import HumanVerdicts, ReturnedSheet, SheetKey, TriageGrading
from harness.schema.inquiry import INQUIRY_PUBLISHED
from harness.schema.package import FACTS, LABELS, MANIFEST, MATERIALS, OPENING, PROVENANCE, REVIEW, SETUP, Manifest
from harness.schema.product import PUBLISHED, StaffRead
from harness.schema.run import Attempt, LedgerLine, NetworkLine, PromptLine, RunManifest
from harness.schema.scorecard import Scorecard
from harness.schema.screen import Screen
from harness.schema.session import InquirySession
from harness.schema.setup import ClaimsSetup
from harness.schema.visible import CustomerView, Facts, Materials, Opening
from oracle_scoring.agent_rules.models import AgentRun, RunResult
from oracle_scoring.agent_rules.rules import RulesFile
from oracle_scoring.agent_rules.summary import AgentSummary
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.inquiry import InquiryLabels, InquiryProvenance
from oracle_scoring.corpus.ledger import Correction
from oracle_scoring.corpus.models import FileProvenance, Labels, Provenance, Review
from oracle_scoring.corpus.plan import PLAN_FILE, Plan
from oracle_scoring.corpus.recipes import CONTENT
from oracle_scoring.explain import Explanation
from oracle_scoring.gsb.models import AgentLine, BlindPair, ChoiceLine, PairLine
from oracle_scoring.gsb.models import Key as GsbKey
from oracle_scoring.inquiry.grade import SessionResult
from oracle_scoring.inquiry.metric import Metric
from oracle_scoring.judge.agent_rules import JudgedRun
from oracle_scoring.judge.check import CheckReport
from oracle_scoring.judge.inquiry import JudgedSession
from oracle_scoring.judge.labelled import LabelledLine, MeasuredRow
from oracle_scoring.judge.summary import RunSummary
from oracle_scoring.judge.verdict import Judged
from oracle_scoring.livechat.models import Result, Sample
from oracle_scoring.livechat.words import Business
from oracle_scoring.publish.models import Publication
from oracle_scoring.publish.pairs import Comparison

_ALL: dict[str, Any] = {
    **PUBLISHED, **INQUIRY_PUBLISHED, "opening": Opening, "inquiry-labels": InquiryLabels, "inquiry-provenance": InquiryProvenance,
    "facts": Facts, "materials": Materials, "customer-view": CustomerView, "setup": ClaimsSetup, "labels": Labels,
    "provenance": Provenance, "review": Review, "screen": Screen, "event": Event, "run": RunManifest, "attempt": Attempt,
    "ledger-line": LedgerLine, "prompt-line": PromptLine, "network-line": NetworkLine, "staff": StaffRead, "scorecard": Scorecard,
    "manifest": Manifest, "plan": Plan, "finding": Finding, "correction": Correction, "sheet-key": SheetKey, "returned-sheet": ReturnedSheet,
    "human-triage": TriageGrading, "human-verdicts": HumanVerdicts,
    "publication": Publication, "comparison": Comparison, "explanation": Explanation,
    "labelled-question": LabelledLine, "judge-check": CheckReport, "judge-check-row": MeasuredRow, "judged-session": JudgedSession,
    "livechat-sample": Sample, "livechat-result": Result, "livechat-business": Business, "judged-question": Judged,
    "inquiry-session": InquirySession, "inquiry-result": SessionResult, "inquiry-metric": Metric,
    "agent-run": AgentRun, "agent-rules": RulesFile, "agent-rules-result": RunResult, "agent-rules-summary": AgentSummary,
    "agent-rules-judged": JudgedRun, "gsb-pair": PairLine, "gsb-result": AgentLine, "gsb-blind-pair": BlindPair, "gsb-choice": ChoiceLine,
    "gsb-key": GsbKey, "run-summary": RunSummary,
    **{f"content-{name.replace('_', '-')}": model for name, model in CONTENT.items()},
}  # fmt: skip
FILES = {
    "facts": f"**/packages/*/*/{FACTS}",
    "materials": f"**/packages/*/*/{MATERIALS}",
    "opening": f"**/packages/*/*/{OPENING}",
    "labels": f"**/packages/claims/*/{LABELS}",
    "setup": f"**/packages/claims/*/{SETUP}",
    "provenance": f"**/packages/claims/*/{PROVENANCE}",
    "inquiry-labels": f"**/packages/inquiry/*/{LABELS}",
    "inquiry-setup": f"**/packages/inquiry/*/{SETUP}",
    "inquiry-provenance": f"**/packages/inquiry/*/{PROVENANCE}",
    "review": f"**/packages/*/*/{REVIEW}",
    "manifest": f"**/packages/{MANIFEST}",
    "plan": f"**/packages/{PLAN_FILE}",
}
"""Schema -> files of the corpus that have its form."""


def names() -> list[str]:
    """All names, sorted."""
    return sorted(_ALL)


def schema_of(name: str) -> dict[str, Any]:
    """The schema of that name (JSON Schema 2020-12), with what the code says of each field as its description."""
    if name not in _ALL:
        raise InputError(f"schema {name}", f"is not known; there are {', '.join(names())}")
    schema = TypeAdapter(_ALL[name]).json_schema(by_alias=True)
    models = _models(_ALL[name], {})
    if _ALL[name] is Provenance:
        _content_by_recipe(schema, models)
    _describe(schema, models)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": name}


def _content_by_recipe(schema: dict[str, Any], models: dict[str, type[BaseModel]]) -> None:
    """Says in the schema of a provenance what `content` holds for each recipe, in place; other recipes are refused."""
    shapes = schema["$defs"]
    rules = []
    for recipe, model in CONTENT.items():
        shape = TypeAdapter(model).json_schema(by_alias=True, ref_template="#/$defs/{model}")
        shapes.update(shape.pop("$defs", {}))
        shapes[model.__name__] = shape
        _models(model, models)
        content = {"properties": {"content": {"$ref": f"#/$defs/{model.__name__}"}}}
        rules.append({"if": {"properties": {"recipe": {"const": recipe}}, "required": ["recipe"]}, "then": content})
    made = shapes[FileProvenance.__name__]
    made["allOf"] = rules
    made["properties"]["recipe"] = {
        "anyOf": [{"enum": sorted(CONTENT)}, {"type": "null"}], "title": made["properties"]["recipe"].get("title", "Recipe"),
    }  # fmt: skip


def write_schemas(folder: Path) -> list[Path]:
    """Writes every schema into `folder`, and `settings.json`: which of them goes with which file of the corpus.

    The settings are in the form that VS Code and its relatives read (`json.schemas`): copied into `.vscode/`, they make the
    editor complete and underline. Paths in it are as given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in names():
        path = folder / f"{name}.schema.json"
        path.write_text(json.dumps(schema_of(name), ensure_ascii=False, indent=2) + "\n", "utf-8")
        written.append(path)
    matches = [
        {"fileMatch": [files], "url": f"{folder.as_posix()}/{name}.schema.json"} for name, files in FILES.items()
    ]
    settings = folder / "settings.json"
    settings.write_text(json.dumps({"json.schemas": matches}, indent=2) + "\n", "utf-8")
    return [*written, settings]


def _models(kind: Any, found: dict[str, type[BaseModel]]) -> dict[str, type[BaseModel]]:
    """Class name -> class, of every model that occurs in an annotation."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        if kind.__name__ not in found:
            found[kind.__name__] = kind
            for field in kind.model_fields.values():
                _models(field.annotation, found)
    else:
        for part in get_args(kind):
            _models(part, found)
    return found


def field_words(model: type[BaseModel]) -> dict[str, str]:
    """Field -> the text that stands under it in the code; fields without one are left out."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if cls is BaseModel or not issubclass(cls, BaseModel):
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
        statements = body.body if isinstance(body, ast.ClassDef) else []
        for field, text in pairwise(statements):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
                and isinstance(text.value.value, str)
            ):
                found[field.target.id] = inspect.cleandoc(text.value.value)
    return found


def _describe(schema: dict[str, Any], models: dict[str, type[BaseModel]]) -> None:
    """Puts the words of the code into the schema, in place."""
    for name, part in [*schema.get("$defs", {}).items(), (str(schema.get("title", "")), schema)]:
        model = models.get(name)
        if model is None or "properties" not in part:
            continue
        words = field_words(model)
        for field, info in model.model_fields.items():
            shown = part["properties"].get(info.alias or field)
            if shown is not None and field in words:
                shown.setdefault("description", words[field])
