"""What is in a collection and what is missing: its clusters, keywords and examples, with pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import Count, Q, QuerySet

from apps.collection.cluster_models import Cluster, Clustering
from apps.collection.clusters.clustering import NEIGHBOURS, nearest_centres
from apps.collection.models import Entry
from apps.collection.same_page import shown_entries
from apps.collection.scope import Scope
from apps.collection.search import CollectionSearch
from apps.collection.selectors import count
from apps.collection.vectors.page_vectors import space_of, vector_blocks, vectors_of_topic
from apps.collection.vectors.terms import terms_of
from apps.collection.vectors.text_space import Rows
from apps.crawls.models import Page
from apps.engine.errors import EngineError
from apps.engine.parsing.words import words
from apps.engine.representation.tokens import detect_languages
from apps.stored_pages.page_text import page_text
from apps.topics.examples.page_store import page_store
from apps.topics.models import Example

SHOWN, LOOKED_AT = 3, 30
MOST_KEYWORDS, MOST_EXAMPLES = 30, 20
FEW = NEIGHBOURS
"""A keyword or example with fewer pages has few."""


@dataclass(frozen=True, slots=True)
class ClusterSummary:
    """A cluster in a scope: its pages, how many were judged and are relevant, the part of all
    clustered pages that it is, and the pages nearest to its centre."""

    cluster: Cluster
    pages: int
    judged: int
    relevant: int
    part: float
    nearest: tuple[Page, ...] = ()

    @property
    def harvest(self) -> float | None:
        """The share of relevant pages among those judged."""
        return self.relevant / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many pages there are for a keyword or an example; `address` is that of the example."""

    words: str
    pages: int
    address: str = ""

    @property
    def few(self) -> bool:
        return self.pages < FEW


@dataclass(frozen=True, slots=True)
class ClusterOverview:
    """The clusters of a scope, largest first; the pages that have each keyword of the topic, and
    those as near to each of its examples as `typical`: half of the pages have ten so near. `loose`
    pages are in no cluster."""

    clusters: tuple[ClusterSummary, ...]
    loose: int
    keywords: tuple[Coverage, ...]
    examples: tuple[Coverage, ...]
    typical: float | None


def cluster_overview(scope: Scope, clustering: Clustering) -> ClusterOverview:
    """The overview of a topic's collection."""
    summaries = _summaries(scope)
    placed = _example_rows(scope) if clustering.typical is not None else []
    near, nearest = _scan(scope, [s.cluster for s in summaries], placed, clustering.typical or 1.0)
    pages = Page.objects.in_bulk([key for keys in nearest for key in keys])
    every = shown_entries(scope.sets).count()
    return ClusterOverview(
        tuple(
            replace(summary, nearest=tuple(pages[key] for key in keys if key in pages))
            for summary, keys in zip(summaries, nearest, strict=True)
        ),
        every - sum(summary.pages for summary in summaries),
        tuple(_of_keywords(scope)),
        tuple(
            Coverage(example.title or example.url, number, example.final_url or example.url)
            for (example, _), number in zip(placed, near, strict=True)
        ),
        clustering.typical,
    )


def _summaries(scope: Scope) -> list[ClusterSummary]:
    rows = shown_entries(scope.sets).filter(cluster__isnull=False).order_by()
    counted = rows.values_list("cluster").annotate(
        pages=Count("page_id"),
        judged=Count("page_id", filter=Q(verdict__gte=0)),
        relevant=Count("page_id", filter=Q(verdict__gt=0)),
    )
    numbers: dict[int, tuple[int, ...]] = {key: row for key, *row in counted}  # type: ignore[misc]
    total = sum(row[0] for row in numbers.values())
    listed = [
        ClusterSummary(cluster, pages, judged, relevant, pages / total)
        for cluster in Cluster.objects.filter(topic=scope.topic, pk__in=numbers)
        for pages, judged, relevant in [numbers[cluster.pk]]
    ]
    return sorted(listed, key=lambda summary: (-summary.pages, summary.cluster.pk))


def _of_keywords(scope: Scope) -> list[Coverage]:
    return [
        Coverage(keyword, count(CollectionSearch(words=f'"{keyword}"').within(scope)).pages)
        for keyword in scope.topic.keywords[:MOST_KEYWORDS]
    ]


def _example_rows(scope: Scope) -> list[tuple[Example, Rows]]:
    """The examples that people named as relevant, as far as they can be read, with vectors."""
    row = vectors_of_topic(scope.topic.pk)
    if row is None:
        return []
    named = scope.topic.examples.filter(
        relevant=True, source=Example.Source.NAMED, offset__isnull=False, length__isnull=False
    )
    store = page_store(scope.topic.pk)
    placed = []
    for example in named.order_by("pk")[:MOST_EXAMPLES]:
        try:
            text = page_text(store.read(example.record))
        except (EngineError, OSError):
            continue
        whole = f"{text.title}\n{text.text}"
        language = (detect_languages([words(whole)]) or "").split(" ")[0]
        terms = terms_of(whole, language, [language] if row.by_words else [])
        vector = space_of(row).place([terms])[0]
        if vector.any():
            placed.append((example, vector))
    return placed


def _scan(
    scope: Scope,
    clusters: Sequence[Cluster],
    placed: Sequence[tuple[Example, Rows]],
    typical: float,
) -> tuple[list[int], list[list[int]]]:
    """For each example the number of shown pages at least as near as `typical`; for each cluster
    its nearest pages, of near-duplicates one."""
    row = vectors_of_topic(scope.topic.pk)
    near = [set[int]() for _ in placed]
    best: list[list[tuple[float, int]]] = [[] for _ in clusters]
    queries = [vector for _, vector in placed]
    centres = np.stack([c.direction for c in clusters]) if clusters else None
    for keys, rows in vector_blocks(scope.crawl_ids, row.version if row else 0):
        for number, query in enumerate(queries):
            near[number] |= {*keys[rows @ query >= typical].tolist()}
        if centres is not None:
            cosines, own = rows @ centres.T, nearest_centres(rows, centres)
            for number in range(len(clusters)):
                mine = np.flatnonzero(own == number)
                order = mine[np.argsort(-cosines[mine, number], kind="stable")][:LOOKED_AT]
                pairs = zip((-cosines[order, number]).tolist(), keys[order].tolist(), strict=True)
                best[number] = sorted([*best[number], *pairs])[:LOOKED_AT]
    shown = shown_entries(scope.sets)
    numbers = [sum(1 for _ in _shown_of(shown, sorted(keys))) for keys in near]
    return numbers, [_one_of_duplicates(scope, [key for _, key in pairs]) for pairs in best]


def _shown_of(shown: QuerySet[Entry], keys: Sequence[int]) -> Iterator[int]:
    for begin in range(0, len(keys), 500):
        some = keys[begin : begin + 500]
        yield from shown.filter(page_id__in=some).values_list("page_id", flat=True)


def _one_of_duplicates(scope: Scope, keys: Sequence[int]) -> list[int]:
    entries = shown_entries(scope.sets).filter(page_id__in=keys)
    folds = {page: fold or page for page, fold in entries.values_list("page_id", "fold")}
    chosen = {folds[key]: key for key in reversed(keys) if key in folds}
    return [key for key in keys if key in chosen.values()][:SHOWN]
