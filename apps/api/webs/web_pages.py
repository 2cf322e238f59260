"""The pages of a recorded web: searched, filtered, counted by label, read."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from apps.api.paging import Page, Paging, listed
from apps.api.refusals import Refusal
from apps.schemas.misread import refuse
from apps.stored_pages.page_text import page_text
from apps.topics.selectors import named_pages
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.pages.filters import INLINKS, LONGEST, MOST_WORDS, Order, read_filters
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.misread import misread
from apps.webs.pages.searching import FoundPage, PageIndex
from apps.webs.pages.tasks import ask_for_index
from apps.webs.selectors import recorded_webs

router = Router(tags=["webs"])
LONGEST_TEXT = 200_000


class WebPageOut(Schema):
    """A page of a web; `number` is its index in the web, from 0. `inlinks` and `outlinks` count the
    pages of the web that link to it and that it links to; null until they are counted."""

    number: int
    url: str
    host: str
    title: str
    words: int
    inlinks: int | None
    outlinks: int | None
    labels: list[str]


class WebPageDetail(WebPageOut):
    """A page with its `text`, as a crawler reads it, up to 200,000 characters."""

    text: str


class WebPagePage(Page):
    """`labels` and `hosts` count the pages of the search, ignoring that filter itself; the label ""
    counts pages without labels."""

    items: list[WebPageOut]
    labels: dict[str, int]
    hosts: dict[str, int]


class Indexing(Schema):
    """The pages cannot be searched yet: how many of how many are indexed; `problem` says why they
    cannot be."""

    done: int
    pages: int | None
    problem: str


class WebSearch(Paging):
    """A search; several values of one filter are alternatives."""

    q: str = Field("", max_length=LONGEST, description='Words, "phrases", OR, −not, title:, url:.')
    label: list[str] = Field([], description='Labels; one that ends in / stands for all that begin'
                             ' so, "" for pages without labels.')
    host: list[str] = []
    words_from: int | None = Field(None, ge=0, lt=MOST_WORDS, description="The least words.")
    words_to: int | None = Field(None, ge=0, lt=MOST_WORDS, description="The most words.")
    inlinks: list[str] = Field([], description="Pages of the web that link to a page, where they"
                               f" are counted: {', '.join(INLINKS)}.")  # fmt: skip
    topic: list[int] = Field([], description="Numbers of topics that name the page; 0 asks for"
                             " pages that none names.")  # fmt: skip
    order: Order | None = None


@router.get("/{int:web_id}/pages",
            response={200: WebPagePage, 202: Indexing, 404: Refusal, 422: Refusal},
            summary="Search a web's pages")  # fmt: skip
def search_web(request: HttpRequest, web_id: int, asked: Query[WebSearch]) -> Any:
    """The pages of a recorded web that match the search. The first search queues their indexing and
    returns 202 until it is done; one with a value that cannot be understood is refused."""
    web = _web(request, web_id)
    if not is_indexed(web):
        job = ask_for_index(web)
        return Status(202, {"done": job.done, "pages": web.pages, "problem": job.job_problem})
    query = _query(asked)
    filters = read_filters(query)
    refuse(misread(query, filters))
    named = named_pages(request.user, web)
    with PageIndex(web, {topic.pk: urls for topic, urls in named.items()}) as index:
        facets = index.facets(filters)
        items = [_page(page) for page in index.find(filters, asked.rows)]
    found = listed(facets.found, asked, items)
    return found | {"labels": facets.labels, "hosts": facets.hosts}


@router.get("/{int:web_id}/pages/{int:number}", response={200: WebPageDetail, 404: Refusal},
            summary="Show a page of a web")  # fmt: skip
def show_web_page(request: HttpRequest, web_id: int, number: int) -> Any:
    """One page by its number, with its text."""
    web = _web(request, web_id)
    if not is_indexed(web):
        raise Http404
    with PageIndex(web) as index:
        found = index.pages([number])
    if not found:
        raise Http404
    text = page_text(open_web(web).get(found[0].url)).text
    return _page(found[0]) | {"text": text[:LONGEST_TEXT]}


def _web(request: HttpRequest, pk: int) -> Web:
    return get_object_or_404(recorded_webs(request.user), pk=pk)


def _query(asked: WebSearch) -> QueryDict:
    query = QueryDict(mutable=True)
    query["q"] = asked.q
    query.setlist("label", asked.label)
    query.setlist("host", asked.host)
    query["words_from"] = "" if asked.words_from is None else str(asked.words_from)
    query["words_to"] = "" if asked.words_to is None else str(asked.words_to)
    query.setlist("inlinks", asked.inlinks)
    query.setlist("topic", list(map(str, asked.topic)))
    query["order"] = asked.order or ""
    return query


def _page(page: FoundPage) -> dict[str, Any]:
    return {"number": page.number, "url": page.url, "host": page.host, "title": page.title,
            "words": page.words, "inlinks": page.inlinks, "outlinks": page.outlinks,
            "labels": list(page.labels)}  # fmt: skip
