"""The links at the top of every screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

register = template.Library()

SECTIONS: tuple[tuple[str, str, frozenset[str]], ...] = (
    (
        "Topics",
        "topics:list",
        frozenset(
            {
                *("begin", "topics", "topic", "hosts", "dossier", "labels", "watch"),
                *("directories", "backgrounds"),
            }
        ),
    ),
    (
        "Crawls",
        "crawls:list",
        frozenset(
            {
                *("crawls", "live", "left_out", "new_crawl", "compare"),
                *("measures", "recipes", "first_run"),
            }
        ),
    ),
    (
        "Experiments",
        "experiments:list",
        frozenset({"experiments", "experiment", "new_experiment", "papers"}),
    ),
    ("Webs", "webs:list", frozenset({"webs"})),
    ("Collection", "collection:home", frozenset({"collection", "page"})),
    ("Help", "help:index", frozenset({"help"})),
)
"""Each section's title, its first screen, and the apps whose screens belong to it."""


@dataclass(frozen=True, slots=True)
class MainLink:
    """A link; `current` is empty, `page` on that very screen, or `true` on another of its
    section."""

    title: str
    address: str
    current: str


@register.inclusion_tag("components/main_links.html", takes_context=True)
def main_links(context: Any) -> dict[str, Any]:
    """The sections, in a row or, on phones, as a menu under the name of the present one."""
    request = context["request"]
    match = request.resolver_match
    app, view = (match.app_name, match.view_name) if match else ("", "")
    links = [
        MainLink(title, reverse(first), _current(app in apps, view == first))
        for title, first, apps in SECTIONS
    ]
    here = next((link.title for link in links if link.current), "Menu")
    return {"links": links, "here": here}


def _current(is_in: bool, is_first: bool) -> str:
    return "page" if is_first else "true" if is_in else ""
