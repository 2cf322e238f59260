"""Where a page stands in the search that one came from, and its neighbours there.

The address of the page's screen carries the search as `search`, in the collection of the topic or
of the crawl (`of`), and the position in its list, from 1, as `at`. The list may have moved since:
the page is looked for around its position.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.contrib.auth.models import User
from django.http import Http404, QueryDict
from django.urls import reverse

from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.collection.selectors import ROWS, hits_from
from apps.crawls.models import Page
from apps.search.filter import Parameters

AROUND = 20
"""Positions on each side in which the page is looked for."""
NAMES = ("q", "of", "search", "at")


@dataclass(frozen=True, slots=True)
class SearchPosition:
    """The list with the page, as an address, and those of its neighbours, empty at the ends. `at`
    is its position of `number`; 0 if it is no longer near it."""

    back: str
    at: int
    number: int
    previous: str = ""
    next: str = ""


def position_query(search: CollectionSearch, at: int) -> str:
    """The query string of a page's address, to be read by `read_position`."""
    words = [("q", search.words)] if search.words else []
    of = "crawl" if search.context.only else "topic"
    return urlencode([*words, ("of", of), ("search", search.query()), ("at", at)])


def carried(query: Parameters) -> str:
    """The part of a page's address that its other views carry on."""
    given = [(name, text) for name in NAMES if (text := query.get(name, ""))]
    return urlencode(given, quote_via=quote)


def read_position(reader: User, page: Page, query: Parameters) -> SearchPosition | None:
    """The position that an address names; None if it names none, or one may not see it."""
    at = query.get("at", "")
    if not (at.isascii() and at.isdigit() and int(at[:9]) > 0):
        return None
    wanted = QueryDict(query.get("search", ""))
    try:
        if query.get("of", "") == "topic":
            search = search_topic(reader, page.crawl.topic_id, wanted)
        else:
            search = search_crawl(reader, page.crawl_id, wanted)
    except Http404:
        return None
    return _position(search, page, int(at[:9]), query.get("view", ""))


def _position(search: CollectionSearch, page: Page, at: int, view: str) -> SearchPosition:
    before = max(0, at - 1 - AROUND)
    hits = hits_from(search, before, 2 * AROUND + 1)
    keys = [hit.page for hit in hits.rows]
    number = hits.number_listed
    if page.pk not in keys:
        return SearchPosition(_list_address(search, at), 0, number)
    index = keys.index(page.pk)
    at = before + index + 1

    def neighbour(step: int) -> str:
        position = index + step
        is_there = 0 <= position < len(keys)
        return _address(search, keys[position], at + step, view) if is_there else ""

    return SearchPosition(_list_address(search, at), at, number, neighbour(-1), neighbour(1))


def _address(search: CollectionSearch, key: int, at: int, view: str) -> str:
    crawl, seq = Page.objects.values_list("crawl_id", "seq").get(pk=key)
    shown = [("view", view)] if view else []
    query = "&".join(filter(None, (urlencode(shown), position_query(search, at))))
    return f"{reverse('page:page', args=[crawl, seq])}?{query}"


def _list_address(search: CollectionSearch, at: int) -> str:
    screen = [("page", (at - 1) // ROWS + 1)] if at > ROWS else []
    return f"{search.context.address}?{urlencode([*search.pairs(), *screen])}"
