"""The file of rules, loaded as it is: modules with their errors and deductions, red lines, the four choices side by side."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.strict_json import parse_json, read_bytes, sha256_hex, validate

SHIPPED = Path(__file__).with_name("agent-rules.json")
"""The source document, byte for byte. Its weights are to be calibrated; a file with others is another version."""
FULL = Decimal(10)
"""Points of a module without a deduction (source: `scoring_model`, "模块得分 = max(0, 10 - 模块扣分)")."""
Code = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{0,9}-[0-9]{1,4}$")]
Name = Annotated[str, Field(min_length=1)]
Choice = Literal["left", "right", "both_good", "both_bad"]


class ErrorType(Strict):
    """One kind of error."""

    code: Code
    name: Name
    desc: Name
    deduct: Annotated[Decimal, Field(ge=0, le=1000)]
    """Points for each time it happened."""


class Module(Strict):
    """One side of a run."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
    name: Name
    lens: Name
    checks: Name
    errors: Annotated[list[ErrorType], Field(min_length=1)]


class RedLine(Strict):
    """What makes a run unsafe, whatever else it did."""

    code: Code
    name: Name
    desc: Name


class RulesFile(Strict):
    """A file of rules."""

    schema_: Literal["morgan-agent-rules-v1"] = Field(alias="schema")
    provided_by: str
    provided_date: str
    scoring_model: Name
    """How points come about, in words."""
    modules: Annotated[list[Module], Field(min_length=1)]
    safety_red_lines: list[RedLine]
    choices: Annotated[list[Choice], Field(min_length=4, max_length=4)]
    choice_labels: dict[Choice, Name]
    interpretation: list[str]

    @model_validator(mode="after")
    def _once(self) -> "RulesFile":
        codes = [e.code for m in self.modules for e in m.errors] + [r.code for r in self.safety_red_lines]
        named: list[tuple[str, list[str]]] = [
            ("code", codes), ("module", [m.id for m in self.modules]), ("choice", list(self.choices)),
        ]  # fmt: skip
        for what, names in named:
            twice = sorted({n for n in names if names.count(n) > 1})
            if twice:
                raise ValueError(f"the {what} {twice[0]} stands twice")
        if set(self.choice_labels) != set(self.choices):
            raise ValueError("every choice has a label")
        return self


@dataclass(frozen=True)
class Rules:
    """Rules, and the hash of the bytes they were read from."""

    file: RulesFile
    sha256: str

    @cached_property
    def errors(self) -> dict[str, ErrorType]:
        """Code -> error, in the order of the file."""
        return {e.code: e for m in self.file.modules for e in m.errors}

    @cached_property
    def module_of(self) -> dict[str, str]:
        """Code of an error -> id of its module."""
        return {e.code: m.id for m in self.file.modules for e in m.errors}

    @cached_property
    def red_lines(self) -> dict[str, RedLine]:
        """Code -> red line, in the order of the file."""
        return {r.code: r for r in self.file.safety_red_lines}

    @cached_property
    def codes(self) -> list[str]:
        """Every code, errors first."""
        return [*self.errors, *self.red_lines]


def load_rules(path: Path | None = None) -> Rules:
    """The rules of a file; without one, those that are shipped.

    Raises:
        InputError: the file is not one of this form.
    """
    shown = str(path or SHIPPED.name)
    data = read_bytes(path or SHIPPED, shown)
    value = parse_json(data, shown)
    if isinstance(value, dict) and value.get("schema") != "morgan-agent-rules-v1":
        raise InputError(f"{shown}: schema", f"is {value.get('schema')!r}; this grades by morgan-agent-rules-v1")
    return Rules(validate(RulesFile, value, shown), sha256_hex(data))
