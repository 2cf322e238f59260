"""Collected pages: searching them, and the details of one."""

from __future__ import annotations

from datetime import datetime
from typing import Any, get_origin

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field, create_model

from apps.api.paging import Page, Paging, listed
from apps.api.refusals import Refusal
from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.filter import Field as FilterField
from apps.collection.filters.query import Filters, read_filters
from apps.collection.misread import misread
from apps.collection.models import Entry
from apps.collection.page_details import details, readable_answer
from apps.collection.scope import Scope, collected_page, crawl_scope, topic_scope
from apps.collection.selectors import find
from apps.crawls.models import Page as PageRow
from apps.crawls.selectors import visible_crawls
from apps.schemas.misread import refuse
from apps.stored_pages.page_text import page_text

router = Router(tags=["pages"])
LONGEST_TEXT = 200_000


class PageOut(Schema):
    """A collected page. `votes` of `votes_of` judges call it relevant, `probability` is the judges'
    mean; `label` is an analyst's label; τ is `topicality`, σ `status`."""

    crawl: int
    page: int
    url: str
    final_url: str
    host: str
    title: str
    http_status: int
    words: int
    relevant: bool | None
    votes: int | None
    votes_of: int | None
    probability: float | None
    label: bool | None
    topicality: float | None
    status: float | None
    target: bool
    seed: bool
    depth: int
    priority: float
    fetched_at: datetime
    needs_javascript: bool
    truncated: bool


class PageList(Page):
    """Of near-duplicates only the first is listed. If `at_least` is true, a phrase was looked for
    in the most topical pages only, and more may have it."""

    at_least: bool
    items: list[PageOut]


class Step(Schema):
    """A page on the path from the seed; `page` is null if the link gave no page."""

    url: str
    page: int | None


class PageDetail(PageOut):
    """All details: the path from the seed, the strategy's terms for its links (`telemetry`),
    near-duplicates (`crawl`, `page`), the words of the stored copy."""

    path: list[Step]
    out_links: int
    telemetry: dict[str, Any]
    canonical: str
    digest: str
    same: list[dict[str, int]]
    same_count: int
    text: str | None


def with_filters(schema: type[Schema]) -> type[Schema]:
    """The schema with the parameters of every filter of the catalogue."""
    fields = {field.name: _parameter(field) for filter in FILTERS for field in filter.fields}
    return create_model(schema.__name__, __base__=schema, __doc__=schema.__doc__, **fields)


def _parameter(field: FilterField) -> tuple[Any, Any]:
    several = get_origin(field.type) is list
    return field.type, Field([] if several else None, description=field.description)


@with_filters
class Search(Paging):
    """A search with the parameters of the collection's address; several values of one filter are
    alternatives."""

    q: str = Field("", description='Words; "a phrase", -without.')
    order: str | None = Field(None, description="best, topicality, status, newest or differ.")


def read_search(request: HttpRequest, scope: Scope) -> Filters:
    """The search of a request. Raises SearchRefused if a value cannot be understood."""
    filters = read_filters(request.GET)
    refuse(misread(request.GET, filters, scope))
    return filters


@router.get("/crawls/{int:crawl_id}/pages", response={200: PageList, 404: Refusal, 422: Refusal},
            summary="Search a crawl's pages")  # fmt: skip
def crawl_pages(request: HttpRequest, crawl_id: int, wanted: Query[Search]) -> Any:
    """The pages of one crawl that match a search; all of them for an empty one."""
    return _found(request, crawl_scope(request.user, crawl_id), wanted)


@router.get("/topics/{int:topic_id}/pages", response={200: PageList, 404: Refusal, 422: Refusal},
            summary="Search a topic's pages")  # fmt: skip
def topic_pages(request: HttpRequest, topic_id: int, wanted: Query[Search]) -> Any:
    """The same over all visible crawls of a topic."""
    return _found(request, topic_scope(request.user, topic_id), wanted)


@router.get("/crawls/{int:crawl_id}/pages/{int:seq}", response={200: PageDetail, 404: Refusal},
            summary="Show a page")  # fmt: skip
def show_page(request: HttpRequest, crawl_id: int, seq: int, text: bool = False) -> Any:
    """One page by its number in the crawl, from 1; with `text` its words too."""
    page = collected_page(request.user, crawl_id, seq)
    siblings = visible_crawls(request.user).filter(topic=page.crawl.topic)
    known = details(page, tuple(siblings.values_list("pk", flat=True)))
    label = known.entry.label if known.entry else None
    return _row(page, label) | {
        "path": [{"url": s.url, "page": s.page.seq if s.page else None} for s in known.path],
        "out_links": known.out_links,
        "telemetry": page.telemetry, "canonical": page.canonical, "digest": page.digest,
        "same": [{"crawl": other.crawl_id, "page": other.seq} for other in known.same],
        "same_count": known.same_count,
        "text": _text(page) if text else None,
    }  # fmt: skip


def _found(request: HttpRequest, scope: Scope, wanted: Search) -> dict[str, Any]:
    hits = find(scope, read_search(request, scope), wanted.page, wanted.size)
    numbers = [hit.page for hit in hits.rows]
    pages = PageRow.objects.in_bulk(numbers)
    labels = dict(Entry.objects.filter(page_id__in=numbers).values_list("page_id", "label"))
    rows = [_row(pages[n], labels.get(n)) for n in numbers if n in pages]
    return listed(hits.shown, wanted, rows) | {"at_least": hits.totals.at_least}


def _row(page: PageRow, label: bool | None) -> dict[str, Any]:
    own = {"crawl", "page", "label"}
    values = {name: getattr(page, name) for name in PageOut.model_fields if name not in own}
    return values | {"crawl": page.crawl_id, "page": page.seq, "label": label}


def _text(page: PageRow) -> str | None:
    answer = readable_answer(page.crawl, page)
    return page_text(answer).text[:LONGEST_TEXT] if answer else None
