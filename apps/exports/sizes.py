"""How large the files of a search will be, reckoned from a few of its pages."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from django.template.defaultfilters import filesizeformat

from apps.crawls.models import Crawl, Outlinks, Page
from apps.crawls.records import unpacked
from apps.engine.errors import EngineError
from apps.exports import csv, gexf, jsonl, queue, warc
from apps.exports.rows import Selection

READ = 8
"""Of the sampled pages as many are read whole, for the formats that hold their words."""
EDGE_BYTES = 62


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes of a file; not `exact` where they are reckoned from a part of its rows."""

    bytes: float
    exact: bool

    @property
    def words(self) -> str:
        """`612.0 KB`, with ≈ before what is estimated."""
        return f"{'' if self.exact else '≈ '}{filesizeformat(self.bytes)}"


def sizes(selection: Selection, sample: array[int], rows: int) -> dict[str, Size]:
    """By format the size of a file of `rows` pages, `sample` being some of them.

    A format is left out where the stored copies that it needs cannot be read.
    """
    few = replace(selection, found=sample)
    pages = [page for chunk in few.chunks() for page in chunk]
    share = rows / max(1, len(pages))
    known = {
        "csv": lambda: Size(share * _length(csv.export(few)), len(pages) == rows),
        "jsonl": lambda: _of_whole(jsonl.export, few, pages, share),
        "warc": lambda: _of_whole(warc.export, few, pages, share),
        "gexf": lambda: _of_graph(few, pages, rows),
        "queue": lambda: Size(*queue.weigh(selection)),
    }
    return {name: size for name, reckon in known.items() if (size := _read(reckon)) is not None}


def _read(reckon: Callable[[], Size]) -> Size | None:
    try:
        return reckon()
    except EngineError:
        return None


def _length(pieces: Iterable[bytes]) -> int:
    return sum(map(len, pieces))


def _of_whole(
    export: Callable[[Selection], Iterable[bytes]], few: Selection, pages: list[Page], share: float
) -> Size:
    """What holds the words of pages grows with them."""
    read = pages[:READ]
    length = _length(export(replace(few, found=array("q", (page.pk for page in read)))))
    words, all_words = (sum(page.words + 1 for page in some) for some in (read, pages))
    return Size(share * length * all_words / max(1, words), share == 1 and len(read) == len(pages))


def _of_graph(few: Selection, pages: list[Page], rows: int) -> Size:
    """Links to pages of the crawl are taken to lead into the file as often as pages are in it."""
    length = len(gexf.nodes(pages))
    links = sum(_links(crawl, [p.seq for p in pages if p.crawl_id == crawl.pk])
                for crawl in few.crawls)  # fmt: skip
    inside = min(1.0, rows / max(1, sum(crawl.pages for crawl in few.crawls)))
    return Size((length + links * inside * EDGE_BYTES) * rows / max(1, len(pages)), exact=False)


def _links(crawl: Crawl, seqs: list[int]) -> int:
    """How many links to fetched pages stand on some pages."""
    targets = [
        unpacked(row.targets) for row in Outlinks.objects.filter(crawl=crawl, seq__in=seqs)
    ]
    numbers = [number for found in targets for number in {*found.tolist()}]
    fetched = Page.objects.filter(crawl=crawl, number__in=numbers)
    known = set(fetched.values_list("number", flat=True))
    return sum(number in known for number in numbers)
