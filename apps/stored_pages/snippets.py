"""Snippets: the words of a page around the search words, which are marked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from apps.engine.parsing.words import words_and_spans
from apps.search.query import FIELDS, TITLE, Clause, Phrase, stemmed
from apps.search.stems import stemming

WORDS = 24
LEAD = 6
MOST_CHARACTERS = 400_000


@dataclass(frozen=True, slots=True)
class _TextWords:
    """The words of a text, with their positions; `clauses[i]` is the number of the clause that word
    i is part of, or −1."""

    starts: Sequence[int]
    ends: Sequence[int]
    clauses: Sequence[int]


class Snippets:
    """Makes the snippets of one search."""

    def __init__(self, clauses: Sequence[Clause], language: str | None) -> None:
        self._stem: Callable[[str], str] = cache(stemming(language))
        wanted = stemmed((clause for clause in clauses if not clause.excluded), [language])
        self._phrases = [
            (number, phrase)
            for number, clause in enumerate(wanted)
            for phrase in clause.phrases
            if phrase.prefix not in FIELDS
        ]
        self._in_text = [each for each in self._phrases if each[1].prefix != TITLE]

    @property
    def are_sought(self) -> bool:
        """Whether the search has words that a text may have."""
        return bool(self._in_text)

    def snippet(self, text: str) -> SafeString:
        """About 24 words, escaped, with `<mark>` around search words; empty if it has none."""
        if not self._in_text:
            return mark_safe("")
        text = text[:MOST_CHARACTERS]
        words = self._read(text, self._in_text)
        first = _best_window(words.clauses)
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
        words = self._read(text, self._phrases)
        if not words.starts:
            return mark_safe(escape(text))
        head = escape(text[: words.starts[0]])
        return mark_safe(head + _marked(text, words, 0, len(words.starts) - 1, len(text)))

    def _read(self, text: str, phrases: Sequence[tuple[int, Phrase]]) -> _TextWords:
        raw, starts, ends = words_and_spans(text)
        stems = [self._stem(word) for word in raw]
        positions: dict[str, list[int]] = {}
        for position, stem in enumerate(stems):
            positions.setdefault(stem, []).append(position)
        clauses = [-1] * len(stems)

        def starts_of(phrase: Phrase) -> list[int]:
            # The beginning of a word may be that of any stem.
            first = range(len(raw)) if phrase.begins else positions.get(phrase.words[0], ())
            return [position for position in first if _is_at(phrase, position, raw, stems)]

        for number, phrase in phrases:
            for start, length in _hits(phrase, starts_of):
                clauses[start : start + length] = [number] * length
        return _TextWords(starts.tolist(), ends.tolist(), clauses)


def _hits(phrase: Phrase, starts_of: Callable[[Phrase], list[int]]) -> Iterator[tuple[int, int]]:
    """Where a phrase stands and how many words it has there; with another near it, both."""
    length = len(phrase.words)
    if phrase.near is None:
        yield from ((start, length) for start in starts_of(phrase))
        return
    other = len(phrase.near.words)
    seconds = starts_of(phrase.near)
    for start in starts_of(phrase):
        beside = bisect_left(seconds, start - other - phrase.within)
        for second in seconds[beside:]:
            if second > start + length + phrase.within:
                break
            yield start, length
            yield second, other


def _is_at(phrase: Phrase, position: int, raw: Sequence[str], stems: Sequence[str]) -> bool:
    """Whether the phrase stands at a position of a text."""
    end = position + len(phrase.words)
    if not phrase.begins:
        return tuple(stems[position:end]) == phrase.words
    *whole, beginning = phrase.words
    return (
        end <= len(raw)
        and stems[position : end - 1] == whole
        and raw[end - 1].startswith(beginning)
    )


def _best_window(clauses: Sequence[int]) -> int | None:
    """Where the window with the most different clauses, then the most search words, begins."""
    hits = [position for position, clause in enumerate(clauses) if clause >= 0]
    best: tuple[int, int, int] | None = None
    for start, position in enumerate(hits[:500]):
        inside = []
        for later in hits[start : start + WORDS]:
            if later >= position + WORDS - LEAD:
                break
            inside.append(clauses[later])
        value = (len(set(inside)), len(inside), -position)
        best = value if best is None else max(best, value)
    return None if best is None else max(0, -best[2] - LEAD)


def _marked(text: str, words: _TextWords, first: int, last: int, end: int) -> str:
    """The text from word `first` up to `end`, escaped, with search words marked."""
    pieces: list[str] = []
    at = words.starts[first]
    for i in range(first, last + 1):
        if words.clauses[i] < 0 or words.starts[i] < at:
            continue
        pieces.append(escape(text[at : words.starts[i]]))
        pieces.append(f"<mark>{escape(text[words.starts[i] : words.ends[i]])}</mark>")
        at = words.ends[i]
    pieces.append(escape(text[at:end]))
    return "".join(pieces)
