"""All details of one page, for its own screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import User
from django.http import Http404
from django.shortcuts import get_object_or_404

from apps.collection.indexing.reading import main_texts
from apps.collection.models import Entry
from apps.collection.shared_pages.same_page import (
    PageVisit,
    page_visits,
    sets_within,
    shown_entries,
)
from apps.crawls.models import Crawl, FrontierEntry, Outlinks, Page
from apps.crawls.opt_outs.selectors import HostFile, HostOptOut, host_opt_outs
from apps.crawls.packing import unpack_numbers
from apps.crawls.pages.bodies import stored_answer
from apps.crawls.selectors import visible_crawls
from apps.crawls.site_lists import ListedIn, listed_in
from apps.engine.answers import Answer
from apps.engine.crawl.fetching.site_opt_outs import is_covered
from apps.engine.errors import EngineError
from apps.engine.kinds import DocumentKind
from apps.engine.parsing.opt_outs.catalogue import FORMS
from apps.engine.parsing.opt_outs.form import OptOutForm, OptOutSign

LONGEST_PATH = 200
DUPLICATES = 20
MOST_DOCUMENTS = 50
MOST_LINKS = 5_000
LINKS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class PathStep:
    """A page on the path from a seed; `page` is None if the link gave no page."""

    url: str
    page: Page | None


class ShownSign(NamedTuple):
    """A sign of an opt-out with its form."""

    form: OptOutForm
    sign: OptOutSign


class OptOuts(NamedTuple):
    """The signs of a page, reservations first, and the other forms that were looked for; the signs
    of its site's files that are about it, and the files."""

    signs: tuple[ShownSign, ...]
    others: tuple[OptOutForm, ...]
    of_site: tuple[HostOptOut, ...]
    files: tuple[HostFile, ...]


@dataclass(frozen=True, slots=True)
class Details:
    """`path` leads from a seed to the page itself; `same` are its near-duplicates; `visits` are its
    rows in every crawl that has fetched it; `listed` is the entry of a sitemap or feed that named
    it; `opt_outs` is None until the page has been read; `documents` are those that it links to and
    the crawl has."""

    page: Page
    path: tuple[PathStep, ...]
    out_links: int
    entry: Entry | None
    same: tuple[Page, ...]
    same_count: int
    visits: tuple[PageVisit, ...]
    listed: ListedIn | None
    opt_outs: OptOuts | None
    documents: tuple[Page, ...]


def collected_page(user: User, pk: int, seq: int) -> Page:
    """A page of a visible crawl, by its number. Raises Http404."""
    crawl = get_object_or_404(visible_crawls(user), pk=pk)
    page = Page.objects.filter(crawl=crawl, seq=seq).first()
    if page is None:
        raise Http404
    page.crawl = crawl
    return page


def details(page: Page, crawls: tuple[int, ...]) -> Details:
    """The details from the rows; near-duplicates are searched for in `crawls`."""
    links = Outlinks.objects.filter(crawl=page.crawl_id, seq=page.seq).first()
    targets: list[int] = unpack_numbers(links.targets).tolist() if links else []
    entry = Entry.objects.filter(page_id=page.pk).first()
    same = Entry.objects.none()
    if entry is not None and entry.fold is not None:
        shown = shown_entries(sets_within(page.crawl.topic, crawls))
        same = shown.filter(fold=entry.fold).exclude(address=entry.address)
    first = list(same.order_by("page_id").values_list("page_id", flat=True)[:DUPLICATES])
    return Details(
        page=page,
        path=_path(page),
        out_links=len(targets),
        entry=entry,
        same=tuple(Page.objects.filter(pk__in=first).order_by("pk")),
        same_count=same.count(),
        visits=page_visits(crawls, [page.pk]).get(page.pk, ()),
        listed=listed_in(page.crawl, page.url),
        documents=_documents(page, targets),
        opt_outs=_opt_outs(page),
    )


def _opt_outs(page: Page) -> OptOuts | None:
    text = main_texts([page.pk], with_blocks=False).get(page.pk)
    if text is None or text.signs is None:
        return None
    met = {sign.form for sign in text.opt_outs}
    signs = sorted(text.opt_outs, key=lambda sign: not sign.reserves)
    site = host_opt_outs(page.crawl.topic, page.host)
    return OptOuts(
        tuple(ShownSign(FORMS[sign.form], sign) for sign in signs),
        tuple(form for id, form in FORMS.items() if id not in met),
        tuple(
            sign
            for sign in site.signs
            if sign.ended_at is None and is_covered(sign.rules, page.final_url)
        ),
        site.files,
    )


def _documents(page: Page, targets: Sequence[int]) -> tuple[Page, ...]:
    """The documents among the pages that a page links to, in the order of its links."""
    linked = Page.objects.filter(crawl=page.crawl_id).exclude(kind=DocumentKind.PAGE)
    there = {
        each.number: each
        for start in range(0, min(len(targets), MOST_LINKS), LINKS_AT_ONCE)
        for each in linked.numbered([*targets[start : start + LINKS_AT_ONCE]])
    }
    return tuple(there[number] for number in targets if number in there)[:MOST_DOCUMENTS]


def _path(page: Page) -> tuple[PathStep, ...]:
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
    return tuple(PathStep(url, pages.get(number)) for number, url in reversed(urls.items()))


def _pages_by_number(crawl: int, numbers: Mapping[int, str]) -> dict[int, Page]:
    pages = Page.objects.filter(crawl=crawl).numbered(list(numbers))
    return {page.number: page for page in pages}


def readable_answer(crawl: Crawl, page: Page) -> Answer | None:
    """The stored answer, or None if it is gone or cannot be read."""
    try:
        return stored_answer(crawl, page)
    except EngineError:
        return None
