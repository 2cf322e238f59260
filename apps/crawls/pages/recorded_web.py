"""A recorded web made from the pages of crawls, so that they can be crawled again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, FailedRequest
from apps.crawls.pages.bodies import Bodies, record_of
from apps.engine.codes import Failure
from apps.engine.errors import BadURL
from apps.engine.networking.webs.writer import VirtualWebWriter
from apps.stored_files.files import keep
from apps.webs.models import Web
from apps.webs.opening import new_folder, open_web

CHUNK = 2_000

Progress = Callable[[int], object]


def web_of_pages(crawl: Crawl, judged: str = "") -> Web:
    """The web of the crawl's present pages; the same one if it was made before.

    With `judged` (letters, digits, - and _) the pages that the crawl's judge calls relevant have
    that label: of a breadth-first crawl within a depth that is SLC's virtual web with its T (SLC
    §5.1). Raises CrawlRefused if no page is stored, if the crawl was itself run on a recorded web,
    and if the disk is full or a stored file is gone.
    """
    check_pages(crawl)
    try:
        return present_web(crawl, judged) or _make(crawl, web_name(crawl, judged), judged)
    except OSError as error:
        raise CrawlRefused(
            "crawl",
            f"The pages could not be recorded ({error.strerror}). Nothing is left of the "
            "attempt; free some space on the disk, or run the crawl again as it is.",
        ) from None


def check_pages(crawl: Crawl) -> None:
    """Raises CrawlRefused if the crawl has no stored pages."""
    if not crawl.source.keeps_pages:
        raise CrawlRefused("crawl", "This crawl was run on a recorded web: run it again as it is.")
    if not crawl.pages:
        raise CrawlRefused("crawl", "This crawl has no pages to run on.")


def web_name(crawl: Crawl, judged: str = "") -> str:
    """The name of the web of the crawl's present pages."""
    return f"crawl-{crawl.pk}-{crawl.pages}-pages" + (f"-{judged}" if judged else "")


def present_web(crawl: Crawl, judged: str = "") -> Web | None:
    """The web of the crawl's present pages, if it was made before."""
    return Web.objects.filter(name=web_name(crawl, judged), owner=crawl.owner).first()


def _make(crawl: Crawl, name: str, judged: str) -> Web:
    web = Web(name=name, owner=crawl.owner)
    write_web(web, new_folder(name), [crawl], judged)
    web.save()
    return web


def write_web(
    web: Web,
    folder: Path,
    crawls: Sequence[Crawl],
    judged: str = "",
    progress: Progress = lambda done: None,
) -> None:
    """Writes the present pages of the crawls to the folder and completes the row, without saving
    it.

    Of an address that several crawls have fetched, the first copy counts. The web shares the
    crawls' stored files and stays when they are deleted. Redirects are kept from the requested
    address to the final one; everything else is 404 or an unknown host. `progress` is called with
    the pages read; what it raises ends the work, and nothing is left behind. Raises OSError,
    StoreDown.
    """
    # A folder without a row is left over from an attempt that was cut off.
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with VirtualWebWriter(folder) as writer:
        added, before = 0, 0
        for crawl in crawls:
            added += _add_pages(writer, crawl, judged, before, progress)
            before += crawl.pages
        for crawl in crawls:
            _add_redirects(writer, crawl)
    keep(folder)
    web.source, web.folder = Web.Source.FOLDER, folder.name
    web.pages, web.hosts = added, writer.hosts
    web.made_of_crawls = [crawl.pk for crawl in crawls]


def _add_pages(
    writer: VirtualWebWriter, crawl: Crawl, judged: str, before: int, progress: Progress
) -> int:
    """Adds the pages in the order they were fetched and returns their number; `before` were read
    of other crawls."""
    added, after = 0, 0
    labels = open_web(crawl.web) if crawl.web.is_recorded else None
    pages = crawl.pages_fetched.filter(seq__lte=crawl.pages).order_by("seq")
    with Bodies(crawl) as bodies:
        while chunk := list(pages.filter(seq__gt=after)[:CHUNK]):
            progress(before + after)
            for page in chunk:
                topics = labels.labels(page.final_url) if labels else ()
                label = (judged,) if judged and page.relevant else ()
                added += writer.add_stored(
                    page.final_url, bodies.path(page), record_of(page), (*topics, *label)
                )
            after = chunk[-1].seq
    return added


def _add_redirects(writer: VirtualWebWriter, crawl: Crawl) -> None:
    """Adds redirects, also those of addresses that led to a page fetched already."""
    again = FailedRequest.objects.filter(crawl=crawl, kind=Failure.REDIRECT_TO_KNOWN)
    for rows in (crawl.pages_fetched.filter(seq__lte=crawl.pages), again):
        for url, final_url in rows.order_by("request").values_list("url", "final_url"):
            try:
                writer.redirect(url, final_url)
            except BadURL:
                continue
