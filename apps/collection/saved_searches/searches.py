"""Searches that people keep by name, and what became of the collections they search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import Http404, QueryDict
from django.utils import timezone

from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.not_fetched_by import NOT_FETCHED_BY
from apps.collection.models import SavedSearch
from apps.collection.saved_searches.schemas import SearchName
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import SearchedCrawls, crawls_of_topic, one_crawl
from apps.collection.selectors import count
from apps.crawls.models import Crawl
from apps.schemas.refused import Refused
from apps.topics.models import Topic

MOST = 50
"""The list counts the pages of each one afresh."""


@dataclass(frozen=True, slots=True)
class CountedSearch:
    """A saved search as its owner would see it now.

    Without access `search` has no crawls. `pages` is their number, None if something
    that it names is gone; `gone` is a sentence about that, else empty.
    """

    saved: SavedSearch
    search: CollectionSearch
    pages: int | None
    gone: str

    @property
    def address(self) -> str:
        """The address of the search, empty if its collection is gone."""
        searched = self.search.context
        return f"{searched.address}?{self.saved.query}" if searched.crawls else ""

    @property
    def since(self) -> int:
        """How many more pages it has than when its owner looked last."""
        return (self.pages or 0) - self.saved.looked_pages


def save_search(user: User, search: CollectionSearch, name: str) -> SavedSearch:
    """Keeps a search. Raises Refused if the name is bad or taken, if the search asks for nothing
    or is kept already, and beyond fifty."""
    name = _free_name(user, name)
    if not search.any:
        raise Refused("query", "This search asks for nothing: give words or a filter first.")
    existing = saved_search(user, search)
    if existing is not None:
        raise Refused("name", f"This search is saved already, as “{existing.name}”.")
    if SavedSearch.objects.filter(owner=user).count() >= MOST:
        raise Refused("name", f"You have {MOST} saved searches, the most possible: remove one.")
    return _create(
        **_identity(user, search),
        name=name,
        topic_name=search.context.topic.name,
        looked_at=timezone.now(),
        looked_pages=count(search).pages,
    )


def rename_search(search: SavedSearch, name: str) -> None:
    """Raises Refused if the name is bad or taken."""
    search.name = _free_name(search.owner, name, search.pk)
    with _refused_if_taken(search.name):
        SavedSearch.objects.filter(pk=search.pk).update(name=search.name)


def remove_search(search: SavedSearch) -> dict[str, Any]:
    """Deletes it; returns plain values for `restore_search`."""
    values = {name: getattr(search, name) for name in _COLUMNS}
    search.delete()
    return {**values, "looked_at": search.looked_at.isoformat()}


def restore_search(user: User, removed: Mapping[str, Any]) -> SavedSearch:
    """Brings a removed search back. Raises Refused if its name is taken by now."""
    _free_name(user, removed["name"])
    topic = Topic.objects.filter(pk=removed["topic_id"]).first()
    looked_at = datetime.fromisoformat(removed["looked_at"])
    return _create(
        owner=user, **{**removed, "topic_id": topic and topic.pk, "looked_at": looked_at}
    )


_COLUMNS = ("name", "topic_id", "topic_name", "crawl_number", "query", "looked_pages", "is_watched")


def saved_search(user: User, search: CollectionSearch) -> SavedSearch | None:
    """The person's saved search that is this one, or None."""
    return SavedSearch.objects.filter(**_identity(user, search)).first()


def _identity(user: User, search: CollectionSearch) -> dict[str, Any]:
    """The key by which two saved searches are the same."""
    searched = search.context
    return {
        "owner": user,
        "topic": searched.topic,
        "crawl_number": searched.only.pk if searched.only else None,
        "query": search.query(),
    }


def note_look(search: SavedSearch, pages: int) -> None:
    """Its owner sees it now, with so many pages."""
    SavedSearch.objects.filter(pk=search.pk).update(looked_at=timezone.now(), looked_pages=pages)


def counted_searches(user: User) -> Iterator[CountedSearch]:
    """The person's saved searches by name, each counted in what the person may see now."""
    searches: dict[tuple[int | None, int | None], SearchedCrawls | None] = {}
    for search in SavedSearch.objects.filter(owner=user).select_related("topic"):
        where = search.topic_id, search.crawl_number
        if where not in searches:
            searches[where] = _searched(user, search)
        yield _count_search(search, searches[where])


def counted_search(search: SavedSearch) -> CountedSearch:
    """A single search with its number of pages."""
    return _count_search(search, _searched(search.owner, search))


def _count_search(saved: SavedSearch, searched: SearchedCrawls | None) -> CountedSearch:
    search = CollectionSearch.read(QueryDict(saved.query), searched)
    if searched is None:
        topic = saved.topic or Topic(name=saved.topic_name)
        return CountedSearch(
            saved, search.within(SearchedCrawls(topic, ())), None, _why_gone(saved)
        )
    named = {*search.of(CRAWL).keys, *search.of(NOT_FETCHED_BY)}
    if lost := sorted(named - {*searched.crawl_ids}):
        return CountedSearch(saved, search, None, " ".join(map(_crawl_gone, lost)))
    return CountedSearch(saved, search, count(search).pages, "")


def _searched(user: User, search: SavedSearch) -> SearchedCrawls | None:
    try:
        if search.crawl_number is not None:
            return one_crawl(user, search.crawl_number)
        return crawls_of_topic(user, search.topic_id) if search.topic_id else None
    except Http404:
        return None


def _why_gone(search: SavedSearch) -> str:
    if search.crawl_number is not None:
        return _crawl_gone(search.crawl_number)
    return "The topic is no longer shared with you." if search.topic else "The topic was deleted."


def _crawl_gone(number: int) -> str:
    is_there = Crawl.objects.filter(pk=number).exists()
    return f"Crawl #{number} {'is no longer shared with you' if is_there else 'was deleted'}."


def _free_name(user: User, name: str, but: int | None = None) -> str:
    name = SearchName.read({"name": name}).name
    if SavedSearch.objects.filter(owner=user, name=name).exclude(pk=but or 0).exists():
        raise _name_taken(name)
    return name


def _create(**values: Any) -> SavedSearch:
    with _refused_if_taken(values["name"]):
        return SavedSearch.objects.create(**values)


@contextmanager
def _refused_if_taken(name: str) -> Iterator[None]:
    """Refuses a name that is given at the same instant elsewhere."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise _name_taken(name) from None


def _name_taken(name: str) -> Refused:
    return Refused("name", f"You have a saved search named “{name}”: give another name.")
