"""The search of the help."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import strip_tags

from apps.screens.help import codes
from apps.screens.help.catalogue import measures, strategies
from apps.screens.help.docstrings import Explained
from apps.screens.help.glossary import TERMS
from apps.screens.help.reference import reference
from apps.screens.help.screens import SCREENS
from apps.screens.help.vocabulary import vocabularies

MOST = 40
_AROUND = 90
_HYPHENS = str.maketrans("-‐‑–—", "     ")


@dataclass(frozen=True, slots=True)
class HelpEntry:
    """A page of the help, or a part of one, as text; `kind` is its subject."""

    kind: str
    title: str
    address: str
    text: str


@dataclass(frozen=True, slots=True)
class HelpHit:
    """A hit with the words around the first match."""

    entry: HelpEntry
    excerpt: str


def find(query: str) -> list[HelpHit]:
    """The entries that hold every word of the query, those with words in the title first."""
    words = _spelt(query).split()[:20]
    if not words:
        return []
    whole, hits = _spelt(query), []
    for position, (entry, title, text) in enumerate(spelt_entries()):
        if all(word in title or word in text for word in words):
            in_title = sum(word in title for word in words)
            hits.append((-in_title, title != whole, position, entry))
    hits.sort(key=lambda hit: hit[:3])
    return [HelpHit(entry, _excerpt(entry.text, words)) for *_, entry in hits[:MOST]]


@cache
def spelt_entries() -> tuple[tuple[HelpEntry, str, str], ...]:
    """Every entry with its title and text as they are compared."""
    return tuple((entry, _spelt(entry.title), _spelt(entry.text)) for entry in entries())


def _spelt(text: str) -> str:
    """In lower case, with a space for every hyphen and dot: `Near-duplicates` is `near duplicates`.

    It has the length of `text`, so that positions agree.
    """
    small = text.lower()
    if len(small) != len(text):
        small = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return small.translate(_HYPHENS)


def _excerpt(text: str, words: list[str]) -> str:
    lower = _spelt(text)
    at = min((lower.find(word) for word in words if word in lower), default=0)
    start = max(0, at - _AROUND // 3)
    start = text.rfind(" ", 0, start) + 1
    end = text.find(" ", start + 2 * _AROUND)
    cut = text[start:] if end < 0 else text[start:end]
    return ("… " if start else "") + cut + ("" if end < 0 else " …")


@cache
def entries() -> tuple[HelpEntry, ...]:
    """Every entry; made at the first search of a process."""
    return (
        *_screens(),
        *_strategies(),
        *_measures(),
        *_codes(),
        *_terms(),
        *_names(),
        *_operations(),
    )


def _screens() -> list[HelpEntry]:
    return [
        HelpEntry(
            "screen",
            screen.title,
            reverse("help:screen", args=[screen.slug]),
            plain(render_to_string(screen.template)),
        )
        for screen in SCREENS
    ]


def _strategies() -> list[HelpEntry]:
    return [
        HelpEntry(
            "strategy",
            entry.cls.title,
            reverse("help:strategy", args=[entry.cls.id]),
            f"{entry.cls.advice} {_words(entry.text)} {entry.cls.id} {entry.cls.section} "
            + " ".join(f"{p.name} {p.effect}" for p in entry.parameters),
        )
        for entry in strategies()
    ]


def _measures() -> list[HelpEntry]:
    return [
        HelpEntry(
            "measure",
            entry.cls.title,
            reverse("help:measure", args=[entry.cls.id]),
            f"{_words(entry.text)} {_words(entry.idea)} {entry.cls.paper} {entry.cls.id}",
        )
        for entry in measures()
    ]


def _codes() -> list[HelpEntry]:
    address = reverse("help:codes")
    lists = (codes.states(), codes.reasons(), codes.failures(), codes.exclusions(), codes.needs())
    return [
        HelpEntry(
            "word on a screen", code.words, f"{address}#{code.id}", f"{code.meaning} {code.id}"
        )
        for group in lists
        for code in group
    ]


def _terms() -> list[HelpEntry]:
    address = reverse("help:glossary")
    return [
        HelpEntry(
            "glossary",
            f"{term.word} {term.letter}".strip(),
            f"{address}#{term.anchor}",
            term.meaning,
        )
        for term in TERMS
    ]


def _names() -> list[HelpEntry]:
    """The entries for what has no help page."""
    address = reverse("help:vocabulary")
    return [
        HelpEntry(
            "vocabulary",
            name.title,
            f"{address}#{name.anchor}",
            f"{plain(name.sentence)} {name.id}",
        )
        for vocabulary in vocabularies()
        for name in vocabulary.names
        if not name.address
    ]


def _operations() -> list[HelpEntry]:
    address = reverse("help:api")
    return [
        HelpEntry(
            "API",
            operation.summary,
            f"{address}#{operation.id}",
            f"{operation.method} {operation.path} {operation.words}",
        )
        for group in reference()
        for operation in group.operations
    ]


def _words(text: Explained) -> str:
    notes = " ".join(note.words for note in text.notes)
    return plain(" ".join((text.summary, *text.paragraphs, notes)))


def plain(markup: str) -> str:
    """HTML as one line of text."""
    return re.sub(r"\s+", " ", html.unescape(strip_tags(markup))).strip()
