"""A strategy's parameters as form fields, made from its constructor."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.text import capfirst

from apps.engine.errors import BadParameter
from apps.engine.intelligence.strategies.parameters import Parameter
from apps.screens.new_crawl.parameter_words import choice_words, title_of


def parameter_name(strategy: str, parameter: Parameter) -> str:
    """The field's name, unique for each strategy, so that values are kept while comparing
    strategies."""
    return f"{strategy}-{parameter.name}"


def parameter_field(
    strategy: str, parameter: Parameter, lacking: Mapping[str, str] = MappingProxyType({})
) -> forms.Field:
    """The field of one parameter; empty means the default.

    `lacking` says, of a name that may be listed, what the topic lacks for it.
    """
    label = label_of(strategy, parameter)
    help_text = parameter.effect
    if parameter.kind == "bool":
        return forms.BooleanField(
            label=label, help_text=help_text, initial=parameter.default, required=False
        )
    if parameter.kind == "choice":
        choices = [(value, choice_words(parameter.name, value)) for value in parameter.choices]
        return ParameterField(
            parameter, label=label, help_text=help_text, widget=forms.Select(choices=choices)
        )
    if parameter.kind == "names":
        each = [
            (value, _with_lack(choice_words(parameter.name, value), lacking.get(value)))
            for value in parameter.choices
        ]
        return SeveralField(
            parameter,
            label=label,
            help_text=help_text,
            widget=forms.CheckboxSelectMultiple(choices=each),
        )
    mode = "text" if parameter.kind == "str" else "decimal"
    attributes: dict[str, Any] = {"inputmode": mode, "autocomplete": "off"}
    return ParameterField(
        parameter, label=label, help_text=help_text, widget=forms.TextInput(attrs=attributes)
    )


def _with_lack(words: str, lack: str | None) -> str:
    if not lack:
        return words
    return format_html('<span>{} <small class="nothing">lacks {}</small></span>', words, lack)


def label_of(strategy: str, parameter: Parameter) -> str:
    """`β, weight of the page`, or only the words if there is no letter."""
    words = title_of(strategy, parameter.name)
    if not parameter.symbol or parameter.symbol == parameter.name:
        return capfirst(words)
    return f"{parameter.symbol}, {words[:1].lower()}{words[1:]}"


class ParameterField(forms.CharField):
    """Parses a text by the parameter's own rules."""

    def __init__(self, parameter: Parameter, **options: Any) -> None:
        super().__init__(initial=parameter.default, required=False, **options)
        self.parameter = parameter

    def clean(self, value: Any) -> Any:
        if value in (None, ""):
            return self.parameter.default
        try:
            return self.parameter.read(value)
        except BadParameter as error:
            sentence = capfirst(error.detail)
            raise forms.ValidationError(f"{sentence}.") from None


class SeveralField(ParameterField):
    """Check boxes for the names in a catalogue; none checked means the default."""

    def prepare_value(self, value: Any) -> Any:
        return value.split() if isinstance(value, str) else value

    def clean(self, value: Any) -> Any:
        return super().clean(value if isinstance(value, str) else " ".join(value or ()))
