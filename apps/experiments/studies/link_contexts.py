"""How well contexts of links describe their targets, on the pages of a crawl (LC §10.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from apps.crawls.measures.context_qualities import MOST, TechniqueQuality, qualities_of
from apps.directories.selectors import descriptions_below
from apps.engine.model import Document
from apps.experiments.studies.reading import TopicPages


@dataclass(frozen=True, slots=True)
class TopicContexts:
    """The quality of each technique for links to described pages of a topic.

    With `by_editors` a directory's editors describe them, else their own titles.
    """

    topic: str
    by_editors: bool
    qualities: tuple[TechniqueQuality, ...]


def link_contexts(read: TopicPages) -> TopicContexts | None:
    """Over up to a hundred pages of the topic, each with one link to it on another page read, drawn
    at random; None if there is none.

    **Choice**: where no directory describes the topic's pages, the title of a relevant page stands
    for its description.
    """
    by_editors = descriptions_below(read.topic.topic.category if read.topic.topic else None)
    links = _links(read, by_editors or _by_titles(read))
    qualities = qualities_of(links, read.engine_topic.language or "")
    return TopicContexts(read.topic.name, bool(by_editors), qualities) if qualities else None


def _by_titles(read: TopicPages) -> dict[str, str]:
    return {
        page.url: page.document.title
        for page, relevant in zip(read.pages, read.relevant, strict=True)
        if relevant and page.document.title.strip()
    }


def _links(read: TopicPages, described: Mapping[str, str]) -> list[tuple[Document, int, str]]:
    """The linked pages with a description: a page that links to each, the index of the first link,
    and the description."""
    linking: dict[str, list[tuple[Document, int]]] = {}
    for page in read.pages:
        for target, url in enumerate(page.document.links.urls):
            if url in described and url != page.url:
                linking.setdefault(url, []).append((page.document, target))
    chance = np.random.default_rng(read.seed)
    wanted = [url for page in read.pages if (url := page.url) in linking][:MOST]
    links = []
    for url in wanted:
        document, target = linking[url][chance.integers(len(linking[url]))]
        first = int(np.flatnonzero(document.links.target == target)[0])
        links.append((document, first, described[url]))
    return links
