"""The pages of a host that was taken down, in the crawls' own rows and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from django.db import transaction
from django.db.models import Q, QuerySet

from apps.collection.withholding import erase_traces, forget_pages, hide_pages, show_pages
from apps.crawls.models import Crawl, KeptText, Page, UnsealedPages
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.selectors import at_host
from apps.dossiers.erased_words import erase_words
from apps.dossiers.models import TakeDown
from apps.engine.networking.page_store.erasure import erase_records
from apps.stored_files.files import is_elsewhere, keep, local
from apps.topics.models import Topic

CHUNK = 500
Heartbeat = Callable[[], bool]


def pages_of(host: str, crawls: QuerySet[Crawl]) -> QuerySet[Page]:
    """The pages that were asked of the host, and those that redirects led to there."""
    theirs = Q(host=host) | at_host(host, "final_url")
    return Page.every.filter(theirs, crawl__in=crawls.values("pk")).order_by()


def hide(
    row: TakeDown,
    crawls: QuerySet[Crawl],
    heartbeat: Heartbeat = lambda: True,
    most: int | None = None,
) -> bool:
    """Hides all pages, or about `most` of them; False if the job is no longer wanted."""
    hidden = 0
    for crawl, keys in _chunks(row.host, crawls, hidden=False):
        if most is not None and hidden >= most:
            return True
        hide_pages(crawl, keys)
        hidden += len(keys)
        if not heartbeat():
            return False
    return True


def show(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Shows all pages again."""
    for crawl, keys in _chunks(row.host, crawls, hidden=True):
        show_pages(crawl, keys)
        if not heartbeat():
            return False
    return True


def erase(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Erases the hidden pages from files and rows, and what was made of their words; an empty row
    with the address and the date stays. Raises OSError."""
    for crawl in crawls:
        mine = pages_of(row.host, crawls.filter(pk=crawl.pk)).filter(hidden=True)
        full = list(mine.exclude(digest="").order_by("seq"))
        if full and not erase_words(crawl, full, heartbeat):
            return False
    for crawl, keys in _chunks(row.host, crawls, hidden=True):
        pages = list(Page.every.filter(pk__in=keys).exclude(digest=""))
        _erase_bodies(crawl, pages)
        with transaction.atomic():
            forget_pages(keys)
            KeptText.objects.filter(crawl=crawl, seq__in=[page.seq for page in pages]).delete()
            Page.every.filter(pk__in=keys).update(
                title="", canonical="", file="", offset=0, length=0, digest="", words=0
            )
        if not heartbeat():
            return False
    return erase_traces(_topics_of(row.host, crawls), heartbeat)


def _topics_of(host: str, crawls: QuerySet[Crawl]) -> list[Topic]:
    """The topics whose crawls have pages of the host."""
    keys = pages_of(host, crawls).values("crawl__topic").distinct()
    return list(Topic.objects.filter(pk__in=keys).order_by("pk"))


def _chunks(
    host: str, crawls: QuerySet[Crawl], hidden: bool
) -> Iterator[tuple[Crawl, Sequence[int]]]:
    for crawl in crawls:
        mine = pages_of(host, crawls.filter(pk=crawl.pk)).filter(hidden=hidden)
        keys = list(mine.values_list("pk", flat=True))
        for start in range(0, len(keys), CHUNK):
            yield crawl, keys[start : start + CHUNK]


def _erase_bodies(crawl: Crawl, pages: Sequence[Page]) -> None:
    spans: dict[str, list[tuple[int, int]]] = {}
    for page in pages:
        if page.file:
            spans.setdefault(page.file, []).append((page.offset, page.length))
    for file, of_file in spans.items():
        if UnsealedPages.objects.filter(crawl=crawl, file=file).exists():
            raise OSError(0, f"crawl {crawl.pk} still writes to {file}")
        erase_spans(local(crawl_folder(crawl.pk) / file), of_file)


def erase_spans(path: Path, spans: Iterable[tuple[int, int]]) -> None:
    """Erases byte ranges (offset, length) of a file of records, wherever it is stored, if it is
    still there. Raises OSError."""
    if path.exists():
        erase_records(path, spans)
        if is_elsewhere():
            keep(path)
