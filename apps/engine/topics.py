"""The inputs of a crawl's topic:  examples, earlier pages, a directory, and all of it together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Document


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled page of a topic: its URL and its parsed document. `from_crawl`: it comes
    from a crawl for the topic, so that it is no sample of the Web. `is_unjudged`: nobody has
    read it; it was drawn or gathered and stands for others of its kind."""

    url: str
    document: Document
    relevant: bool
    weight: float = 1.0
    from_crawl: bool = False
    is_unjudged: bool = False


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """A page of an earlier crawl, for a strategy that learns from that crawl."""

    url: str
    document: Document


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """A topic directory: pages in classes such as `/Science/Astronomy`.

    The topic is the class `focus` with all classes below it. If the pages are a draw, `sizes` has
    the pages of each class in the directory, without its descendants', and `drawn` the largest draw
    of a class.
    """

    pages: tuple[tuple[str, Document], ...]
    focus: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    drawn: int | None = None


@dataclass(frozen=True, slots=True)
class VectorTable:
    """Words, the most frequent first, and a row of length 1 for each."""

    words: Sequence[str]
    rows: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic with all its inputs.

    `description` is what its analyst wrote of it, and guides a crawl only as long as there are too
    few examples.
    `training` guides the crawl; `evaluation`, disjoint from it, is for the committee only.
    `relevant_set` are further labelled pages for LC's judges only: the targets, and negatives drawn
    for them. `background` are unlabelled documents and `background_texts` the words of further
    ones, `corpus` unlabelled documents of the topic's field. `inlinks` counts the in-links of URLs;
    `traffic` ranks hosts, 1 for the most visited;
    `listed_sites` are the registered domains that editors list, for the measures. `vectors` are
    word vectors for a crawl that begins with words.
    `version` identifies the stored definition, as a key for cached models. `backlinks` are pages
    that link to examples or to `other_positives`, the positive examples of the analyst's other
    topics, each by its requested and final URL. `earlier` are the pages of an earlier crawl in
    order; iterate over them only, since they may be parsed on demand. `allowed_urls` are the
    canonical URLs that a restricted crawl may fetch. With `main_text` pages are judged by their
    main text alone, as the documents of its examples have it.
    """

    name: str
    version: str = "1"
    language: str | None = None
    description: str = ""
    keywords: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    training: tuple[Example, ...] = ()
    evaluation: tuple[Example, ...] = ()
    relevant_set: tuple[Example, ...] = ()
    targets: frozenset[str] = frozenset()
    background: tuple[Document, ...] = ()
    background_texts: Sequence[Sequence[str]] = ()
    backlinks: tuple[Document, ...] = ()
    other_positives: tuple[tuple[str, ...], ...] = ()
    corpus: tuple[Document, ...] = ()
    taxonomy: Taxonomy | None = None
    earlier: Sequence[CrawledPage] = ()
    allowed_urls: frozenset[str] = frozenset()
    inlinks: Mapping[str, int] = field(default_factory=dict)
    traffic: Mapping[str, int] = field(default_factory=dict)
    listed_sites: Set[str] = frozenset()
    vectors: VectorTable | None = field(default=None, compare=False)
    main_text: bool = False
