"""Indexes the pages of crawls for their collections, without delaying the crawls.

First the entries are copied from the pages' rows; then, page by page, the words of the stored
copies are indexed and near-duplicates grouped. Each step is one transaction a chunk and names its
beginning: of two workers at the same chunk one is rolled back, and a killed one has done nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.collection import full_text
from apps.collection.full_text.parts import PageWords
from apps.collection.indexing.duplicates import Printed, fold
from apps.collection.indexing.marks import mark_new
from apps.collection.indexing.resemblance import sketch
from apps.collection.models import BINS, Entry, Fingerprint, Progress
from apps.collection.shared_pages.same_page import add_to_sets
from apps.collection.stored_counts import drop_counts
from apps.crawls.models import Crawl, Page
from apps.crawls.pages.bodies import Bodies
from apps.engine.digests import digest
from apps.engine.errors import EngineError
from apps.engine.parsing.words import words
from apps.engine.representation.language_detection import detect_languages
from apps.engine.representation.tokens import Vocabulary
from apps.search.stems import stemming
from apps.stored_pages.page_text import page_text
from apps.topics.lock import lock_topic

log = logging.getLogger("crawlsite.collection")

LISTED_AT_ONCE = 2_000
INDEXED_AT_ONCE = 50
SWEPT_AT_ONCE = 500
LISTED_FIELDS = (
    "pk",
    "seq",
    "final_url",
    "canonical",
    "needs_javascript",
    "rendered",
    "kind",
    "host",
    "fetched_at",
    "topicality",
    "topicality_at_end",
    "status",
    "votes",
    "votes_of",
    "relevant",
    "target",
    "seed",
    "http_status",
)


@dataclass(frozen=True, slots=True)
class _UnstemmedPage:
    """A page with its words as they are in the page."""

    page: Page
    title: list[str]
    text: list[str]


def progress_of(crawl: Crawl) -> Progress | None:
    """How far the crawl is indexed; the row is made if there is none. None if the crawl has been
    deleted."""
    progress = Progress.objects.filter(crawl=crawl).first()
    if progress is not None:
        return progress
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        if not Crawl.objects.filter(pk=crawl.pk).exists():
            return None
        return Progress.objects.get_or_create(crawl=crawl)[0]


def list_pages(crawl: Crawl, most: int | None = None) -> int:
    """Makes entries for every page of the crawl, or for `most` more of them; returns their
    number."""
    listed = 0
    while most is None or listed < most:
        room = LISTED_AT_ONCE if most is None else min(LISTED_AT_ONCE, most - listed)
        done = _list_chunk(crawl, room)
        listed += done
        if not done:
            break
    return listed


def _list_chunk(crawl: Crawl, most: int) -> int:
    """Makes entries for the next pages; returns their number."""
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        progress = progress_of(crawl)
        if progress is None:
            return 0
        before = progress.listed
        pages = list(Page.objects.filter(crawl=crawl, seq__gt=before).only(*LISTED_FIELDS)[:most])
        if not pages:
            return 0
        mine = Progress.objects.filter(crawl=crawl, listed=before).update(listed=pages[-1].seq)
        if mine:
            drop_counts([crawl.topic_id])
            addresses = [digest(page.final_url) for page in pages]
            sets = add_to_sets(crawl, addresses)
            Entry.objects.bulk_create(
                entry_of(crawl, page, address, sets[address])
                for page, address in zip(pages, addresses, strict=True)
            )
            mark_new(crawl, after=before)
        return len(pages)


def entry_of(crawl: Crawl, page: Page, address: int, crawl_set: int) -> Entry:
    """The entry of a page; `address` is the digest of its final URL."""
    return Entry(
        page_id=page.pk,
        topic_id=crawl.topic_id,
        crawl_id=crawl.pk,
        seq=page.seq,
        verdict=_verdict(page),
        target=page.target,
        seed=page.seed,
        **_topicality(page),
        status=page.status,
        day=page.fetched_at.date(),
        host=page.host,
        http_status=page.http_status,
        needs_javascript=page.needs_javascript,
        rendered=page.rendered,
        kind=page.kind,
        address=address,
        crawl_set=crawl_set,
        canonical=digest(page.canonical) if page.canonical else None,
    )


def order_pages(crawl: Crawl) -> None:
    """Gives the entries of a crawl the topicality that its pages have at its end.

    An update for each row takes a tenth of the time of one with a case for each row: it lies in the
    transaction of the crawl's end.
    """
    pages = Page.objects.filter(crawl=crawl).exclude(topicality_at_end=None)
    rows = [
        {"page": page.pk, **_topicality(page)}
        for page in pages.only("topicality", "topicality_at_end")
    ]
    drop_counts([crawl.topic_id])
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE collection_entry SET topicality = %(topicality)s, tau_bin = %(tau_bin)s "
            "WHERE page_id = %(page)s",
            rows,
        )


def _topicality(page: Page) -> dict[str, Any]:
    """The columns of an entry that say how likely its page is on the topic."""
    tau = page.latest_topicality
    return {"topicality": tau, "tau_bin": -1 if tau is None else min(BINS - 1, int(tau * BINS))}


def _verdict(page: Page) -> int:
    if page.relevant is None or page.votes is None or page.votes_of is None:
        return -1
    return 10 * page.votes_of + page.votes if page.relevant else 0


def index_texts(crawl: Crawl, heartbeat: Callable[[], bool] = lambda: True) -> bool:
    """Indexes the words of the pages that have an entry; returns whether all of them are done.

    `heartbeat` is called between chunks of 50. A page whose stored copy is gone has no words.
    """
    with Bodies(crawl) as bodies:
        while heartbeat():
            if not _index_chunk(crawl, bodies):
                return True
    return False


def _index_chunk(crawl: Crawl, bodies: Bodies) -> bool:
    progress = progress_of(crawl)
    if progress is None:
        return False
    pages = list(
        Page.objects.filter(crawl=crawl, seq__gt=progress.indexed, seq__lte=progress.listed)[
            :INDEXED_AT_ONCE
        ]
    )
    if not pages:
        return False
    read = [_read(bodies, page) for page in pages]
    language = progress.language
    if language is None:
        texts = [page.text for page in read]
        language = crawl.topic.language or detect_languages(texts) or ""
    stemmed, printed = _stemmed(read, language), [_printed(page) for page in read]
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        mine = Progress.objects.filter(crawl=crawl, indexed=progress.indexed).update(
            indexed=pages[-1].seq, language=language, indexed_at=timezone.now()
        )
        if mine:
            full_text.write_words(stemmed)
            fold(crawl.topic_id, printed)
    return True


def _read(bodies: Bodies, page: Page) -> _UnstemmedPage:
    try:
        text = page_text(bodies.answer(page))
    except EngineError as error:
        log.warning("crawl %s: %s", page.crawl_id, error)
        return _UnstemmedPage(page, words(page.title), [])
    return _UnstemmedPage(page, words(text.title or page.title), words(text.text))


def _stemmed(pages: Sequence[_UnstemmedPage], language: str) -> list[PageWords]:
    vocabulary = Vocabulary(language)
    read_in = [vocabulary.language_of(page.text) for page in pages]
    stems = {code: cache(stemming(code)) for code in set(read_in)}
    return [
        PageWords(page.page.pk, [*map(stems[code], page.title)], [*map(stems[code], page.text)])
        for page, code in zip(pages, read_in, strict=True)
    ]


def stemmed_words(crawl: Crawl, pages: Sequence[Page], language: str) -> list[PageWords]:
    """The words of pages for the index, read from their stored copies."""
    with Bodies(crawl) as bodies:
        return _stemmed([_read(bodies, page) for page in pages], language)


def _printed(read: _UnstemmedPage) -> Printed:
    page = read.page
    return Printed(
        page=page.pk,
        crawl=page.crawl_id,
        address=digest(page.final_url),
        canonical=digest(page.canonical) if page.canonical else None,
        sketch=sketch(read.text),
        words=len(read.text),
    )


def sweep(anew: bool = False) -> None:
    """Deletes the words of deleted crawls from the index; call it from time to time. `anew` leaves
    none of them, where the index cannot delete them one by one.

    If the index has to be made anew, groups of near-duplicates are taken apart first, some rows a
    transaction, so that the last one, from which on pages are indexed again, finds few of them.
    After a kill the next sweep goes on.
    """
    full_text.delete_replaced()
    if not full_text.forget_lost_pages() and not (anew and full_text.has_hidden_pages()):
        return
    folded, prints = Entry.objects.exclude(fold=None).order_by(), Fingerprint.objects.order_by()
    while keys := list(folded.values_list("pk", flat=True)[:SWEPT_AT_ONCE]):
        _take_apart(Entry.objects.filter(pk__in=keys).order_by())
    while keys := list(prints.values_list("pk", flat=True)[:SWEPT_AT_ONCE]):
        Fingerprint.objects.filter(pk__in=keys).delete()
    with transaction.atomic():
        Progress.objects.update(indexed=0, language=None)
        full_text.begin_anew()
        prints.delete()
        _take_apart(folded)
    full_text.delete_replaced()


def _take_apart(folded: QuerySet[Entry]) -> None:
    """Leaves these pages in no group of near-duplicates."""
    with transaction.atomic():
        drop_counts(folded.values_list("topic", flat=True).distinct())
        folded.update(fold=None)
