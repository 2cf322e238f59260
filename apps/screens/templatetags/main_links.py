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
                *("directories", "backgrounds", "left_out:topic"),
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
        frozenset({"experiments", "experiment", "new_experiment", "papers", "months"}),
    ),
    ("Webs", "webs:list", frozenset({"webs"})),
    ("Collection", "collection:home", frozenset({"collection", "page"})),
    ("Help", "help:index", frozenset({"help"})),
)
"""Each section's title, its first screen, and what belongs to it: the apps of screens, and by
name a screen whose app belongs elsewhere."""


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
    view = match.view_name if match else ""
    section = section_of(match.app_name if match else "", view)
    links = [
        MainLink(title, reverse(first), _current(title == section, view == first))
        for title, first, _ in SECTIONS
    ]
    here = next((link.title for link in links if link.current), "Menu")
    return {"links": links, "here": here}


def section_of(app: str, view: str) -> str:
    """The title of the section of a screen: its own if it is named, else its app's."""
    sections = {name: title for title, _, names in SECTIONS for name in names}
    return sections.get(view) or sections.get(app, "")


def _current(is_in: bool, is_first: bool) -> str:
    return "page" if is_first else "true" if is_in else ""
