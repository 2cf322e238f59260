"""What has changed in one line: dates, numbers and names first, else the longest new sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.watches.text_changes.passing_values import read_words

LONGEST = 160
"""Characters of a sentence in a line."""
CONTEXT = 6
"""Words before a figure that has changed."""
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])\s*|\n+")
Edited = Sequence[tuple[str, str]]
"""The words of a passage in order: `same`, `in` or `out`, and the text."""


@dataclass(frozen=True, slots=True)
class Headline:
    """One line: `context` is the text before or beside it, `words_out` and `words_in` the old and
    the new text. Of a sentence that is new, or gone, one of them is empty."""

    context: str = ""
    words_out: str = ""
    words_in: str = ""

    @property
    def text(self) -> str:
        """`Closing date: 28 November → 16 January 2027`."""
        if self.words_out and self.words_in:
            return f"{self.context} {self.words_out} → {self.words_in}".strip()
        if self.words_in:
            return f"{self.context} {self.words_in}".strip()
        return f"{self.context} no longer: {self.words_out}".strip() if self.words_out else ""


def headline_of(passages: Iterable[Edited]) -> Headline:
    """The line for all passages that have changed, in the order of the text."""
    edited = list(passages)
    figures = [line for passage in edited for line in _moved_figures(passage)]
    if figures:
        return figures[0]
    sentences_in = [s for passage in edited for s in _sentences(passage, "in")]
    if sentences_in:
        return Headline("", "", cut_sentence(max(sentences_in, key=_weight)))
    sentences_out = [s for passage in edited for s in _sentences(passage, "out")]
    best = max(sentences_out, key=_weight, default="")
    return Headline("", cut_sentence(best), "")


def _moved_figures(passage: Edited) -> Iterator[Headline]:
    """Dates, numbers and names that have become others, with the words before them."""
    for at in range(len(passage) - 1):
        (first, gone), (second, come) = passage[at], passage[at + 1]
        is_replaced = (first, second) == ("out", "in")
        if is_replaced and all(_is_figure(text) for text in (gone, come)):
            before = "".join(text for edit, text in passage[:at] if edit != "out")
            yield Headline(_last_words(before), gone.strip(" ,;.。"), come.strip(" ,;.。"))


def _is_figure(text: str) -> bool:
    """Whether a few words have a date, a number or a name."""
    if len(text.split()) > CONTEXT:
        return False
    return any(word.is_figure for word in read_words(text)) or any(
        word[:1].isupper() and len(word) > 2 for word in text.split()
    )


def _last_words(text: str) -> str:
    sentence = _SENTENCE.split(text)[-1]
    words = sentence.split()
    return ("… " if len(words) > CONTEXT else "") + " ".join(words[-CONTEXT:])


def _sentences(passage: Edited, edit: str) -> Iterator[str]:
    """The sentences, as they are or were, in which words are in, or out."""
    other = "out" if edit == "in" else "in"
    marked = "".join(
        f"\x02{text}\x03" if kind == edit else text for kind, text in passage if kind != other
    )
    is_within = False
    for sentence in _SENTENCE.split(marked):
        touched = is_within or "\x02" in sentence
        last = max(sentence.rfind("\x02"), sentence.rfind("\x03"))
        is_within = sentence[last] == "\x02" if last >= 0 else is_within
        plain = sentence.replace("\x02", "").replace("\x03", "").strip()
        if touched and plain:
            yield plain


def _weight(sentence: str) -> tuple[bool, int]:
    """Sentences with dates and numbers come first, then long ones."""
    return any(word.is_figure for word in read_words(sentence)), len(sentence)


def cut_sentence(sentence: str) -> str:
    """The sentence, cut at a word if it is too long for a line."""
    if len(sentence) <= LONGEST:
        return sentence
    short = sentence[:LONGEST].rsplit(" ", 1)[0]
    return f"{short if len(short) > LONGEST // 2 else sentence[:LONGEST]} …"
