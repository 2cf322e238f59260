"""The leaves of the topic's directory as classes, with drawn pages of each (AFC §2.1, §3.1).

AFC §3.1 first merges leaves of fewer than k = 300 pages into their parents, by the counts of the
whole directory, and then samples at most 300 pages of each leaf. So do these classes where the
directory has more than 500 leaves; where it has fewer, every leaf is drawn and the strategy merges
them by its own k, on the same counts. **Choice**: k is at most the number of pages of the topic's
own class, which is never merged; where k leaves more than 500 leaves it is doubled until it does
not; equally many pages are drawn of each leaf, at most 20,000 in all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import groupby
from typing import Any

from apps.directories.models import DirectoryPage, DirectoryTopic
from apps.engine.intelligence.taxonomy import at_or_below, merge
from apps.topics.examples.fetching import fetch_all
from apps.topics.examples.loading import load_class_pages
from apps.topics.examples.other_topics import held_back, own_training
from apps.topics.inputs.page_references import FETCHED, references
from apps.topics.models import ClassPage, Example, StoredPage, Topic
from apps.topics.sampling import sampling_key

LEAST_A_CLASS = 300
MOST_CLASSES = 500
MOST_A_CLASS = 300
MOST_PAGES = 20_000

Page = dict[str, Any]


def want_class_pages(topic: Topic) -> None:
    """Queues drawn pages of every leaf for fetching; does nothing for a topic of no directory."""
    if topic.category is None:
        return
    classes = classes_of(topic, topic.category)
    drawn = {row.url: name for name, row in _draw_pages(topic, topic.category, classes)}
    topic.class_pages.exclude(url__in=drawn).delete()
    here = set(topic.class_pages.values_list("url", flat=True))
    ClassPage.objects.bulk_create(
        (
            ClassPage(topic=topic, url=url, name=name)
            for url, name in drawn.items()
            if url not in here
        ),
        batch_size=500,
        ignore_conflicts=True,  # another crawl of the topic may be prepared at the same time
    )


def freeze_classes(
    topic: Topic, category: DirectoryTopic, classes: Classes
) -> tuple[list[Page], int]:
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
    drawn = list(_draw_pages(topic, category, classes))
    if not _all_asked_for(topic):
        described = [*_own_described(topic, category, own), *_described(drawn)]
        return described, 0
    focus = f"/{category.path}"
    had = [(name, fetched[row.url]) for name, row in drawn if row.url in fetched]
    had = [*((focus, row) for row in own), *had]
    pages = [
        {"class": name, **reference}
        for (name, _), reference in zip(
            had, references(topic, [row for _, row in had]), strict=True
        )
    ]
    return [*pages, *_described(pair for pair in drawn if pair[1].url not in fetched)], len(pages)


def _all_asked_for(topic: Topic) -> bool:
    return (
        topic.class_pages.exists()
        and not topic.class_pages.filter(fetch=StoredPage.Fetch.WAITING).exists()
    )


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
        for name, row in drawn
        if row.title or row.description
    ]


def _own_described(topic: Topic, category: DirectoryTopic, own: Sequence[Example]) -> list[Page]:
    """The topic's examples in editors' words, or by their titles."""
    listed = DirectoryPage.objects.filter(
        topic__directory=category.directory, url__in=[row.url for row in own]
    )
    words = {row.url: row for row in listed}
    return [
        {
            "class": f"/{category.path}",
            "url": row.url,
            "title": words[row.url].title if row.url in words else row.title,
            "description": words[row.url].description if row.url in words else "",
        }
        for row in own
    ]


@dataclass(frozen=True)
class Classes:
    """The classes of a directory for a topic of it: `of_path` has the class of each category that
    has pages, `sizes` how many pages each class has."""

    of_path: Mapping[str, str]
    sizes: Mapping[str, int]

    @cached_property
    def each(self) -> int:
        """How many pages are drawn of a class."""
        return min(MOST_A_CLASS, max(1, MOST_PAGES // max(1, len(self.sizes))))


def classes_of(topic: Topic, category: DirectoryTopic) -> Classes:
    """The directory's leaves, merged if there are too many or if the topic limits their depth."""
    listed = category.directory.topics.filter(own_pages__gt=0)
    counts = dict(listed.values_list("path", "own_pages"))
    focus = f"/{category.path}"
    cut = {path: _leaf(f"/{path}", topic.class_depth, focus) for path in counts}
    sizes = _summed(cut, counts)
    own = sum(size for name, size in sizes.items() if at_or_below(name, focus))
    into, least = {name: name for name in sizes}, max(1, min(LEAST_A_CLASS, own))
    while len(set(into.values())) > MOST_CLASSES:
        into = merge(sizes, least, keep=focus)
        least *= 2
    return Classes({path: into[name] for path, name in cut.items()}, _summed(into, sizes))


def _summed(into: Mapping[str, str], sizes: Mapping[str, int]) -> Mapping[str, int]:
    summed: dict[str, int] = {}
    for name, size in sizes.items():
        summed[into[name]] = summed.get(into[name], 0) + size
    return summed


def _draw_pages(
    topic: Topic, category: DirectoryTopic, classes: Classes
) -> Iterator[tuple[str, DirectoryPage]]:
    """Pages of every class with its name, drawn by the topic's seed.

    Judging examples and the topic's positive examples are left out; a page listed twice counts at
    its first occurrence.
    """
    taken = held_back(topic) | {row.url for row in own_training(topic) if row.relevant}
    listed = DirectoryPage.objects.filter(topic__directory=category.directory)
    rows = listed.values_list("topic__path", "url", "pk").order_by("topic__path", "pk").iterator()
    drawn: dict[str, list[tuple[bytes, int]]] = {}
    for path, pages in groupby(rows, key=lambda row: row[0]):
        fresh = {url: pk for _, url, pk in pages if url not in taken}
        taken |= fresh.keys()
        keys = ((sampling_key(topic.random_seed, url), pk) for url, pk in fresh.items())
        name = classes.of_path[path]
        drawn[name] = nsmallest(classes.each, [*drawn.get(name, ()), *keys])
    names = {pk: name for name, chosen in drawn.items() for _, pk in chosen}
    for row in DirectoryPage.objects.filter(pk__in=list(names)).order_by("pk"):
        yield names[row.pk], row


def _leaf(name: str, depth: int, focus: str) -> str:
    """The class of a category no deeper than `depth` (0: any depth); the topic's own classes no
    deeper than that or the topic."""
    deepest = max(depth, focus.count("/")) if at_or_below(name, focus) else depth
    return "/".join(name.split("/")[: deepest + 1]) if depth else name
