"""Groups of near-duplicate pages, so that a list shows one of each.

Pages of a topic are grouped if they have the same final address (crawls of one topic often fetch
the same pages), if one names the other by rel=canonical and their texts are not unrelated, or if
their texts are nearly the same (`resemblance.NEAR`). Texts are compared with the first of each
group only, so that a group does not drift.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Q, QuerySet

from apps.collection.indexing.resemblance import (
    BANDS,
    LOOSELY_NEAR,
    Sketch,
    are_near,
    bands,
    resemblance,
)
from apps.collection.models import Entry, Fingerprint
from apps.collection.stored_counts import drop_counts

COLUMNS = tuple(f"band_{band}" for band in range(BANDS))


@dataclass(frozen=True, slots=True)
class Printed:
    """A page to be grouped; addresses are digests, `canonical` is None if none is named."""

    page: int
    crawl: int
    address: int
    canonical: int | None
    sketch: Sketch
    words: int


def fold(topic_id: int, pages: Sequence[Printed]) -> None:
    """Adds new pages of a topic to their groups, or stores them as the first of a new one.

    Call it in the transaction that indexes the pages; they must have an Entry.
    """
    topic_pages = _TopicPages(topic_id, pages)
    members: dict[int, list[int]] = {}
    firsts = []
    for page in pages:
        first = topic_pages.first_of(page)
        if first is None:
            firsts.append(_fingerprint(topic_id, page))
            first = page.page
        else:
            members.setdefault(first, []).append(page.page)
        topic_pages.add(page, first)
    Fingerprint.objects.bulk_create(firsts)
    if members:
        drop_counts([topic_id])
    for first, others in members.items():
        Entry.objects.filter(page_id__in=[first, *others]).update(fold=first)


def _fingerprint(topic_id: int, page: Printed) -> Fingerprint:
    values = dict(zip(COLUMNS, bands(page.sketch), strict=True))
    return Fingerprint(
        page_id=page.page,
        topic_id=topic_id,
        crawl_id=page.crawl,
        words=page.words,
        sketch=page.sketch.astype("<u4").tobytes(),
        **values,
    )


class _TopicPages:
    """The firsts that the pages are compared with: those stored, and those among the pages."""

    def __init__(self, topic_id: int, pages: Sequence[Printed]) -> None:
        self._prints: dict[int, tuple[Sketch, int]] = {}
        self._by_band: dict[tuple[int, int], list[int]] = {}
        self._by_address: dict[int, int] = {}
        self._by_canonical: dict[int, int] = {}
        self._read_texts(topic_id, pages)
        self._read_addresses(topic_id, pages)

    def first_of(self, page: Printed) -> int | None:
        """The first of the page's group, or None if it starts a new one."""
        same = self._by_address.get(page.address)
        if same is not None:
            return same
        named = {self._by_canonical.get(page.address)}
        if page.canonical is not None:
            named |= {self._by_address.get(page.canonical), self._by_canonical.get(page.canonical)}
        for first in sorted(first for first in named if first is not None):
            if resemblance(self._prints[first][0], page.sketch) >= LOOSELY_NEAR:
                return first
        return self._first_alike(page)

    def add(self, page: Printed, first: int) -> None:
        """Registers a page that later pages may be grouped with."""
        if first == page.page:
            self._add_print(first, page.sketch, page.words)
        self._by_address.setdefault(page.address, first)
        if page.canonical is not None:
            self._by_canonical.setdefault(page.canonical, first)

    def _first_alike(self, page: Printed) -> int | None:
        candidates = {
            first for band in enumerate(bands(page.sketch)) for first in self._by_band.get(band, ())
        }
        for first in sorted(candidates):
            if are_near(page.sketch, page.words, *self._prints[first]):
                return first
        return None

    def _add_print(self, first: int, sketch: Sketch, words: int) -> None:
        if first in self._prints:
            return
        self._prints[first] = (sketch, words)
        for band in enumerate(bands(sketch)):
            self._by_band.setdefault(band, []).append(first)

    def _read_texts(self, topic_id: int, pages: Sequence[Printed]) -> None:
        all_bands = [bands(page.sketch) for page in pages if page.words]
        for name, values in zip(COLUMNS, zip(*all_bands, strict=True), strict=False):
            self._read_rows(
                Fingerprint.objects.filter(topic_id=topic_id, **{f"{name}__in": {*values}})
            )

    def _read_addresses(self, topic_id: int, pages: Sequence[Printed]) -> None:
        digests = {page.address for page in pages} | {page.canonical for page in pages}
        digests.discard(None)
        entries = Entry.objects.filter(
            Q(address__in=digests) | Q(canonical__in=digests), topic_id=topic_id
        ).exclude(page_id__in=[page.page for page in pages])
        columns = ("page_id", "fold", "address", "canonical")
        rows = list(entries.order_by("page_id").values_list(*columns))
        self._read_prints(fold or page for page, fold, _, _ in rows)
        for page, first, address, canonical in rows:
            group = first or page
            if group not in self._prints:
                continue  # its own text is indexed later and is then compared with these pages
            if address in digests:
                self._by_address.setdefault(address, group)
            if canonical is not None and canonical in digests:
                self._by_canonical.setdefault(canonical, group)

    def _read_prints(self, firsts: Iterable[int]) -> None:
        wanted = set(firsts) - set(self._prints)
        self._read_rows(Fingerprint.objects.filter(page_id__in=wanted))

    def _read_rows(self, rows: QuerySet[Fingerprint]) -> None:
        columns = rows.order_by().values_list("page_id", "sketch", "words")
        for page, sketch, words in columns:
            self._add_print(page, np.frombuffer(bytes(sketch), "<u4"), words)
