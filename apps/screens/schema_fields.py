"""Form fields made from a schema, so that both accept the same values."""

from __future__ import annotations

from typing import Any

from django import forms

from apps.schemas.input import Input, bounds, wanted

_CODES = ("required", "invalid", "min_value", "max_value")


def whole(schema: type[Input], name: str, *, shown: str = "", **options: Any) -> forms.IntegerField:
    """A whole number with the schema's limits; `shown` is the placeholder."""
    return forms.IntegerField(**_options(schema, name, shown), **options)


def number(schema: type[Input], name: str, *, shown: str = "", **options: Any) -> forms.FloatField:
    """The same for a number with decimals."""
    return forms.FloatField(**_options(schema, name, shown, step="any"), **options)


def _options(schema: type[Input], name: str, shown: str, **attributes: str) -> dict[str, Any]:
    least, most = bounds(schema, name)
    return {
        "min_value": least,
        "max_value": most,
        "required": schema.model_fields[name].is_required(),
        "widget": forms.NumberInput(attrs={"placeholder": shown, **attributes}),
        "error_messages": dict.fromkeys(_CODES, wanted(schema, name)),
    }
