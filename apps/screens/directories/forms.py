"""The form that makes topics from a directory's categories."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import AbstractUser

from apps.directories.selectors import Wanted
from apps.directories.splits import LEFT_OUT, RULES, Rule, rule
from apps.webs.models import Web
from apps.webs.selectors import recorded_webs

MOST = 1_000


def _words(each: Rule) -> str:
    whose = "its own" if each.scope == "own" else "its own and those below it"
    return (
        f"{each.title} ({each.paper}): at least {each.minimum} URLs, {whose}; "
        + each.sentence.format(size=each.size)
    )


class MakeTopicsForm(forms.Form):
    """Which categories become topics and how their URLs are split."""

    rule = forms.ChoiceField(
        label="Split", choices=[(each.id, _words(each)) for each in RULES], initial="lc",
        widget=forms.RadioSelect,
    )
    size = forms.IntegerField(
        label="URLs in each drawn part", required=False, min_value=1, max_value=100_000,
        help_text="Empty: the paper's number.",
    )
    minimum = forms.IntegerField(
        label="URLs a category must have", required=False, min_value=1, max_value=10_000_000,
        help_text="Empty: the paper's number. Never fewer than the split needs.",
    )
    words = forms.CharField(
        label="Excluded words", required=False, max_length=1_000,
        help_text="Categories with one of these words in their path are left out; separate words"
        " by commas. Empty: "
        f"{', '.join(LEFT_OUT)}, but none for Status locality, as in the papers. A dash: none.",
    )
    most = forms.IntegerField(
        label="Most topics", min_value=1, max_value=MOST, initial=100,
        help_text="If more categories match, so many are drawn by the random seed.",
    )
    seed = forms.IntegerField(
        label="Random seed", min_value=0, max_value=2**62, initial=1,
        help_text="The same seed repeats the draw; each topic stores it.",
    )
    web = forms.ModelChoiceField(
        label="Pages come from", queryset=Web.objects.none(), required=False,
        empty_label="the live Web", help_text="Where their examples are fetched.",
    )
    fetch = forms.BooleanField(
        label="Fetch the example pages now", required=False, initial=True,
        help_text="Politely, in the background; a topic can be crawled for once it has them.",
    )

    def __init__(self, *args: Any, owner: AbstractUser) -> None:
        super().__init__(*args)
        self.fields["web"].queryset = recorded_webs(owner)

    def wanted(self, at: str) -> Wanted:
        """The selection, below the category `at`."""
        given = self.cleaned_data
        words = tuple(word.strip() for word in given["words"].split(",") if word.strip(" -–"))
        return Wanted(
            rule=rule(given["rule"]), at=at, size=given["size"] or 0,
            minimum=given["minimum"] or 0, words=words if given["words"].strip() else None,
            most=given["most"], seed=given["seed"],
            web_id=given["web"].pk if given["web"] else None,
        )
