"""Form fields made from a schema, so that both accept the same values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from django import forms

from apps.schemas.input import Input, bound, describe_accepted
from apps.schemas.refused import Refused

Read = TypeVar("Read", bound=Input)
_CODES = ("required", "invalid", "invalid_choice", "min_value", "max_value", "max_length")


def whole(schema: type[Input], name: str, *, shown: str = "", **options: Any) -> forms.IntegerField:
    """A whole number with the schema's limits; `shown` is the placeholder."""
    return forms.IntegerField(**{**_options(schema, name, shown), **options})


def number(schema: type[Input], name: str, *, shown: str = "", **options: Any) -> forms.FloatField:
    """The form field of a number with decimals."""
    return forms.FloatField(**{**_options(schema, name, shown, step="any"), **options})


def text(schema: type[Input], name: str, **options: Any) -> forms.CharField:
    """A text with the schema's limits."""
    return forms.CharField(
        max_length=bound(schema, name, "maxLength"),
        required=schema.model_fields[name].is_required(),
        error_messages=words(schema, name),
        **options,
    )


def words(schema: type[Input], name: str) -> dict[str, str]:
    """The messages of a field: one sentence for every error."""
    return dict.fromkeys(_CODES, describe_accepted(schema, name))


def read_form(form: forms.Form, schema: type[Read], values: Mapping[str, Any]) -> Read | None:
    """The schema's object for a form's values; None if it refuses them, with the error added to the
    field."""
    try:
        return schema.read(values)
    except Refused as refused:
        name = refused.field.partition(".")[0]
        form.add_error(name if name in form.fields else None, refused.message)
        return None


def _options(schema: type[Input], name: str, shown: str, **attributes: str) -> dict[str, Any]:
    return {
        "min_value": bound(schema, name, "minimum"),
        "max_value": bound(schema, name, "maximum"),
        "required": schema.model_fields[name].is_required(),
        "widget": forms.NumberInput(attrs={"placeholder": shown, **attributes}),
        "error_messages": words(schema, name),
    }
