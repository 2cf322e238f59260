"""What every format of a download declares; all surfaces that offer downloads read it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from django.template.defaultfilters import filesizeformat

from apps.crawls.models import Page
from apps.exports.rows import Selection

READ = 8
"""How many of the sampled pages are read whole, for the formats that hold their words."""

Export = Callable[[Selection], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a file in bytes; not `exact` if estimated from a part of its rows."""

    bytes: float
    exact: bool

    @property
    def words(self) -> str:
        """`612.0 KB`, with ≈ before an estimate."""
        return f"{'' if self.exact else '≈ '}{filesizeformat(self.bytes)}"


@dataclass(frozen=True, slots=True)
class Sample:
    """Some `pages` of the `rows` of a download (`few` selects them), and the `whole` selection."""

    whole: Selection
    few: Selection
    pages: list[Page]
    rows: int

    @property
    def share(self) -> float:
        """The ratio of the whole to the sample."""
        return self.rows / max(1, len(self.pages))


@dataclass(frozen=True, slots=True)
class Format:
    """One format of a download.

    `words` describe it in the menu, `sentence` in the help. `export` writes it; `size` estimates
    the file beforehand and may raise EngineError. `unit` names a row. `count` counts the rows of a
    format whose rows are not pages; filters of pages do not apply to it. `takes_text` says whether
    it can hold the pages' words.
    """

    id: str
    title: str
    words: str
    sentence: str
    content_type: str
    extension: str
    export: Export
    size: Callable[[Sample], Size]
    unit: str = "row"
    count: Callable[[Selection], int] | None = None
    takes_text: bool = False

    @property
    def holds_pages(self) -> bool:
        return self.count is None


def length(pieces: Iterable[bytes]) -> int:
    """The total bytes of the pieces."""
    return sum(map(len, pieces))


def size_by_words(export: Export, sample: Sample) -> Size:
    """Estimates the size of a format that holds the pages' words, from their lengths."""
    read = sample.pages[:READ]
    some = length(export(replace(sample.few, found=array("q", (page.pk for page in read)))))
    words, all_words = (sum(page.words + 1 for page in pages) for pages in (read, sample.pages))
    exact = sample.share == 1 and len(read) == len(sample.pages)
    return Size(sample.share * some * all_words / max(1, words), exact)
