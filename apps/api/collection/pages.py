"""Collected pages: searching them, and the details of one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Query, Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.filters import check_search, with_search
from apps.api.paging import ListPage, Paging, page_of
from apps.api.refusals import Refusal
from apps.collection.indexing.reading import main_texts
from apps.collection.models import Entry, MainText
from apps.collection.pages.details import OptOuts, collected_page, details
from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.collection.selectors import find
from apps.crawls.models import Page
from apps.crawls.selectors import visible_crawls

router = Router(tags=["pages"])


class PageOut(Schema):
    """A collected page. `votes` of `votes_of` judges call it relevant, `probability` is the judges'
    mean; `label` is an analyst's label; τ is `topicality` when the page was fetched and
    `topicality_at_end`, by which pages are ordered, at the crawl's end (null where that is the
    same), σ `status`.

    `title` is without the name of the site, `author` as the page declares it, `language` the main
    one of its text (ISO 639-1), `published` a day, or a month where no day is named;
    `published_source` names what it is from: head, page (a mark in the page), address, title (the
    lines at it), file (of a document). `reserved` is what the page or its headers reserve, as
    written. They are null, and `is_read` false, until the page has been read. `similarity` is that
    with what `near` and `like` ask for, −1 to 1, null without them."""

    crawl: int
    page: int
    url: str
    final_url: str
    host: str
    title: str
    author: str | None
    language: str | None
    published: str | None
    published_source: str | None
    reserved: str | None
    is_read: bool
    http_status: int
    words: int
    relevant: bool | None
    votes: int | None
    votes_of: int | None
    probability: float | None
    label: bool | None
    topicality: float | None
    topicality_at_end: float | None
    status: float | None
    target: bool
    seed: bool
    depth: int
    priority: float
    fetched_at: datetime
    needs_javascript: bool
    rendered: bool
    kind: str
    document_pages: int
    has_no_text: bool
    truncated: bool
    similarity: float | None


class SearchResults(ListPage):
    """A page of results; only the first of near-duplicates is listed. If `at_least` is true, a
    phrase was searched for in the most topical pages only, and more may have it."""

    at_least: bool
    items: list[PageOut]


class Step(Schema):
    """A page on the path from the seed; `page` is null if the link gave no page."""

    url: str
    page: int | None


class OptOutOut(Schema):
    """A sign of an opt-out: the title of its form, where it stands (header, page, or the path of a
    file of the site), as written, and whether it reserves something."""

    form: str
    where: str
    text: str
    reserves: bool


class PageDetail(PageOut):
    """All details: the path from the seed, the strategy's terms for its links (`telemetry`),
    near-duplicates (`crawl`, `page`), `languages` with their shares, the main text as written, with
    an empty line between paragraphs. `opt_outs` are the signs in the page, its headers and files of
    its site, null until the page has been read."""

    path: list[Step]
    out_links: int
    telemetry: dict[str, Any]
    canonical: str
    digest: str
    same: list[dict[str, int]]
    same_count: int
    languages: list[tuple[str, float]]
    text: str | None
    opt_outs: list[OptOutOut] | None


@with_search(CollectionSearch)
class SearchParameters(Paging):
    """A search with the parameters of the collection's address; several values of one filter are
    alternatives."""


@router.get(
    "/crawls/{int:crawl_id}/pages",
    response={200: SearchResults, 404: Refusal, 422: Refusal},
    summary="Search a crawl's pages",
)
def crawl_pages(request: SignedInRequest, crawl_id: int, wanted: Query[SearchParameters]) -> Any:
    """The pages of one crawl that match a search; all of them for an empty one."""
    return _matches(request, search_crawl(request.user, crawl_id, request.GET), wanted)


@router.get(
    "/topics/{int:topic_id}/pages",
    response={200: SearchResults, 404: Refusal, 422: Refusal},
    summary="Search a topic's pages",
)
def topic_pages(request: SignedInRequest, topic_id: int, wanted: Query[SearchParameters]) -> Any:
    """The pages of all visible crawls of a topic that match a search."""
    return _matches(request, search_topic(request.user, topic_id, request.GET), wanted)


@router.get(
    "/crawls/{int:crawl_id}/pages/{int:seq}",
    response={200: PageDetail, 404: Refusal},
    summary="Show a page",
)
def show_page(request: SignedInRequest, crawl_id: int, seq: int, text: bool = False) -> Any:
    """One page by its number in the crawl, from 1; with `text` its main text too."""
    page = collected_page(request.user, crawl_id, seq)
    siblings = visible_crawls(request.user).filter(topic=page.crawl.topic)
    details_of_page = details(page, tuple(siblings.values_list("pk", flat=True)))
    label = details_of_page.entry.label if details_of_page.entry else None
    read = main_texts([page.pk]).get(page.pk)
    return _row(page, label, read) | {
        "path": [
            {"url": s.url, "page": s.page.seq if s.page else None} for s in details_of_page.path
        ],
        "out_links": details_of_page.out_links,
        "telemetry": page.telemetry,
        "canonical": page.canonical,
        "digest": page.digest,
        "same": [{"crawl": other.crawl_id, "page": other.seq} for other in details_of_page.same],
        "same_count": details_of_page.same_count,
        "languages": read.languages if read else [],
        "text": read.text if text and read else None,
        "opt_outs": _opt_outs(details_of_page.opt_outs),
    }


def _opt_outs(opt_outs: OptOuts | None) -> list[dict[str, Any]] | None:
    if opt_outs is None:
        return None
    shown: list[tuple[str, str, str, bool]]
    shown = [(each.form.title, *each.sign[1:]) for each in opt_outs.signs]
    shown += [(sign.title, sign.path, sign.text, sign.reserves) for sign in opt_outs.of_site]
    return [dict(zip(OptOutOut.model_fields, values, strict=True)) for values in shown]


def _matches(
    request: SignedInRequest, search: CollectionSearch, wanted: SearchParameters
) -> dict[str, Any]:
    hits = find(check_search(request, search), wanted.page, wanted.size)
    numbers = [hit.page for hit in hits.rows]
    pages = Page.objects.in_bulk(numbers)
    labels = dict(Entry.objects.filter(page_id__in=numbers).values_list("page_id", "label"))
    texts = main_texts(numbers, with_blocks=False)
    rows = [
        _row(pages[hit.page], labels.get(hit.page), texts.get(hit.page), hit.similarity)
        for hit in hits.rows
        if hit.page in pages
    ]
    return page_of(hits.number_listed, wanted, rows) | {"at_least": hits.totals.at_least}


def _row(
    page: Page, label: bool | None, read: MainText | None, similarity: float | None = None
) -> dict[str, Any]:
    own = {"crawl", "page", "label", "similarity"}
    of_text = {"author", "language", "published", "published_source", "reserved", "is_read"}
    names = [name for name in PageOut.model_fields if name not in own | of_text]
    return {name: getattr(page, name) for name in names} | {
        "crawl": page.crawl_id,
        "page": page.seq,
        "label": label,
        "similarity": similarity,
        "title": (read and read.title) or page.title,
        "author": (read and read.author) or None,
        "language": (read and read.language) or None,
        "published": (read and read.published_text) or None,
        "published_source": (read and read.published_source) or None,
        "reserved": (read and read.reserved) or None,
        "is_read": read is not None,
    }
