"""Docstrings as HTML: paragraphs with `code` and **strong** words, and notes."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

_SECTION = re.compile(r"^(Parameters|Returns|Raises):\n(?:[ ]{4}.*\n|\n)*", re.M)
_NONE = re.compile(r"\bNone\b")
_NOTE = re.compile(r"\*\*(Choice|Erratum)\*\*")
_MARK = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


@dataclass(frozen=True, slots=True)
class DocstringNote:
    """A choice of the implementation, or a correction of its paper: `kind` is Choice or Erratum."""

    kind: str
    words: SafeString


@dataclass(frozen=True, slots=True)
class Explained:
    """A docstring in parts, each as HTML, without the parameters' section."""

    summary: SafeString
    paragraphs: tuple[SafeString, ...]
    notes: tuple[DocstringNote, ...]


def explained(thing: object) -> Explained:
    """The docstring of a class, function or module; empty parts if it has none.

    The word None, the code's word for an undefined value, becomes "unknown".
    """
    written = inspect.cleandoc(getattr(thing, "__doc__", None) or "") + "\n"
    text = _NONE.sub("unknown", _SECTION.sub("", written))
    summary, *rest = [" ".join(block.split()) for block in re.split(r"\n\s*\n", text.strip())]
    paragraphs, notes = [], []
    for block in rest:
        idea, *parts = _NOTE.split(block)
        if idea.strip():
            paragraphs.append(html_of(idea.strip()))
        for kind, words in zip(parts[::2], parts[1::2], strict=True):
            notes.append(DocstringNote(kind, html_of(_sentence(words))))
    return Explained(html_of(summary), tuple(paragraphs), tuple(notes))


def html_of(text: str) -> SafeString:
    """One line of a docstring as HTML: everything is escaped but the two marks."""
    return mark_safe(_MARK.sub(_marked, escape(text)))


def _marked(match: re.Match[str]) -> str:
    code, strong = match.groups()
    return f"<code>{code}</code>" if code else f"<b>{strong}</b>"


def _sentence(words: str) -> str:
    """The text after the mark: `: a URL …` becomes `A URL …`, `(eq. 3): …` is unchanged."""
    bare = words.strip().removeprefix(":").strip()
    return capfirst(bare)
