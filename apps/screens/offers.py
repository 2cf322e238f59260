"""The options of form fields that depend on the person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet


def rows_of(form: forms.BaseForm, name: str) -> QuerySet[Any]:
    """The rows that a field offers."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    rows: QuerySet[Any] | None = field.queryset
    assert rows is not None
    return rows


def offer_rows(form: forms.BaseForm, name: str, rows: QuerySet[Any]) -> None:
    """Makes a field offer these rows."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows


def offer_choices(form: forms.BaseForm, name: str, choices: Sequence[tuple[str, Any]]) -> None:
    """Makes a field offer these values with their words."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
