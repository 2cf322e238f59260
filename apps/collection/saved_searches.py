"""Searches that people keep by name, and what became of the collections they search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.http import Http404, QueryDict
from django.utils import timezone

from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.not_fetched_by import NOT_FETCHED_BY
from apps.collection.filters.query import Filters, read_filters
from apps.collection.models import SavedSearch
from apps.collection.schemas import SearchName
from apps.collection.scope import Scope, crawl_scope, topic_scope
from apps.collection.selectors import count
from apps.crawls.models import Crawl
from apps.schemas.input import Refused
from apps.topics.models import Topic

MOST = 50
"""The list counts the pages of each one afresh."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A saved search as its owner finds it now.

    Without access `scope` has no crawls. `found` is the number of pages, None if something it names
    is gone; `gone` says what, as a sentence, else it is empty.
    """

    search: SavedSearch
    scope: Scope
    filters: Filters
    found: int | None
    gone: str

    @property
    def address(self) -> str:
        """The address of the search, empty if its collection is gone."""
        return f"{self.scope.address}?{self.search.query}" if self.scope.crawls else ""

    @property
    def since(self) -> int:
        """How many more pages are found than when its owner looked last."""
        return (self.found or 0) - self.search.looked_pages


def save_search(user: AbstractUser, scope: Scope, filters: Filters, name: str) -> SavedSearch:
    """Keeps a search. Raises Refused if the name is bad or taken, if the search asks for nothing
    or is kept already, and beyond fifty."""
    name = _free_name(user, name)
    if not filters.any:
        raise Refused("query", "This search asks for nothing: give words or a filter first.")
    kept = saved_search(user, scope, filters)
    if kept is not None:
        raise Refused("name", f"This search is saved already, as “{kept.name}”.")
    if SavedSearch.objects.filter(owner=user).count() >= MOST:
        raise Refused("name", f"You have {MOST} saved searches, the most possible: remove one.")
    return _create(
        **_identity(user, scope, filters), name=name, topic_name=scope.topic.name,
        looked_at=timezone.now(), looked_pages=count(scope, filters).found,
    )  # fmt: skip


def rename_search(search: SavedSearch, name: str) -> None:
    """Raises Refused if the name is bad or taken."""
    search.name = _free_name(search.owner, name, search.pk)
    with _refused_if_taken(search.name):
        SavedSearch.objects.filter(pk=search.pk).update(name=search.name)


def remove_search(search: SavedSearch) -> dict[str, Any]:
    """Deletes it; returns plain values for `restore_search`."""
    kept = {name: getattr(search, name) for name in _KEPT}
    search.delete()
    return {**kept, "looked_at": search.looked_at.isoformat()}


def restore_search(user: AbstractUser, removed: Mapping[str, Any]) -> SavedSearch:
    """Brings a removed search back. Raises Refused if its name is taken by now."""
    _free_name(user, removed["name"])
    topic = Topic.objects.filter(pk=removed["topic_id"]).first()
    looked_at = datetime.fromisoformat(removed["looked_at"])
    return _create(
        owner=user, **{**removed, "topic_id": topic and topic.pk, "looked_at": looked_at}
    )


_KEPT = ("name", "topic_id", "topic_name", "crawl_number", "query", "looked_pages")


def saved_search(user: AbstractUser, scope: Scope, filters: Filters) -> SavedSearch | None:
    """The person's saved search that is this one, or None."""
    return SavedSearch.objects.filter(**_identity(user, scope, filters)).first()


def _identity(user: AbstractUser, scope: Scope, filters: Filters) -> dict[str, Any]:
    """By what a saved search is the same as another."""
    return {
        "owner": user, "topic": scope.topic,
        "crawl_number": scope.only.pk if scope.only else None, "query": filters.query(),
    }


def note_look(search: SavedSearch, found: int) -> None:
    """Its owner sees it now, with so many pages."""
    SavedSearch.objects.filter(pk=search.pk).update(
        looked_at=timezone.now(), looked_pages=found
    )


def counted_searches(user: AbstractUser) -> Iterator[Counted]:
    """The person's saved searches by name, each counted in what the person may see now."""
    scopes: dict[tuple[int | None, int | None], Scope | None] = {}
    for search in SavedSearch.objects.filter(owner=user).select_related("topic"):
        where = search.topic_id, search.crawl_number
        if where not in scopes:
            scopes[where] = _scope(user, search)
        yield _counted(search, scopes[where])


def counted_search(search: SavedSearch) -> Counted:
    """The same for one."""
    return _counted(search, _scope(search.owner, search))


def _counted(search: SavedSearch, scope: Scope | None) -> Counted:
    filters = read_filters(QueryDict(search.query))
    if scope is None:
        topic = search.topic or Topic(name=search.topic_name)
        return Counted(search, Scope(topic, ()), filters, None, _why_gone(search))
    lost = sorted({*filters.of(CRAWL).keys, *filters.of(NOT_FETCHED_BY)} - {*scope.crawl_ids})
    if lost:
        return Counted(search, scope, filters, None, " ".join(map(_crawl_gone, lost)))
    return Counted(search, scope, filters, count(scope, filters).found, "")


def _scope(user: AbstractUser, search: SavedSearch) -> Scope | None:
    try:
        if search.crawl_number is not None:
            return crawl_scope(user, search.crawl_number)
        return topic_scope(user, search.topic_id) if search.topic_id else None
    except Http404:
        return None


def _why_gone(search: SavedSearch) -> str:
    if search.crawl_number is not None:
        return _crawl_gone(search.crawl_number)
    return "The topic is no longer shared with you." if search.topic else "The topic was deleted."


def _crawl_gone(number: int) -> str:
    is_there = Crawl.objects.filter(pk=number).exists()
    return f"Crawl #{number} {'is no longer shared with you' if is_there else 'was deleted'}."


def _free_name(user: AbstractUser, name: str, but: int | None = None) -> str:
    name = SearchName.read({"name": name}).name
    if SavedSearch.objects.filter(owner=user, name=name).exclude(pk=but).exists():
        raise _taken(name)
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
        raise _taken(name) from None


def _taken(name: str) -> Refused:
    return Refused("name", f"You have a saved search named “{name}”: give another name.")
