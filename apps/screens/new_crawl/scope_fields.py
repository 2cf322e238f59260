"""The fields for scope and politeness of a crawl."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.http import QueryDict

from apps.crawls.schemas import PolitenessRules, ScopeRules
from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.scope import LINKS_PER_PAGE
from apps.figures.quantities import number_of
from apps.schemas.refused import Refused
from apps.screens.schema_fields import number, whole
from apps.topics.models import HostDecision, Topic

HOST = re.compile(r"^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$", re.I)
ANY, SEEDS, THESE = "any", "seeds", "these"
ONE_LINK, INSIDE = "one_link", "in"
NO_HOST_IN = "no host is in yet"
FOLLOW = [
    (ANY, "anywhere they lead"),
    (SEEDS, "the seeds’ sites only"),
    (THESE, "these hosts only"),
    (ONE_LINK, "hosts that are in and one link beyond"),
    (INSIDE, "only hosts that are in"),
]
REACHES = {ONE_LINK: Reach.ONE_LINK.value, INSIDE: Reach.IN.value}
SHOWN_HOSTS = 3


class ScopeFields(forms.Form):
    """`scope()` and `politeness()` return what `services.create_crawl` takes."""

    topic: Topic

    follow = forms.ChoiceField(
        choices=FOLLOW,
        initial=ANY,
        required=False,
    )
    hosts = forms.CharField(required=False)
    depth = whole(ScopeRules, "depth", shown="any")
    pages_per_host = whole(ScopeRules, "pages_per_host", shown="any")
    frontier_cap = whole(ScopeRules, "frontier_cap", shown="any")
    links_per_page = whole(ScopeRules, "links_per_page", shown=f"{LINKS_PER_PAGE:,}")
    languages = forms.CharField(
        required=False, widget=forms.TextInput(attrs={"placeholder": "every language"})
    )
    main_text = forms.BooleanField(required=False)
    never = forms.CharField(required=False)
    only = forms.CharField(required=False)
    redirects = whole(PolitenessRules, "redirects", shown="10")
    contact = forms.CharField(required=False, max_length=200)
    headers = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    obey_robots = forms.BooleanField(required=False, initial=True)
    delay = number(PolitenessRules, "delay", shown="2")
    concurrent = whole(PolitenessRules, "concurrent", shown="32")
    hosts_per_domain = whole(PolitenessRules, "hosts_per_domain", shown="2")
    hosts_per_address = whole(PolitenessRules, "hosts_per_address", shown="10")
    page_kb = whole(PolitenessRules, "page_kb", shown="10,240")
    pages_per_second = number(PolitenessRules, "pages_per_second", shown="any")

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

    def clean_only(self) -> list[str]:
        return [word if "*" in word else f"*{word}*" for word in _words(self.cleaned_data["only"])]

    def clean_contact(self) -> str:
        return self._checked("contact", self.cleaned_data["contact"].strip() or None) or ""

    def clean_headers(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["headers"].splitlines()]
        return list(self._checked("headers", [line for line in lines if line]) or ())

    def _checked(self, name: str, value: Any) -> Any:
        """The value of a rule of politeness. Raises ValidationError with what it accepts."""
        try:
            return getattr(PolitenessRules.read({name: value}), name)
        except Refused as refused:
            raise forms.ValidationError(refused.message) from None

    def clean_languages(self) -> list[str]:
        """The codes of the languages. Raises ValidationError with what it accepts."""
        typed = self.cleaned_data["languages"].replace(",", " ").split()
        try:
            return list(ScopeRules.read({"languages": typed}).languages)
        except Refused as refused:
            raise forms.ValidationError(refused.message) from None

    def scope(self) -> dict[str, Any]:
        """The rules in the form of `Crawl.scope`.

        Of the words under Never, those with `*` or `/` are patterns, the others hosts.
        """
        data = self.cleaned_data
        never = data.get("never") or []
        patterns = [word for word in never if "*" in word or "/" in word]
        return {
            "allow_hosts": self.allowed_hosts(),
            "deny_hosts": [word for word in never if word not in patterns],
            "deny_patterns": [word if "*" in word else f"*{word}*" for word in patterns],
            "allow_patterns": data.get("only") or [],
            "depth": data.get("depth"),
            "pages_per_host": data.get("pages_per_host"),
            "frontier_cap": data.get("frontier_cap"),
            "links_per_page": data.get("links_per_page") or LINKS_PER_PAGE,
            "languages": data.get("languages") or [],
            "main_text": bool(data.get("main_text")),
            "reach": REACHES.get(data.get("follow") or "", Reach.ALL.value),
        }

    def allowed_hosts(self) -> list[str]:
        """The hosts to stay on; empty means any."""
        follow = self.cleaned_data.get("follow")
        if follow == SEEDS:
            return self.seed_hosts()
        return list(self.cleaned_data.get("hosts") or []) if follow == THESE else []

    @cached_property
    def seed_urls(self) -> list[str]:
        """The addresses of the topic's seeds."""
        return list(self.topic.seeds.values_list("url", flat=True))

    def seed_hosts(self) -> list[str]:
        """The hosts of the topic's seeds, by name."""
        return sorted({urlsplit(url).hostname or "" for url in self.seed_urls} - {""})

    def start_with(self, address: QueryDict) -> None:
        """Takes where to go from an address that leads to the form, as in `follow=these`."""
        if address.get("follow") in dict(FOLLOW):
            hosts = address.get("hosts", "")
            self.initial.update({"follow": address["follow"], "hosts": hosts})

    def follow_choices(self) -> list[tuple[str, str, str]]:
        """Where links may lead: value, words, and what that means at present."""
        hosts = self.seed_hosts()
        rest = f" and {len(hosts) - SHOWN_HOSTS:,} more" if len(hosts) > SHOWN_HOSTS else ""
        inside = self.hosts_in
        means = {
            **dict.fromkeys(REACHES, NO_HOST_IN if not inside else number_of(inside, "host now")),
            ANY: "every host that a page links to, but for those under Never",
            SEEDS: f"{number_of(len(hosts), 'host')} now: {', '.join(hosts[:SHOWN_HOSTS])}{rest}"
            if hosts
            else "the topic has no seeds yet",
            THESE: "names with spaces between; their sub-domains belong to them",
        }
        return [(value, words, means[value]) for value, words in FOLLOW]

    @cached_property
    def hosts_in(self) -> int:
        """How many hosts of the topic are in."""
        return self.topic.host_decisions.filter(state=HostDecision.IN).count()

    @property
    def impossible_follows(self) -> tuple[str, ...]:
        """The choices that cannot be taken as long as no host is in."""
        return () if self.hosts_in else tuple(REACHES)

    def politeness(self) -> dict[str, Any]:
        """The rules that differ from the web's defaults."""
        data = self.cleaned_data
        names = (
            *("delay", "concurrent", "page_kb", "pages_per_second"),
            *("hosts_per_domain", "hosts_per_address", "redirects", "contact", "headers"),
        )
        given = {name: data.get(name) or None for name in names}
        given["delay"] = data.get("delay")
        chosen = {name: value for name, value in given.items() if value is not None}
        return chosen | {"obey_robots": bool(data.get("obey_robots"))}


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;]+", text) if word]
