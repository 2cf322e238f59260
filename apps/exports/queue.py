"""The frontier as CSV: the links that a crawl would fetch next, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.crawls.models import Crawl, FrontierEntry
from apps.crawls.pages.folder import crawl_folder
from apps.engine import checkpoint
from apps.engine.errors import BadCheckpoint
from apps.engine.urls import host
from apps.exports.csv import CsvLines
from apps.exports.format import DownloadSample, Format, Size
from apps.exports.rows import Selection
from apps.stored_files.files import local

CHUNK = 500
WEIGHED = 40
REST = 50
"""The approximate bytes of a line without its URL and its parent's, which are taken to be as
long."""
COLUMNS = (
    "number",
    "url",
    "host",
    "priority",
    "priority_from",
    "parents",
    "depth",
    "parent_url",
    "crawl",
)
INSERTION, CHECKPOINT, HEAD = "insertion", "checkpoint", "queue head"
_SOURCES = (INSERTION, CHECKPOINT, HEAD)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Waiting links as columns, by current priority; `parents` is 0 if unknown."""

    numbers: NDArray[np.int64]
    priorities: NDArray[np.float64]
    parents: NDArray[np.int32]
    sources: NDArray[np.int8]


def export(selection: Selection) -> Iterator[bytes]:
    """CSV (UTF-8) with a heading, one line for each waiting link, each crawl's by priority.

    The priority is the current one if it is stored: for the first hundred in the crawl's row
    (`queue head`), for the others in the last checkpoint; a newer link has that of its
    insertion. `priority_from` names it. `parents` counts the links to it, empty if that is not
    stored; `parent_url` is the page whose link gave the priority.
    """
    lines = CsvLines(COLUMNS)
    yield lines.heading()
    for crawl in selection.crawls:
        waiting = _waiting(crawl)
        for start in range(0, len(waiting.numbers), CHUNK):
            yield from map(lines.line, _chunk(crawl, waiting, slice(start, start + CHUNK)))


def count(selection: Selection) -> int:
    """How many links wait."""
    return sum(crawl.waiting for crawl in selection.crawls)


def _size(sample: DownloadSample) -> Size:
    """Estimated from the newest links of the crawl with the most: an index has one crawl's in their
    order, of several all would be sorted."""
    fullest = max(sample.whole.crawls, key=lambda crawl: crawl.waiting, default=None)
    waiting = FrontierEntry.objects.filter(crawl=fullest, state=FrontierEntry.State.WAITING)
    some = list(waiting.order_by("-number").values_list("url", flat=True)[:WEIGHED])
    each = sum(2 * len(url.encode()) + len(host(url)) + REST for url in some) / max(1, len(some))
    number = count(sample.whole)
    return Size(number * each, exact=number == 0)


def _chunk(crawl: Crawl, waiting: _Waiting, part: slice) -> Iterator[dict[str, Any]]:
    numbers = waiting.numbers[part].tolist()
    entries = FrontierEntry.objects.filter(crawl=crawl)
    rows = {e.number: e for e in entries.filter(number__in=numbers)}
    above = {entry.parent for entry in rows.values() if entry.parent >= 0}
    parents = dict(entries.filter(number__in=above).values_list("number", "url"))
    columns = (waiting.priorities[part], waiting.parents[part], waiting.sources[part])
    for number, priority, seen, source in zip(numbers, *(c.tolist() for c in columns), strict=True):
        entry = rows.get(number)
        if entry is None or entry.state != FrontierEntry.State.WAITING:
            continue  # fetched while the file was written
        yield {
            "number": number,
            "url": entry.url,
            "host": host(entry.url),
            "priority": priority,
            "priority_from": _SOURCES[source],
            "parents": seen or None,
            "depth": entry.depth,
            "parent_url": parents.get(entry.parent),
            "crawl": crawl.pk,
        }


def _waiting(crawl: Crawl) -> _Waiting:
    rows = FrontierEntry.objects.filter(crawl=crawl, state=FrontierEntry.State.WAITING)
    dtype = np.dtype([("number", np.int64), ("priority", np.float64)])
    pairs = rows.order_by("number").values_list("number", "priority").iterator(5_000)
    table = np.fromiter(pairs, dtype)
    numbers, priorities = table["number"].copy(), table["priority"].copy()
    parents = np.zeros(len(numbers), np.int32)
    sources = np.zeros(len(numbers), np.int8)
    _from_checkpoint(crawl, numbers, priorities, parents, sources)
    _from_head(crawl, numbers, priorities, parents, sources)
    order = np.lexsort((numbers, -priorities))
    return _Waiting(numbers[order], priorities[order], parents[order], sources[order])


def _from_checkpoint(
    crawl: Crawl, numbers: Any, priorities: Any, parents: Any, sources: Any
) -> None:
    """Fills in the values of the last checkpoint; one that cannot be read changes nothing."""
    if not crawl.checkpoint:
        return
    try:
        kept = checkpoint.read(local(crawl_folder(crawl.pk) / crawl.checkpoint), part="frontier")
    except BadCheckpoint:
        return
    present = numbers < len(kept["priority"])
    priorities[present] = kept["priority"][numbers[present]]
    parents[present] = kept["_seen"][numbers[present]]
    sources[present] = _SOURCES.index(CHECKPOINT)


def _from_head(crawl: Crawl, numbers: Any, priorities: Any, parents: Any, sources: Any) -> None:
    """Fills in the head of the frontier as of the last commit."""
    for link in crawl.queue_head:
        index = int(np.searchsorted(numbers, link["number"]))
        if index < len(numbers) and numbers[index] == link["number"]:
            priorities[index], parents[index] = link["priority"], link["parents"]
            sources[index] = _SOURCES.index(HEAD)


QUEUE = Format(
    id="queue",
    title="Queue",
    words="waiting links, CSV",
    sentence="The links that still wait, best first. Filters of pages do not apply to it.",
    content_type="text/csv; charset=utf-8",
    extension="queue.csv",
    export=export,
    size=_size,
    unit="waiting link",
    count=count,
)
