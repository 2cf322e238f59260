"""The form that makes topics from a directory's categories."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User

from apps.directories.schemas import CategoryChoice
from apps.directories.splits import LEFT_OUT, RULES, Rule
from apps.screens.offers import offer_rows
from apps.screens.schema_fields import read_form, whole, words
from apps.webs.models import Web
from apps.webs.selectors import recorded_webs


def _words(rule: Rule) -> str:
    whose = "its own" if rule.scope == "own" else "its own and those below it"
    return (
        f"{rule.title} ({rule.paper}): at least {rule.minimum} URLs, {whose}; "
        + rule.sentence.format(size=rule.size)
    )


class MakeTopicsForm(forms.Form):
    """Which categories become topics and how their URLs are split; `wanted` is what a valid form
    asks for, below the category `at`."""

    wanted: CategoryChoice

    rule = forms.ChoiceField(
        label="Split",
        choices=[(rule.id, _words(rule)) for rule in RULES],
        initial="lc",
        widget=forms.RadioSelect,
        error_messages=words(CategoryChoice, "rule"),
    )
    size = whole(
        CategoryChoice,
        "size",
        label="URLs in each drawn part",
        help_text="Empty: the paper's number.",
    )
    minimum = whole(
        CategoryChoice,
        "minimum",
        label="URLs a category must have",
        help_text="Empty: the paper's number. Never fewer than the split needs.",
    )
    words = forms.CharField(
        label="Excluded words",
        required=False,
        help_text="Categories with one of these words in their path are left out; separate words"
        " by commas. Empty: "
        f"{', '.join(LEFT_OUT)}, but none for Status locality, as in the papers. A dash: none.",
    )
    most = whole(
        CategoryChoice,
        "most",
        label="Most topics",
        initial=100,
        help_text="If more categories match, so many are drawn by the random seed.",
    )
    seed = whole(
        CategoryChoice,
        "seed",
        label="Random seed",
        initial=1,
        help_text="The same seed repeats the draw; each topic stores it.",
    )
    web = forms.ModelChoiceField(
        label="Pages come from",
        queryset=Web.objects.none(),
        required=False,
        empty_label="the live Web",
        help_text="Where their examples are fetched.",
    )
    fetch = forms.BooleanField(
        label="Fetch the example pages now",
        required=False,
        initial=True,
        help_text="Politely, in the background; a topic can be crawled for once it has them.",
    )

    def __init__(self, *args: Any, owner: User, at: str = "") -> None:
        super().__init__(*args)
        self.at = at
        offer_rows(self, "web", recorded_webs(owner))

    def clean_words(self) -> list[str] | None:
        """The words of the field; None for the paper's."""
        typed = self.cleaned_data["words"]
        words = [word.strip() for word in typed.split(",") if word.strip(" -–")]
        return words if typed.strip() else None

    def clean(self) -> dict[str, Any]:
        """Reads the form as the API reads its input."""
        typed = super().clean() or {}
        values = {
            name: typed[name] for name in CategoryChoice.model_fields if typed.get(name) is not None
        }
        if "web" in values:
            values["web"] = values["web"].pk
        read = None if self.errors else read_form(self, CategoryChoice, {**values, "at": self.at})
        if read is not None:
            self.wanted = read
        return typed
