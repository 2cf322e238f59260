"""The text of a page without the words of its URL, to compare the pages of one section.

A program that generates URLs repeats parts of them on its pages, such as the year of a calendar or
the id of a missing page. Such words carry no information; the numbers of a table do.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from urllib.parse import unquote

from apps.engine.frontier.sections import all_below, below, mixes, section_of, shape_of
from apps.engine.numbered_words import NumberedWords

MOST_LINKS = 200
DEEP = 5

_RUN = re.compile(r"[^\W_]+")


class PageText:
    """A page's `section`, the `shape` of its URL below the section, its `links`, its distinct
    `words`, their number `size` and their hash `mark`.

    Built from the visible `words` (lower case) and `links` (canonical URLs). Words that come from
    its URL, or from a URL of the same section on it, are left out. `mark_and_size` are
    given if they were computed before. Words, mark and size are computed on demand: for most pages
    never.
    """

    def __init__(
        self,
        url: str,
        words: Sequence[str],
        links: Sequence[str],
        mark_and_size: tuple[int, int] | None = None,
    ) -> None:
        self.url = url
        self.section = section_of(url)
        self.shape = shape_of(below(url, self.section) or "")
        self._all = words
        self.links = links
        self._given = mark_and_size

    @property
    def mark(self) -> int:
        return self._mark_and_size[0]

    @cached_property
    def whole_mark(self) -> int:
        """The hash of all its distinct words, with those of URLs."""
        return mark_of(" ".join(sorted(_distinct(self._all))))

    @property
    def size(self) -> int:
        return self._mark_and_size[1]

    @cached_property
    def _mark_and_size(self) -> tuple[int, int]:
        return self._given or (mark_of(" ".join(self._sorted)), len(self._sorted))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self._sorted)

    @cached_property
    def _sorted(self) -> list[str]:
        """The `words` in order, in which those that begin with a zero are side by side."""
        made_up = _made_up(self.url, self.section, self.links)
        words = sorted(_distinct(self._all) - made_up)
        zeros = slice(bisect_left(words, "0"), bisect_left(words, "1"))
        words[zeros] = [word for word in words[zeros] if word.lstrip("0") not in made_up]
        return words


def _distinct(words: Sequence[str]) -> frozenset[str]:
    return words.distinct() if isinstance(words, NumberedWords) else frozenset(words)


def mark_of(text: str) -> int:
    """A 64-bit hash of a text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _made_up(url: str, section: str, links: Sequence[str]) -> frozenset[str]:
    """The words of generated URLs, without leading zeros.

    These are all words with a digit. If the last segments of most neighbours mix letters and
    digits, they include last segments that have no digit by chance. Deep in a tree that only leads
    deeper, they include all its names.
    """
    rest = below(url, section) or ""
    others = list(all_below(links[:MOST_LINKS], section))
    words = _words(unquote(" ".join((rest, *others))))
    generated = {_bare(word) for word in words if not word.isalpha()}
    leaves = [part.rstrip("/").rpartition("/")[2] for part in others if part != rest]
    if 2 * sum(map(mixes, leaves)) > len(leaves):
        generated.update(unquote(leaf).lower() for leaf in leaves)
    if url.count("/") - 3 >= DEEP and _only_leads_deeper(url, links):
        generated.update(words)
    return frozenset(generated)


def _only_leads_deeper(url: str, links: Sequence[str]) -> bool:
    """Whether a folder's links lead only to its sub-folders and its parent folders."""
    folder = url.partition("?")[0].rpartition("/")[0] + "/"
    inside = [link for link in links if link.startswith(folder) and len(link) > len(folder)]
    return bool(inside) and all(
        link.startswith(folder) or folder.startswith(link)
        for link in links[:MOST_LINKS]
        if section_of(link) == section_of(url)
    )


def _bare(word: str) -> str:
    """A number without leading zeros: a month may be written with or without them."""
    return word.lstrip("0") or word


def _words(text: str) -> set[str]:
    """The distinct words of URLs, in lower case."""
    if text.isascii():
        return set(_RUN.findall(text.lower()))
    return {run.lower() for run in _RUN.findall(text)}
