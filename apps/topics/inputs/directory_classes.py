"""The leaves of the topic's directory as classes, with drawn pages of each (AFC §2.1, §3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import groupby
from typing import Any

from apps.directories.models import DirectoryPage, DirectoryTopic
from apps.topics.examples.fetching import fetch_all
from apps.topics.examples.loading import load_class_pages
from apps.topics.examples.other_topics import held_back, own_training
from apps.topics.inputs.page_references import FETCHED, references
from apps.topics.models import ClassPage, Example, StoredPage, Topic
from apps.topics.sampling import sampling_key

# AFC has 482 leaves and keeps 300 pages of each; the strategy prunes the pages drawn here.
MOST_CLASSES = 500
MOST_A_CLASS = 300
MOST_PAGES = 20_000

Page = dict[str, Any]


def want_class_pages(topic: Topic) -> None:
    """Queues drawn pages of every leaf for fetching; does nothing for a topic of no directory."""
    if topic.category is None:
        return
    drawn = {row.url: name for name, row in _drawn(topic, topic.category)}
    topic.class_pages.exclude(url__in=drawn).delete()
    here = set(topic.class_pages.values_list("url", flat=True))
    ClassPage.objects.bulk_create(
        (ClassPage(topic=topic, url=url, name=name) for url, name in drawn.items()
         if url not in here),
        batch_size=500,
    )


def freeze_classes(topic: Topic, category: DirectoryTopic) -> tuple[list[Page], int]:
    """The pages of all classes, each `{"class", "url", ...}`, and how many are pages rather than
    descriptions.

    Once every drawn page has been requested, a fetched page is used itself, and an editor's title
    and description for one that failed, in the topic's class as in the others. Until then all are
    descriptions, the topic's too: with full pages of one class against descriptions of the others,
    every long text would look like that class (**Choice**; AFC has all pages). A recorded web is
    read for them here. Raises BadWebFile, OSError.
    """
    if topic.recorded_web:
        want_class_pages(topic)
        load_class_pages(topic, fetch_all(topic.web), lambda: True)
    own = [row for row in own_training(topic) if row.relevant]
    fetched = {row.url: row for row in (*_pages_of_others(topic), *own)}
    drawn = list(_drawn(topic, category))
    if not _all_asked_for(topic):
        described = [*_own_described(topic, category, own), *_described(drawn)]
        return described, 0
    focus = f"/{category.path}"
    had = [(name, fetched[row.url]) for name, row in drawn if row.url in fetched]
    had = [*((focus, row) for row in own), *had]
    pages = [{"class": name, **reference} for (name, _), reference in zip(
        had, references(topic, [row for _, row in had]), strict=True)]
    return [*pages, *_described(pair for pair in drawn if pair[1].url not in fetched)], len(pages)


def _all_asked_for(topic: Topic) -> bool:
    return topic.class_pages.exists() and not topic.class_pages.filter(
        fetch=StoredPage.Fetch.WAITING
    ).exists()


def _pages_of_others(topic: Topic) -> list[StoredPage]:
    """The drawn pages that were fetched, and those that another of the owner's topics has."""
    mine = list(topic.class_pages.filter(fetch=FETCHED))
    failed = topic.class_pages.exclude(fetch=FETCHED).values("url")
    elsewhere = Example.objects.filter(
        topic__owner_id=topic.owner_id, fetch=FETCHED, url__in=failed
    )
    return [*elsewhere.order_by("pk"), *mine]


def _described(drawn: Iterable[tuple[str, DirectoryPage]]) -> list[Page]:
    """Editors' descriptions of pages; pages without one are left out."""
    return [
        {"class": name, "url": row.url, "title": row.title, "description": row.description}
        for name, row in drawn if row.title or row.description
    ]


def _own_described(
    topic: Topic, category: DirectoryTopic, own: Sequence[Example]
) -> list[Page]:
    """The topic's examples in editors' words, or by their titles."""
    listed = DirectoryPage.objects.filter(
        topic__directory=category.directory, url__in=[row.url for row in own]
    )
    words = {row.url: row for row in listed}
    return [
        {"class": f"/{category.path}", "url": row.url,
         "title": words[row.url].title if row.url in words else row.title,
         "description": words[row.url].description if row.url in words else ""}
        for row in own
    ]


def _drawn(topic: Topic, category: DirectoryTopic) -> Iterator[tuple[str, DirectoryPage]]:
    """Pages of every leaf of the directory with the leaf's name, drawn by the topic's seed.

    Judging examples and the topic's positive examples are left out; a page listed twice counts at
    its first occurrence.
    """
    paths = list(category.directory.topics.filter(own_pages__gt=0).values_list("path", flat=True))
    depth = topic.class_depth or _deepest(paths, category.path)
    names = {path: _leaf(path, depth, category.path) for path in paths}
    taken = held_back(topic) | {row.url for row in own_training(topic) if row.relevant}
    most = min(MOST_A_CLASS, max(1, MOST_PAGES // len(set(names.values()))))
    listed = DirectoryPage.objects.filter(topic__directory=category.directory)
    rows = listed.values_list("topic__path", "url", "pk").order_by("topic__path", "pk").iterator()
    chosen: dict[int, str] = {}
    for name, pages in groupby(rows, key=lambda row: names[row[0]]):
        fresh = {url: pk for _, url, pk in pages if url not in taken}
        taken |= fresh.keys()
        drawn = nsmallest(most, fresh, key=lambda url: sampling_key(topic.random_seed, url))
        chosen |= {fresh[url]: name for url in drawn}
    for row in DirectoryPage.objects.filter(pk__in=list(chosen)[:MOST_PAGES]).order_by("pk"):
        yield f"/{chosen[row.pk]}", row


def _deepest(paths: Sequence[str], focus: str) -> int:
    """The greatest depth with at most 500 leaves; at least 1."""
    deepest = max((path.count("/") + 1 for path in paths), default=1)
    within = (depth for depth in range(deepest, 1, -1)
              if len({_leaf(path, depth, focus) for path in paths}) <= MOST_CLASSES)
    return next(within, 1)


def _leaf(path: str, depth: int, focus: str) -> str:
    """The class of a category's pages: no deeper than `depth`, the topic's own classes no deeper
    than that or the topic."""
    own = path == focus or path.startswith(f"{focus}/")
    return "/".join(path.split("/")[: max(depth, focus.count("/") + 1) if own else depth])
