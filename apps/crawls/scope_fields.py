"""Scope and politeness of a crawl in plain words."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from django import forms

from apps.topics.models import Topic

HOST = re.compile(r"^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$", re.I)
ANY, SEEDS, THESE = "any", "seeds", "these"


def _count(most: int, least: int = 1, shown: str = "any") -> forms.IntegerField:
    """A whole number, or nothing; `shown` stands in the empty field."""
    return forms.IntegerField(
        min_value=least,
        max_value=most,
        required=False,
        widget=forms.NumberInput(attrs={"placeholder": shown}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            f"Give a whole number from {least} to {most:,}, or leave the field empty.",
        ),
    )


class ScopeFields(forms.Form):
    """`scope()` and `politeness()` give what `services.create_crawl` takes."""

    topic: Topic

    follow = forms.ChoiceField(
        choices=[(ANY, "any host"), (SEEDS, "the seeds’ sites only"), (THESE, "these hosts")],
        initial=ANY,
        required=False,
    )
    hosts = forms.CharField(required=False)
    depth = _count(10_000, least=0)
    pages_per_host = _count(10_000_000)
    frontier_cap = _count(100_000_000)
    never = forms.CharField(required=False)
    obey_robots = forms.BooleanField(required=False, initial=True)
    delay = forms.FloatField(
        min_value=0, max_value=3600, required=False,
        widget=forms.NumberInput(attrs={"placeholder": "2", "step": "any"}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), "Give a number of seconds from 0 to 3,600."
        ),
    )  # fmt: skip
    concurrent = _count(100, shown="32")

    def clean_hosts(self) -> list[str]:
        hosts = _words(self.cleaned_data["hosts"])
        if self["follow"].value() != THESE:
            return []
        if not hosts:
            raise forms.ValidationError("Name at least one host, such as example.org.")
        wrong = [host for host in hosts if not HOST.match(host)]
        if wrong:
            raise forms.ValidationError(
                f"No host name: {', '.join(wrong)}. Leave out http:// and paths."
            )
        return hosts

    def clean_never(self) -> list[str]:
        return _words(self.cleaned_data["never"])

    def scope(self) -> dict[str, Any]:
        """The rules as `Crawl.scope` keeps them.

        Of the words under Never, those with `*` or `/` are patterns, the others hosts.
        """
        data = self.cleaned_data
        never = data.get("never") or []
        patterns = [word for word in never if "*" in word or "/" in word]
        return {
            "allow_hosts": self.allowed_hosts(),
            "deny_hosts": [word for word in never if word not in patterns],
            "deny_patterns": [word if "*" in word else f"*{word}*" for word in patterns],
            "depth": data.get("depth"),
            "pages_per_host": data.get("pages_per_host"),
            "frontier_cap": data.get("frontier_cap"),
        }

    def allowed_hosts(self) -> list[str]:
        """The hosts to stay on; none means any."""
        follow = self.cleaned_data.get("follow")
        if follow == SEEDS:
            urls = self.topic.seeds.values_list("url", flat=True)
            return sorted({urlsplit(url).hostname or "" for url in urls} - {""})
        return list(self.cleaned_data.get("hosts") or []) if follow == THESE else []

    def politeness(self) -> dict[str, Any]:
        """What differs from the web's own manners."""
        data = self.cleaned_data
        given = {"delay": data.get("delay"), "concurrent": data.get("concurrent")}
        chosen = {name: value for name, value in given.items() if value is not None}
        return chosen | {"obey_robots": bool(data.get("obey_robots"))}


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;]+", text) if word]
