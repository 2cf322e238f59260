"""Saved searches of collections."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.refusals import Refusal
from apps.collection.models import SavedSearch
from apps.collection.saved_searches.schemas import SearchName, SearchSent
from apps.collection.saved_searches.searches import (
    CountedSearch,
    counted_search,
    counted_searches,
    remove_search,
    rename_search,
    save_search,
)
from apps.collection.saved_searches.watched import stop_watching, watch_search
from apps.collection.search import search_crawl, search_topic
from apps.schemas.misread import refuse_first
from apps.schemas.refused import Refused

router = Router(tags=["pages"])


class SavedOut(Schema):
    """A saved search of the collection of a `topic`, or of one `crawl` of it; `query` is the query
    string of its address. It has so many `pages` now, `since` more than at `looked_at`,
    when its owner looked last; both are null if `gone` names what is no longer there. With
    `is_watched` the digests of the topic's watch say which pages of a visit it matches."""

    id: int
    name: str
    topic: int | None
    topic_name: str
    crawl: int | None
    query: str
    pages: int | None
    since: int | None
    looked_at: datetime
    gone: str
    is_watched: bool


@router.get("/saved-searches", response=list[SavedOut], summary="List saved searches")
def list_searches(request: SignedInRequest) -> Any:
    """Your own, by name, each counted in the crawls that you may see now."""
    return [_search(counted) for counted in counted_searches(request.user)]


@router.post(
    "/saved-searches", response={201: SavedOut, 404: Refusal, 422: Refusal}, summary="Save a search"
)
def save(request: SignedInRequest, sent: SearchSent) -> Any:
    """Keeps a search of the collection of a `topic` or of a `crawl`; give one of the two."""
    if (sent.topic is None) == (sent.crawl is None):
        raise Refused("topic", "Give the number of a topic or that of a crawl, not both.")
    query = QueryDict(sent.query)
    search = (
        search_topic(request.user, sent.topic, query)
        if sent.topic is not None
        else search_crawl(request.user, sent.crawl or 0, query)
    )
    refuse_first(search.misread(query))
    return Status(201, _search(counted_search(save_search(request.user, search, sent.name))))


@router.patch(
    "/saved-searches/{int:search_id}",
    response={200: SavedOut, 404: Refusal, 422: Refusal},
    summary="Rename a saved search",
)
def rename(request: SignedInRequest, search_id: int, sent: SearchName) -> Any:
    """Gives a saved search of your own another name."""
    search = _owned_search(request, search_id)
    rename_search(search, sent.name)
    return _search(counted_search(search))


@router.put(
    "/saved-searches/{int:search_id}/watch",
    response={200: SavedOut, 404: Refusal, 422: Refusal},
    summary="Watch a saved search",
)
def watch(request: SignedInRequest, search_id: int) -> Any:
    """After each visit of its topic's watch your digests say which new and changed pages it
    matches."""
    search = _owned_search(request, search_id)
    watch_search(search)
    return _search(counted_search(search))


@router.delete(
    "/saved-searches/{int:search_id}/watch",
    response={200: SavedOut, 404: Refusal},
    summary="Stop watching a saved search",
)
def stop(request: SignedInRequest, search_id: int) -> Any:
    """Your digests do not mention it any more; the search stays."""
    search = _owned_search(request, search_id)
    stop_watching(search)
    return _search(counted_search(search))


@router.delete(
    "/saved-searches/{int:search_id}",
    response={204: None, 404: Refusal},
    summary="Remove a saved search",
)
def remove(request: SignedInRequest, search_id: int) -> Any:
    """Removes a saved search of your own; no page is deleted."""
    remove_search(_owned_search(request, search_id))
    return Status(204, None)


def _owned_search(request: SignedInRequest, pk: int) -> SavedSearch:
    return get_object_or_404(SavedSearch, owner=request.user, pk=pk)


def _search(counted: CountedSearch) -> dict[str, Any]:
    search = counted.saved
    return {
        "id": search.pk,
        "name": search.name,
        "topic": search.topic_id,
        "topic_name": counted.search.context.topic.name,
        "crawl": search.crawl_number,
        "query": search.query,
        "pages": counted.pages,
        "since": None if counted.pages is None else counted.since,
        "looked_at": search.looked_at,
        "gone": counted.gone,
        "is_watched": search.is_watched,
    }
