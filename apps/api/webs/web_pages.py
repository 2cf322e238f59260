"""The pages of a recorded web: searched, filtered, counted by label, read."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.filters import check_search, with_search
from apps.api.paging import ListPage, Paging, page_of
from apps.api.refusals import Refusal
from apps.search.host import HOST
from apps.stored_pages.page_text import page_text
from apps.topics.selectors import named_pages
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.search import PageSearch
from apps.webs.pages.searching import PageIndex, WebPage
from apps.webs.pages.tasks import ask_for_index
from apps.webs.selectors import recorded_webs

router = Router(tags=["webs"])
LONGEST_TEXT = 200_000


class WebPageOut(Schema):
    """A page of a web; `number` is its index in the web, from 0. `inlinks` and `outlinks` count the
    pages of the web that link to it and that it links to; null until they are counted.
    `language` (ISO 639-1) and `published` (a day or a month) are null where the page shows none."""

    number: int
    url: str
    host: str
    title: str
    words: int
    inlinks: int | None
    outlinks: int | None
    language: str | None
    published: str | None
    labels: list[str]


class WebPageDetail(WebPageOut):
    """A page with its `text`, as a crawler reads it, up to 200,000 characters."""

    text: str


class WebPagePage(ListPage):
    """`labels` and `hosts` count the pages of the search, ignoring that filter itself; the label ""
    counts pages without labels."""

    items: list[WebPageOut]
    labels: dict[str, int]
    hosts: dict[str, int]


class Indexing(Schema):
    """The pages cannot be searched yet: how many of how many are indexed; `problem` is why they
    cannot be."""

    done: int
    pages: int | None
    problem: str


@with_search(PageSearch)
class WebPagesQuery(Paging):
    """A search; several values of one filter are alternatives."""


@router.get(
    "/{int:web_id}/pages",
    response={200: WebPagePage, 202: Indexing, 404: Refusal, 422: Refusal},
    summary="Search a web's pages",
)
def search_web(request: SignedInRequest, web_id: int, wanted: Query[WebPagesQuery]) -> Any:
    """The pages of a recorded web that match the search. The first search queues their indexing and
    returns 202 until it is done; one with a value that cannot be understood is refused."""
    web = _web(request, web_id)
    if not is_indexed(web):
        return _indexing(web)
    search = check_search(request, PageSearch.read(request.GET))
    named = named_pages(request.user, web)
    with PageIndex(web, {topic.pk: urls for topic, urls in named.items()}) as index:
        facets = index.facets(search)
        items = [_page(page) for page in index.find(search, wanted.rows)]
    page = page_of(facets.pages, wanted, items)
    return page | {"labels": facets.labels, "hosts": dict(facets.counts[HOST.id])}


@router.get(
    "/{int:web_id}/pages/{int:number}",
    response={200: WebPageDetail, 202: Indexing, 404: Refusal},
    summary="Show a page of a web",
)
def show_web_page(request: SignedInRequest, web_id: int, number: int) -> Any:
    """One page by its number, with its text; 202 until the web's pages are indexed."""
    web = _web(request, web_id)
    if not is_indexed(web):
        return _indexing(web)
    with PageIndex(web) as index:
        rows = index.pages([number])
    if not rows:
        raise Http404
    text = page_text(open_web(web).get(rows[0].url)).text
    return _page(rows[0]) | {"text": text[:LONGEST_TEXT]}


def _web(request: SignedInRequest, pk: int) -> Web:
    return get_object_or_404(recorded_webs(request.user), pk=pk)


def _indexing(web: Web) -> Status[dict[str, Any]]:
    job = ask_for_index(web)
    return Status(202, {"done": job.done, "pages": web.pages, "problem": job.job_problem})


def _page(page: WebPage) -> dict[str, Any]:
    return {
        "number": page.number,
        "url": page.url,
        "host": page.host,
        "title": page.title,
        "words": page.words,
        "inlinks": page.inlinks,
        "outlinks": page.outlinks,
        "language": page.language or None,
        "published": page.published_text or None,
        "labels": list(page.labels),
    }
