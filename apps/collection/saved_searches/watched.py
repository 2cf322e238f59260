"""Saved searches that are watched: which pages of a visit they match."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from django.db.models import QuerySet
from django.http import QueryDict

from apps.collection.filters.cluster import CLUSTER
from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.near import NEAR
from apps.collection.indexing.index import index_texts, list_pages, progress_of
from apps.collection.indexing.marks import mark_where_changed
from apps.collection.indexing.reading import read_pages
from apps.collection.models import Progress, SavedSearch
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import SearchedCrawls, languages_of
from apps.collection.selectors import matching_pages
from apps.crawls.models import Crawl, Page
from apps.crawls.selectors import visible_crawls
from apps.schemas.refused import Refused
from apps.topics.selectors import visible_topics
from apps.watches.changes import previous_versions
from apps.watches.models import Observation, PageState, Watch, WatchVisit
from apps.watches.search_news import SearchMatches

log = logging.getLogger("crawlsite.watched_searches")
DELETED = "a crawl of its pages was deleted before they were indexed."
UNEXPECTED = "an unexpected error, of which the site’s log has the details."
MATCHED = (PageState.NEW, PageState.CHANGED)
Copy = tuple[int, int]
"""The number of a crawl, and that of a page in it."""


def watch_search(search: SavedSearch) -> None:
    """Adds to the digests of the topic's watch the pages that the search matches.

    Raises Refused if the topic is not watched, or the search cannot tell a new page: one of crawls
    (visits are none), of the nearest pages (any visit has some) or of clusters (a new page is in
    none).
    """
    asked = CollectionSearch.read(QueryDict(search.query), None)
    if search.crawl_number is not None or asked.of(CRAWL).keys:
        raise Refused(
            "search",
            "It is a search of crawls by their numbers, which new visits do not have: save it"
            " without them in the topic’s collection.",
        )
    if asked.of(NEAR) != NEAR.nothing:
        raise Refused(
            "search",
            "It asks for the nearest pages, and some page of each visit is nearest: save a search"
            " with words or filters instead.",
        )
    if asked.of(CLUSTER):
        raise Refused(
            "search",
            "It asks for clusters, which new pages are in only when they are made again, with other"
            " numbers: save a search with words or filters instead.",
        )
    seen = visible_topics(search.owner).filter(pk=search.topic_id or 0)
    if not Watch.objects.filter(topic__in=seen.values("pk")).exists():
        raise Refused("search", "Its topic is not watched: start a watch first.")
    _set_watched(search, True)


def stop_watching(search: SavedSearch) -> None:
    """No digest says any more what the search matches."""
    _set_watched(search, False)


def watchable_searches(topic: int, person: int) -> QuerySet[SavedSearch]:
    """A person's searches of a topic's collection, by name."""
    return SavedSearch.objects.filter(topic=topic, owner=person, crawl_number=None)


def _set_watched(search: SavedSearch, is_watched: bool) -> None:
    SavedSearch.objects.filter(pk=search.pk).update(is_watched=is_watched)
    search.is_watched = is_watched


def match_visit(visit: WatchVisit, goes_on: Callable[[], bool]) -> Iterator[SearchMatches]:
    """The watched searches of the topic, each with those new pages of the visit that it matches,
    and those changed ones that it did not match before. The pages are indexed and read first.

    An error is logged, and is the problem of the search that it stops: each person gets the others,
    and the digest.
    """
    watched = SavedSearch.objects.filter(topic=visit.watch.topic_id, is_watched=True)
    searches = list(watched.select_related("owner", "topic"))
    if not searches:
        return
    try:
        copies = _copies(visit)
        crawls = Crawl.objects.filter(pk__in={crawl for row in copies.values() for crawl, _ in row})
        if not all(_index(crawl, goes_on) for crawl in crawls.select_related("topic")):
            if goes_on():
                yield from (_unasked(search, DELETED) for search in searches)
            return
        keys = _keys(copies)
    except Exception:
        log.exception("the pages of visit %s cannot be searched", visit.pk)
        yield from (_unasked(search, UNEXPECTED) for search in searches)
        return
    for search in searches:
        try:
            seen = _matched(search, crawls, keys)
        except Exception:
            log.exception("saved search %s cannot be asked about visit %s", search.pk, visit.pk)
            yield _unasked(search, UNEXPECTED)
        else:
            yield SearchMatches(search.owner_id, search.pk, search.name, seen)


def _unasked(search: SavedSearch, problem: str) -> SearchMatches:
    return SearchMatches(search.owner_id, search.pk, search.name, (), problem)


def _copies(visit: WatchVisit) -> dict[int, tuple[Copy, ...]]:
    """The copy of each new or changed page, and the one before the change, by observation."""
    rows = Observation.objects.filter(visit=visit, state__in=MATCHED)
    seen = list(rows.select_related("page", "version").order_by("pk"))
    before = previous_versions(row.version for row in seen if row.version)
    copies = {}
    for row in seen:
        former = before.get(row.version_id or 0) if row.state == PageState.CHANGED else None
        pair = (row.version or row.page), former
        copies[row.pk] = tuple(
            (each.crawl_id, each.seq) for each in pair if each and each.crawl_id and each.seq
        )
    return copies


def _index(crawl: Crawl, goes_on: Callable[[], bool]) -> bool:
    """Indexes and reads all pages of a crawl; False if `goes_on` ends it."""
    list_pages(crawl)
    progress = progress_of(crawl)
    if progress is None or not index_texts(crawl, goes_on):
        return False
    mark_where_changed(crawl.topic)
    return read_pages(progress, goes_on)


def _keys(copies: Mapping[int, Sequence[Copy]]) -> dict[int, tuple[int, ...]]:
    """The keys of the copies' pages."""
    wanted: defaultdict[int, list[int]] = defaultdict(list)
    for pair in copies.values():
        for crawl, seq in pair:
            wanted[crawl].append(seq)
    keys: dict[Copy, int] = {}
    for crawl, numbers in wanted.items():
        pages = Page.objects.filter(crawl=crawl, seq__in=numbers).values_list("seq", "pk")
        keys |= {(crawl, seq): pk for seq, pk in pages}
    return {pk: tuple(keys.get(copy, 0) for copy in pair) for pk, pair in copies.items()}


def _matched(
    saved: SavedSearch, crawls: QuerySet[Crawl], keys: Mapping[int, Sequence[int]]
) -> list[int]:
    """The observations whose copies the search matches now and did not before."""
    searched = _searched(saved, crawls)
    if searched is None:
        return []
    matched = set(matching_pages(CollectionSearch.read(QueryDict(saved.query), searched)))
    return [
        pk
        for pk, pair in keys.items()
        if pair and pair[0] in matched and matched.isdisjoint(pair[1:])
    ]


def _searched(saved: SavedSearch, crawls: QuerySet[Crawl]) -> SearchedCrawls | None:
    """The crawls that the owner of a search may see, with every copy of a page."""
    topic = visible_topics(saved.owner).filter(pk=saved.topic_id or 0).first()
    mine = tuple(visible_crawls(saved.owner).filter(pk__in=crawls.values("pk")).order_by("-pk"))
    if topic is None or not mine or not saved.owner.is_active:
        return None
    indexed = Progress.objects.filter(crawl__in=[crawl.pk for crawl in mine])
    return SearchedCrawls(
        topic, mine, languages=languages_of(indexed.values_list("language", flat=True))
    )
