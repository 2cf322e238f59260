"""What is written without templates is what Django's templates write."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.forms.renderers import DjangoTemplates, get_default_renderer
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from apps.screens.form_renderer import WRITERS, FormRenderer

ODD = "a <b> & \"c\" 'd'"
ATTRIBUTES = {"id": "x", "placeholder": ODD, "min": 0, "step": 0.5, "required": True, "no": False}
CHOICES: list[tuple[Any, Any]] = [
    ("", "none"),
    (1, 12_000),
    (ODD, ODD),
    (True, mark_safe("<i>safe</i>")),
    (None, None),
    ("Group", [("in", "inside"), (2.5, gettext_lazy("Yes"))]),
]
VALUES = (None, "", ODD, mark_safe("&amp;"), 7, 2.5, True, "in", ["in", 1])
WIDGETS = (
    forms.TextInput,
    forms.NumberInput,
    forms.EmailInput,
    forms.URLInput,
    forms.HiddenInput,
    forms.CheckboxInput,
    forms.DateInput,
    forms.PasswordInput,
    forms.Textarea,
    forms.CheckboxSelectMultiple,
    forms.RadioSelect,
)


@pytest.mark.alike
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_fields_are_as_django_writes_them(value: object) -> None:
    for kind in WIDGETS:
        for attributes in ({}, ATTRIBUTES):
            same(kind(attrs=attributes), value)


@pytest.mark.alike
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_lists_of_options_are_as_django_writes_them(value: object) -> None:
    for kind in (forms.Select, forms.SelectMultiple):
        for choices in (CHOICES, []):
            same(kind(attrs=ATTRIBUTES, choices=choices), value)


def same(widget: forms.Widget, value: Any) -> None:
    name = f"name {ODD}"
    ours = widget.render(name, value, renderer=FormRenderer())
    assert ours == widget.render(name, value, renderer=DjangoTemplates())


@pytest.mark.alike
def test_a_field_of_a_form_takes_no_template(monkeypatch: pytest.MonkeyPatch) -> None:
    class Form(forms.Form):
        words = forms.CharField()
        order = forms.ChoiceField(choices=CHOICES)

    def read(*_: object) -> None:
        raise AssertionError("a template is read")

    monkeypatch.setattr(FormRenderer, "get_template", read)
    assert settings.FORM_RENDERER.endswith(type(get_default_renderer()).__name__)
    assert [str(field).split()[0] for field in Form()] == ["<input", "<select"]


@pytest.mark.alike
def test_each_writer_is_of_a_template_of_django() -> None:
    for name in WRITERS:
        assert DjangoTemplates().get_template(name)
