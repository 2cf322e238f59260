"""The form of months."""

from __future__ import annotations

from typing import Any

from django import forms

from apps.months.schema import MonthDesign
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.schema_fields import number, read_form, whole, words

POLICY_WORDS = {
    "adaptive": "adaptive, what a watch does",
    "without dates": "without dates: adaptive, but it does not read the dates of sitemaps",
    "uniform": "uniform: all addresses in turn",
    "proportional": "proportional: each address as often as it changes",
    "full recrawl": "full recrawl: every watched page and every source at each visit",
}


class MonthForm(forms.Form):
    """Every choice of a `MonthDesign`; an empty field has its default."""

    pages = whole(MonthDesign, "pages", label="Pages at the start")
    hosts = whole(MonthDesign, "hosts", label="Hosts")
    new = number(
        MonthDesign,
        "new",
        label="New pages a day",
        help_text="On the topic, and as many off it.",
    )
    days = whole(MonthDesign, "days", label="Days", help_text="Simulated, a visit each.")
    requests = whole(
        MonthDesign,
        "requests",
        label="Requests a visit",
        help_text="At most; a full recrawl has as many as it needs.",
    )
    seeds = forms.CharField(
        label="Random seeds",
        required=False,
        help_text="As in 7, 11: a web for each.",
        error_messages=words(MonthDesign, "seeds"),
    )
    policies = forms.MultipleChoiceField(
        label="Policies",
        required=False,
        choices=list(POLICY_WORDS.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages=words(MonthDesign, "policies"),
    )

    def design(self) -> MonthDesign | None:
        """The design, or None if it is refused, with the reason at its field. Only for a valid
        form."""
        values: dict[str, Any] = {k: v for k, v in self.cleaned_data.items() if v not in ("", None)}
        if "seeds" in values:
            typed = values["seeds"].replace(",", " ").split()
            values["seeds"] = [
                word if (seed := whole_number(word)) is None else seed for word in typed
            ]
        return read_form(self, MonthDesign, values)

    def refuse(self, refused: Refused) -> None:
        """Shows a refusal at its field."""
        self.add_error(refused.field, refused.message)


def form_of(design: MonthDesign) -> MonthForm:
    """The form with the choices of a design."""
    seeds = ", ".join(map(str, design.seeds))
    return MonthForm(initial={**design.model_dump(), "seeds": seeds})
