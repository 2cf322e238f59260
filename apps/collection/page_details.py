"""All details of one page, for its own screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.collection.models import Entry
from apps.collection.same_page import Place, places, sets_within, shown_entries
from apps.crawls.models import Crawl, FrontierEntry, Outlinks, Page
from apps.crawls.packing import unpack_numbers
from apps.crawls.pages.bodies import stored_answer
from apps.engine.errors import EngineError
from apps.engine.model import Answer

LONGEST_PATH = 200
DUPLICATES = 20


@dataclass(frozen=True, slots=True)
class Step:
    """A page on the path from a seed; `page` is None if the link gave no page."""

    url: str
    page: Page | None


@dataclass(frozen=True, slots=True)
class Details:
    """`path` leads from a seed to the page itself; `same` are its near-duplicates; `places` are its
    rows in every crawl that has fetched it."""

    page: Page
    path: tuple[Step, ...]
    out_links: int
    entry: Entry | None
    same: tuple[Page, ...]
    same_count: int
    places: tuple[Place, ...]


def details(page: Page, crawls: tuple[int, ...]) -> Details:
    """The details from the rows; near-duplicates are searched for in `crawls`."""
    links = Outlinks.objects.filter(crawl=page.crawl_id, seq=page.seq).first()
    entry = Entry.objects.filter(page_id=page.pk).first()
    same = Entry.objects.none()
    if entry is not None and entry.fold is not None:
        shown = shown_entries(sets_within(page.crawl.topic, crawls))
        same = shown.filter(fold=entry.fold).exclude(address=entry.address)
    first = list(same.order_by("page_id").values_list("page_id", flat=True)[:DUPLICATES])
    return Details(
        page=page,
        path=_path(page),
        out_links=len(unpack_numbers(links.targets)) if links else 0,
        entry=entry,
        same=tuple(Page.objects.filter(pk__in=first).order_by("pk")),
        same_count=same.count(),
        places=places(crawls, [page.pk]).get(page.pk, ()),
    )


def _path(page: Page) -> tuple[Step, ...]:
    """The pages whose links gave the priorities, the seed first."""
    urls: dict[int, str] = {}
    number = page.number
    while number >= 0 and number not in urls and len(urls) < LONGEST_PATH:
        row = (
            FrontierEntry.objects.filter(crawl=page.crawl_id, number=number)
            .values_list("url", "parent")
            .first()
        )
        if row is None:
            break
        urls[number], number = row
    pages = _pages_by_number(page.crawl_id, urls)
    return tuple(Step(url, pages.get(number)) for number, url in reversed(urls.items()))


def _pages_by_number(crawl: int, numbers: Mapping[int, str]) -> dict[int, Page]:
    pages = Page.objects.filter(crawl=crawl).numbered(list(numbers))
    return {page.number: page for page in pages}


def readable_answer(crawl: Crawl, page: Page) -> Answer | None:
    """The stored answer, or None if it is gone or cannot be read."""
    try:
        return stored_answer(crawl, page)
    except EngineError:
        return None
