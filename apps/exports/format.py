"""The declaration of a download format, read by all surfaces that offer downloads."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec

from django.template.defaultfilters import filesizeformat

from apps.crawls.models import Page
from apps.exports.columns import COLUMNS, LABELS, OF_TEXT, SIMILARITY, USUAL, RowColumn
from apps.exports.labels import LabelColumns
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
class DownloadSample:
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
    format whose rows are not pages; filters of pages do not apply to it. `columns` are those that
    are usual for it, none for a format without columns. `package` is the one that an extra brings
    and without which it cannot be written.
    """

    id: str
    title: str
    words: str
    sentence: str
    content_type: str
    extension: str
    export: Export
    size: Callable[[DownloadSample], Size]
    unit: str = "row"
    count: Callable[[Selection], int] | None = None
    columns: tuple[str, ...] = ()
    package: str = ""

    @property
    def holds_pages(self) -> bool:
        return self.count is None

    @property
    def missing(self) -> str:
        """The package that is missing to write it, or an empty string: `Parquet needs pyarrow,
        which is …`."""
        if not self.package or find_spec(self.package) is not None:
            return ""
        return f"{self.title} needs {self.package}, which is not installed on this machine"


def columns_of(selection: Selection, usual: tuple[str, ...] = USUAL) -> tuple[RowColumn, ...]:
    """The columns of the rows, in their order, with one for each person in place of `labels`;
    `label` if there is no column without it. Unless columns are chosen, those of a search for near
    pages have their similarity."""
    if selection.nearness is not None:
        usual = (*usual, SIMILARITY)
    return expanded(selection.columns or usual, selection.labels) or (COLUMNS["label"],)


def expanded(names: Iterable[str], labels: LabelColumns) -> tuple[RowColumn, ...]:
    """The columns with these names, with one for each person in place of `labels`."""
    of_people = labels.columns
    return tuple(
        column for name in names for column in (of_people if name == LABELS else (COLUMNS[name],))
    )


def length(pieces: Iterable[bytes]) -> int:
    """The total bytes of the pieces."""
    return sum(map(len, pieces))


def size_of_rows(export: Export, sample: DownloadSample, usual: tuple[str, ...] = USUAL) -> Size:
    """Estimates the size of a format with columns from the sampled rows."""
    if OF_TEXT & {*(sample.few.columns or usual)}:
        return size_by_words(export, sample)
    return Size(sample.share * length(export(sample.few)), len(sample.pages) == sample.rows)


def size_by_words(export: Export, sample: DownloadSample, frame: int = 0) -> Size:
    """Estimates the size of a format that holds the pages' words, from their lengths; `frame` are
    the bytes of a file without pages."""
    read = sample.pages[:READ]
    some = length(export(_of(sample, *(page.pk for page in read)))) - frame
    words, all_words = (sum(page.words + 1 for page in pages) for pages in (read, sample.pages))
    exact = sample.share == 1 and len(read) == len(sample.pages)
    return Size(frame + sample.share * some * all_words / max(1, words), exact)


def size_of_package(
    export: Export, sample: DownloadSample, has_words: bool, frame: int | None = None
) -> Size:
    """Estimates the size of a format with parts of its own beside the pages, which are `frame`
    bytes; without it they are written to be measured."""
    frame = length(export(_of(sample))) if frame is None else frame
    if has_words:
        return Size(size_by_words(export, sample, frame).bytes, exact=False)
    return Size(frame + sample.share * (length(export(sample.few)) - frame), exact=False)


def _of(sample: DownloadSample, *keys: int) -> Selection:
    return replace(sample.few, keys=array("q", keys))
