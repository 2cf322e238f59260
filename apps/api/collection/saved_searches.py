"""Saved searches of collections."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from apps.api.refusals import Refusal
from apps.collection.filters.query import read_filters
from apps.collection.misread import misread
from apps.collection.models import SavedSearch
from apps.collection.saved_searches import (
    Counted,
    counted_search,
    counted_searches,
    remove_search,
    rename_search,
    save_search,
)
from apps.collection.schemas import SearchName, SearchSent
from apps.collection.scope import crawl_scope, topic_scope
from apps.schemas.input import Refused
from apps.schemas.misread import refuse

router = Router(tags=["pages"])


class SavedOut(Schema):
    """A saved search of the collection of a `topic`, or of one `crawl` of it; `query` is the query
    string of its address. `found` pages are found now, `since` of them more than at `looked_at`,
    when its owner looked last; both are null if `gone` says what is no longer there."""

    id: int
    name: str
    topic: int | None
    topic_name: str
    crawl: int | None
    query: str
    found: int | None
    since: int | None
    looked_at: datetime
    gone: str


@router.get("/saved-searches", response=list[SavedOut], summary="List saved searches")
def list_searches(request: HttpRequest) -> Any:
    """Your own, by name, each counted in the crawls that you may see now."""
    return [_search(counted) for counted in counted_searches(request.user)]


@router.post("/saved-searches", response={201: SavedOut, 404: Refusal, 422: Refusal},
             summary="Save a search")  # fmt: skip
def save(request: HttpRequest, sent: SearchSent) -> Any:
    """Keeps a search of the collection of a `topic` or of a `crawl`; give one of the two."""
    if (sent.topic is None) == (sent.crawl is None):
        raise Refused("topic", "Give the number of a topic or that of a crawl, not both.")
    scope = (
        crawl_scope(request.user, sent.crawl) if sent.topic is None
        else topic_scope(request.user, sent.topic)
    )
    query = QueryDict(sent.query)
    filters = read_filters(query)
    refuse(misread(query, filters, scope))
    return Status(201, _search(counted_search(
        save_search(request.user, scope, filters, sent.name)
    )))  # fmt: skip


@router.patch("/saved-searches/{int:search_id}",
              response={200: SavedOut, 404: Refusal, 422: Refusal},
              summary="Rename a saved search")  # fmt: skip
def rename(request: HttpRequest, search_id: int, sent: SearchName) -> Any:
    """Gives a saved search of your own another name."""
    search = _own(request, search_id)
    rename_search(search, sent.name)
    return _search(counted_search(search))


@router.delete("/saved-searches/{int:search_id}", response={204: None, 404: Refusal},
               summary="Remove a saved search")  # fmt: skip
def remove(request: HttpRequest, search_id: int) -> Any:
    """Removes a saved search of your own; no page is deleted."""
    remove_search(_own(request, search_id))
    return Status(204, None)


def _own(request: HttpRequest, pk: int) -> SavedSearch:
    return get_object_or_404(SavedSearch, owner=request.user, pk=pk)


def _search(counted: Counted) -> dict[str, Any]:
    search = counted.search
    return {
        "id": search.pk, "name": search.name, "topic": search.topic_id,
        "topic_name": counted.scope.topic.name, "crawl": search.crawl_number,
        "query": search.query, "found": counted.found,
        "since": None if counted.found is None else counted.since,
        "looked_at": search.looked_at, "gone": counted.gone,
    }
