"""Snippets: the words of a page around the search words, which are marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from apps.engine.parsing.words import words_and_spans
from apps.stored_pages.query_words import Clause
from apps.stored_pages.stems import stemming

WORDS = 24
LEAD = 6
MOST_CHARACTERS = 400_000


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text as stems, with their positions; `found[i]` is the clause of word i, or
    −1."""

    starts: Sequence[int]
    ends: Sequence[int]
    found: Sequence[int]


class Snippets:
    """Makes the snippets of one search."""

    def __init__(self, clauses: Sequence[Clause], language: str | None) -> None:
        self._stem: Callable[[str], str] = stemming(language)
        self._clauses = [clause.stems for clause in clauses if not clause.excluded]
        self._known: dict[str, str] = {}

    def snippet(self, text: str) -> SafeString:
        """About 24 words, escaped, with `<mark>` around search words; empty if none is found."""
        text = text[:MOST_CHARACTERS]
        words = self._read(text)
        first = _best_window(words.found)
        if first is None:
            return mark_safe("")
        last = min(first + WORDS, len(words.starts)) - 1
        begin, end = words.starts[first], words.ends[last]
        if last + 1 < len(words.starts):
            tail = "\u2009…"
        else:
            end, tail = len(text), ""
        lead = "…\u2009" if first else ""
        body = _marked(text, words, first, last, end)
        return mark_safe(f"{lead}{body}{tail}") if begin < end else mark_safe("")

    def marked(self, text: str) -> SafeString:
        """The whole of a short text, escaped, with search words marked."""
        words = self._read(text)
        if not words.starts:
            return mark_safe(escape(text))
        head = escape(text[: words.starts[0]])
        return mark_safe(head + _marked(text, words, 0, len(words.starts) - 1, len(text)))

    def _read(self, text: str) -> _Words:
        raw, starts, ends = words_and_spans(text)
        stems = [self._stemmed(word) for word in raw]
        return _Words(starts.tolist(), ends.tolist(), self._find(stems))

    def _stemmed(self, word: str) -> str:
        stem = self._known.get(word)
        if stem is None:
            stem = self._known[word] = self._stem(word)
        return stem

    def _find(self, stems: Sequence[str]) -> list[int]:
        found = [-1] * len(stems)
        places: dict[str, list[int]] = {}
        wanted = {phrase[0] for clause in self._clauses for phrase in clause}
        for place, stem in enumerate(stems):
            if stem in wanted:
                places.setdefault(stem, []).append(place)
        for number, clause in enumerate(self._clauses):
            for phrase in clause:
                for place in places.get(phrase[0], ()):
                    if tuple(stems[place : place + len(phrase)]) == phrase:
                        found[place : place + len(phrase)] = [number] * len(phrase)
        return found


def _best_window(found: Sequence[int]) -> int | None:
    """Where the window with the most different clauses, then the most search words, begins."""
    hits = [place for place, clause in enumerate(found) if clause >= 0]
    best: tuple[int, int, int] | None = None
    for start, place in enumerate(hits[:500]):
        inside = []
        for later in hits[start : start + WORDS]:
            if later >= place + WORDS - LEAD:
                break
            inside.append(found[later])
        value = (len(set(inside)), len(inside), -place)
        best = value if best is None else max(best, value)
    return None if best is None else max(0, -best[2] - LEAD)


def _marked(text: str, words: _Words, first: int, last: int, end: int) -> str:
    """The text from word `first` up to `end`, escaped, with search words marked."""
    pieces, at = [], words.starts[first]
    for place in range(first, last + 1):
        if words.found[place] < 0 or words.starts[place] < at:
            continue
        pieces.append(escape(text[at : words.starts[place]]))
        pieces.append(f"<mark>{escape(text[words.starts[place] : words.ends[place]])}</mark>")
        at = words.ends[place]
    pieces.append(escape(text[at:end]))
    return "".join(pieces)
