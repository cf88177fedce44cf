"""Strict models, and the mark that makes a field visible to the customer."""

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """Unknown fields are errors, nothing is converted, values do not change."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, ser_json_inf_nan="constants", allow_inf_nan=False
    )


class _VisibleMark:
    """Marker object: the field may be shown to the customer."""


VISIBLE = _VisibleMark()
T = TypeVar("T")
Visible = Annotated[T, VISIBLE]
"""`name: Visible[str]`: the customer may know it. A field without the mark is hidden, so a new field is hidden."""


def visible_fields(model: type[BaseModel]) -> list[str]:
    """Names of the fields marked visible, in the order they are declared."""
    return [
        name for name, info in model.model_fields.items() if any(isinstance(m, _VisibleMark) for m in info.metadata)
    ]


def visible_projection(value: Any) -> Any:
    """Plain data holding the visible fields of a model and of all models inside it; everything else is left out."""
    if isinstance(value, BaseModel):
        return {name: visible_projection(getattr(value, name)) for name in visible_fields(type(value))}
    if isinstance(value, list | tuple):
        return [visible_projection(item) for item in value]
    if isinstance(value, dict):
        return {key: visible_projection(item) for key, item in value.items()}
    return value


__all__ = ["VISIBLE", "Strict", "Visible", "visible_fields", "visible_projection"]
