"""The pages of a collection by their similarity to words or to other pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from apps.collection.models import Entry, Progress, TopicVectors
from apps.collection.searched_crawls import SearchedCrawls
from apps.collection.vectors.page_vectors import (
    space_of,
    vector_blocks,
    vectors_of,
    vectors_of_topic,
)
from apps.collection.vectors.terms import terms_of_query
from apps.collection.vectors.text_space import Rows
from apps.engine.representation.vectors.reading import BadVectors
from apps.engine.representation.vectors.word_vectors import scaled
from apps.figures.quantities import count
from apps.topics.named_vectors import named_vectors, vectors_state

MOST_PAGES = 50
USUAL_NEAREST, MOST_NEAREST = 100, 1_000
MOST_AS_NEAR = 5_000
"""Pages that some filter excludes are counted beside it, of those as near as the last one listed
so many at most."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """A query by meaning: words, pages as (crawl, page number), and the number of nearest pages to
    return. Without words and pages it is empty."""

    words: str = ""
    pages: tuple[tuple[int, int], ...] = ()
    most: int = USUAL_NEAREST


@dataclass(frozen=True, slots=True)
class Similarities:
    """The cosine of every page of the searched crawls with the query, −1 to 1."""

    keys: NDArray[np.int64]
    cosines: Rows

    def nearest(self, passing: Sequence[int], most: int) -> dict[int, float]:
        """The cosines of the nearest `most` of the pages that pass, by their keys, and of the
        others that are as near as the last of them, nearest first."""
        order = np.lexsort((self.keys, -self.cosines))
        passes = np.isin(self.keys[order], np.array(passing, np.int64))
        listed = order[passes][:most]
        if not len(listed):
            return {}
        at_least = self.cosines[order] >= self.cosines[listed[-1]]
        others = order[at_least & ~passes][:MOST_AS_NEAR]
        chosen = np.concatenate([listed, others])
        keys, cosines = self.keys[chosen].tolist(), self.cosines[chosen].tolist()
        return dict(zip(keys, cosines, strict=True))


def similarities(searched: SearchedCrawls, asked: Nearness) -> Similarities | None:
    """The similarity of every page of the crawls with a vector, without the pages of the query and
    their near-duplicates. None if nothing can be compared: `nearness_problem` has the reason."""
    row = vectors_of_topic(searched.topic.pk)
    query = _query(searched, asked, row) if row else None
    if row is None or query is None:
        return None
    keys, cosines = [np.empty(0, np.int64)], [np.empty(0, np.float32)]
    for pages, rows in vector_blocks(searched.crawl_ids, row.version):
        keys.append(pages)
        cosines.append(rows @ query)
    every, alike = np.concatenate(keys), np.concatenate(cosines)
    own = np.isin(every, np.array(_own_pages(searched, asked), np.int64))
    return Similarities(every[~own], alike[~own])


def nearness_problem(searched: SearchedCrawls, asked: Nearness) -> tuple[str, str] | None:
    """The field of what cannot be compared, and why as a sentence, or None."""
    field = "near" if asked.words else "like"
    row = vectors_of_topic(searched.topic.pk)
    if row is None:
        return field, (
            "No page can be compared yet: that needs eight pages with text in common, which are"
            " read in the background."
        )
    if missing := [page for page in asked.pages if not _entries(searched, [page])]:
        crawl, seq = missing[0]
        return "like", f"“{crawl}-{seq}” is not a page of this collection."
    if _query(searched, asked, row) is None:
        if not asked.words:
            return "like", "The chosen pages have no text to compare."
        where = "this collection’s pages" if row.by_words else "the word vectors"
        return "near", f"None of these words is among the words of {where}; try others."
    return None


def basis_words(searched: SearchedCrawls) -> str:
    """The vectors by which pages are compared, and how many pages have one, as sentences."""
    row = vectors_of_topic(searched.topic.pk)
    if row is None:
        return "No page can be compared yet; pages are prepared in the background."
    by = (
        "Compared by the words that this collection’s pages share (latent semantic analysis); with"
        " word vectors (CRAWLSITE_WORD_VECTORS), which an administrator can name, words that no"
        " page has are understood too."
        if row.by_words
        else f"Compared by word vectors: {row.label}."
    )
    problem = f"{row.problem} " if row.problem else ""
    pages = sum(crawl.pages for crawl in searched.crawls)
    placed = Progress.objects.filter(crawl__in=searched.crawl_ids, vectors_version=row.version)
    ready = sum(placed.values_list("vectored", flat=True))
    behind = (
        f" {count(ready)} of {count(pages)} pages are prepared so far." if ready < pages else ""
    )
    return f"{problem}{by}{behind}"


def _query(searched: SearchedCrawls, asked: Nearness, row: TopicVectors) -> Rows | None:
    """The normalised mean of the vectors of the words and of the pages."""
    parts: list[Rows] = []
    if asked.words:
        parts.append(_of_words(searched, asked.words, row))
    if asked.pages:
        keys = [entry.page_id for entry in _entries(searched, asked.pages)]
        parts += [*vectors_of(keys, row.version)]
    parts = [part for part in parts if part.any()]
    if not parts:
        return None
    query: Rows = scaled(np.stack(parts).mean(axis=0, keepdims=True))[0]
    return query if query.any() else None


def _of_words(searched: SearchedCrawls, words: str, row: TopicVectors) -> Rows:
    languages = _languages(searched) if row.by_words else []
    vectors = None
    # Others than those of the pages, just named, may have other dimensions.
    if row.source and row.source == vectors_state():
        with suppress(BadVectors):
            vectors = named_vectors()
    return space_of(row).place_query(terms_of_query(words, languages), vectors)


def _languages(searched: SearchedCrawls) -> list[str]:
    rows = Entry.objects.filter(crawl__in=searched.crawl_ids).order_by()
    return sorted(code for code in rows.values_list("language", flat=True).distinct() if code)


def _entries(searched: SearchedCrawls, pages: Sequence[tuple[int, int]]) -> list[Entry]:
    wanted = Q()
    for crawl, seq in pages:
        wanted |= Q(crawl=crawl, seq=seq)
    return list(Entry.objects.filter(wanted, crawl__in=searched.crawl_ids)) if pages else []


def _own_pages(searched: SearchedCrawls, asked: Nearness) -> list[int]:
    """The keys of the pages asked for, in every crawl, and of their near-duplicates."""
    entries = _entries(searched, asked.pages)
    folds = {entry.fold for entry in entries} - {None}
    same = Q(address__in={entry.address for entry in entries}) | Q(fold__in=folds)
    rows = Entry.objects.filter(same, topic=searched.topic)
    return list(rows.values_list("page_id", flat=True)) if entries else []


def rank_table(vendor: str) -> str:
    """The table (page_id, similarity) of a parameter: pairs as JSON."""
    if vendor == "postgresql":
        return (
            "nearness AS MATERIALIZED (SELECT (pair->>0)::bigint AS page_id,"
            " (pair->>1)::float8 AS similarity FROM jsonb_array_elements(%s::jsonb) AS pair)"
        )
    return (
        "nearness AS MATERIALIZED (SELECT json_extract(value, '$[0]') AS page_id,"
        " json_extract(value, '$[1]') AS similarity FROM json_each(%s))"
    )


def pairs_of(nearest: Mapping[int, float]) -> list[tuple[int, float]]:
    """The rows of that table."""
    return [(key, round(cosine, 4)) for key, cosine in nearest.items()]
