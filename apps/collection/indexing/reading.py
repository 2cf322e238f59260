"""Reads the pages of crawls as a person does, after their words are indexed.

Each chunk is one transaction and names where it began, as in `indexing`. When the extraction has
another version, a crawl's pages are read anew from the first; until then the former texts stay.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.collection.models import UNDETERMINED, Entry, MainText, Progress
from apps.collection.stored_counts import drop_counts
from apps.crawls.models import Crawl, Page
from apps.crawls.opt_outs.selectors import SiteReservations
from apps.crawls.pages.bodies import Bodies
from apps.engine.errors import EngineError
from apps.main_text.article import VERSION, Article, pack
from apps.main_text.fast import word_count
from apps.main_text.reader import READER, Reader
from apps.search.published import UNDATED, month_number
from apps.topics.lock import lock_topic

log = logging.getLogger("crawlsite.collection")

_OF_THE_PAGE = "as the page says"
DATE_SOURCES = {
    "head": _OF_THE_PAGE,
    "page": _OF_THE_PAGE,
    "address": "from the address",
    "title": "at its title",
    "file": "in the file",
}
"""What names the date of a page, in words."""
READ_AT_ONCE = 20
READ = ("blocks", "title", "author", "languages", "words", "signs")
PUBLISHED = ("published", "published_source", "published_precision")
MARKED = ("language", "published", "published_month", "reserved")


def unread() -> Q:
    """The Progress of crawls with indexed pages that this version has not read."""
    return Q(read__lt=F("indexed")) | (~Q(reader=VERSION) & Q(indexed__gt=0))


def main_texts(pages: Sequence[int], with_blocks: bool = True) -> dict[int, MainText]:
    """The main texts of pages, by key; those that have not been read are left out. Without their
    blocks, these are read only if asked for."""
    rows = MainText.objects.all()
    return (rows if with_blocks else rows.defer("blocks")).in_bulk(list(pages))


def read_pages(
    progress: Progress, heartbeat: Callable[[], bool] = lambda: True, reader: Reader = READER
) -> bool:
    """Reads a crawl's indexed pages; returns whether all of them are read.

    `heartbeat` is called between chunks of 20. A page whose stored copy is gone, or that the reader
    cannot read, has no main text.
    """
    _begin_anew(progress)
    with Bodies(progress.crawl) as bodies:
        while heartbeat():
            if not _read_chunk(progress.crawl, bodies, reader):
                return True
    return False


def _begin_anew(progress: Progress) -> None:
    rows = Progress.objects.filter(crawl=progress.crawl_id).exclude(reader=VERSION)
    rows.update(read=0, vectored=0, reader=VERSION)


def _read_chunk(crawl: Crawl, bodies: Bodies, reader: Reader) -> bool:
    row = Progress.objects.filter(crawl=crawl).values_list("read", "indexed").first()
    if row is None:
        return False
    before, indexed = row
    pages = list(Page.objects.filter(crawl=crawl, seq__gt=before, seq__lte=indexed)[:READ_AT_ONCE])
    if not pages:
        return False
    articles = [_article(bodies, page, reader) for page in pages]
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        mine = Progress.objects.filter(crawl=crawl, read=before, reader=VERSION).update(
            read=pages[-1].seq, read_at=timezone.now()
        )
        if mine:
            _write(crawl, pages, articles)
    return True


def _article(bodies: Bodies, page: Page, reader: Reader) -> Article:
    try:
        answer = bodies.answer(page)
    except EngineError as error:
        log.warning("crawl %s: %s", page.crawl_id, error)
        return Article()
    return reader.read(answer) or Article()


def _write(crawl: Crawl, pages: Sequence[Page], articles: Sequence[Article]) -> None:
    texts = [_main_text(page, article) for page, article in zip(pages, articles, strict=True)]
    MainText.objects.bulk_create(
        texts, update_conflicts=True, unique_fields=["page_id"], update_fields=[*READ, *PUBLISHED]
    )
    drop_counts([crawl.topic_id])
    Entry.objects.bulk_update(_marked(crawl, pages, articles), MARKED)


def _main_text(page: Page, article: Article) -> MainText:
    dated = article.dated
    return MainText(
        page_id=page.pk,
        crawl_id=page.crawl_id,
        blocks=pack(article.blocks),
        title=article.title,
        author=article.author,
        languages=[list(pair) for pair in article.languages],
        published=dated.day if dated else None,
        published_source=dated.source if dated else "",
        published_precision=dated.precision if dated else "",
        signs=[list(sign) for sign in article.signs],
        words=sum(word_count(block.text) for block in article.blocks),
    )


def _marked(crawl: Crawl, pages: Sequence[Page], articles: Sequence[Article]) -> Iterator[Entry]:
    entries = Entry.objects.in_bulk([page.pk for page in pages])
    of_sites = SiteReservations(crawl.topic_id, [page.host for page in pages])
    for page, article in zip(pages, articles, strict=True):
        if entry := entries.get(page.pk):
            day = article.dated.day if article.dated else None
            entry.language, entry.published = article.language or UNDETERMINED, day
            entry.published_month = month_number(day) if day else UNDATED
            entry.reserved = any(sign.reserves for sign in article.signs) or bool(
                of_sites.text(page.host, page.final_url)
            )
            yield entry
