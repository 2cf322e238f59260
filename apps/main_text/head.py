"""Metadata from a page's head: author, the site's name, dates, and the title without the site."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from apps.engine.urls import host

AUTHORS = ("author", "article:author", "citation_author", "dc.creator", "dcterms.creator")
SITES = ("og:site_name", "application-name")
MOST_AUTHORS, LONGEST_AUTHOR = 3, 200
SHORTEST_NAME = 4
"""Letters of a host's label that may be the site's name."""
_WORKS = re.compile("Article|Posting|Page|Product|Report|Work|Recipe|Video|Question|Course|Event")
_BETWEEN = re.compile(r"\s+[|\-–—·•:»«]+\s+|\s*(?:[|»·]|:(?=\s))\s*")
_MOST_OBJECTS = 500


@dataclass(frozen=True, slots=True)
class Declarations:
    """The meta elements by name, the works that JSON-LD describes, and the title element."""

    title: str
    meta: dict[str, list[str]] = field(default_factory=dict)
    works: list[dict[str, Any]] = field(default_factory=list)

    def first(self, names: tuple[str, ...]) -> str:
        """The first value of the first of these meta elements, or empty."""
        return next((self.meta[name][0] for name in names if name in self.meta), "")


def read_declarations(tree: Any) -> Declarations:
    """The head of a page as a tree of lxml.html."""
    meta: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        name = element.get("property") or element.get("name") or element.get("itemprop") or ""
        if content := " ".join((element.get("content") or "").split()):
            meta.setdefault(name.lower(), []).append(content)
    title = next((element.text_content() for element in tree.iter("title")), "")
    return Declarations(" ".join(title.split()), meta, list(_works(tree)))


def author_of(head: Declarations) -> str:
    """The names that the head declares, or empty; the site's own name is no author."""
    names = [name for key in AUTHORS for name in head.meta.get(key, ())]
    names += [name for work in head.works for name in _names(work.get("author"))]
    site = _plain(head.first(SITES))
    people = [name for name in names if _is_name(name) and _plain(name) != site]
    distinct = {_plain(name): name for name in reversed(people)}
    return "; ".join(list(distinct.values())[::-1][:MOST_AUTHORS])[:LONGEST_AUTHOR]


def title_of(head: Declarations, heading: str, url: str) -> str:
    """The title without the name of the site at either end; `heading` is the page's first."""
    pieces = _BETWEEN.split(head.title)
    if len(pieces) == 1:
        return head.title
    for whole in (*head.meta.get("og:title", ()), heading):
        rest = head.title.removeprefix(whole)
        # After a colon the title itself goes on.
        if whole and rest != head.title and rest[:1] != ":" and _BETWEEN.match(rest):
            return str(whole)
    site, (whole_host, *labels) = _plain(head.first(SITES)), _labels(url)
    for piece in (pieces[-1], pieces[0]):
        plain = _plain(piece)
        if plain and (plain in (site, whole_host) or plain.startswith(tuple(labels))):
            return _without(head.title, piece)
    return head.title


def _without(title: str, piece: str) -> str:
    """The title without a piece at one of its ends, and without what stood between."""
    rest = title.removesuffix(piece) if title.endswith(piece) else title.removeprefix(piece)
    return rest.strip(" |-–—·•:»«\t")


def _labels(url: str) -> tuple[str, ...]:
    """The host's name in letters, then those of its labels that are long enough to be a name:
    `hometarkettcouk`, `home` and `tarkett` of home.tarkett.co.uk."""
    name = host(url).partition(":")[0].removeprefix("www.")
    labels = name.split(".")[:-1]
    return (_plain(name), *(_plain(label) for label in labels if len(label) >= SHORTEST_NAME))


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _is_name(text: str) -> bool:
    return "://" not in text and "@" not in text and any(map(str.isalpha, text))


def _names(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list) else [value]:
        name = each.get("name") if isinstance(each, dict) else each
        if isinstance(name, str):
            yield " ".join(name.split())


def _works(tree: Any) -> Iterator[dict[str, Any]]:
    """The works that the page is or has, not the comments on it; invalid JSON describes none."""
    for script in tree.iter("script"):
        if (script.get("type") or "").lower() != "application/ld+json":
            continue
        try:
            waiting: list[Any] = [json.loads(script.text or "", strict=False)]
        except (ValueError, RecursionError):
            continue
        for _ in range(_MOST_OBJECTS):
            if not waiting:
                break
            each = waiting.pop(0)
            if isinstance(each, list):
                waiting = each + waiting
            elif isinstance(each, dict):
                if _WORKS.search(str(each.get("@type"))):
                    yield each
                inner = (each.get(key) for key in ("@graph", "mainEntity", "mainEntityOfPage"))
                waiting += [value for value in inner if isinstance(value, dict | list)]
