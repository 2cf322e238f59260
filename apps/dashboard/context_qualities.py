"""How well link contexts tell what links lead to, over a crawl's described pages (LC §10.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from apps.crawls.models import Crawl, Page
from apps.crawls.stored import stored_answer
from apps.engine.errors import BadWebFile
from apps.engine.evaluation.context_quality import ContextQuality, context_quality
from apps.engine.model import Document, Ints, Spans, TokenRows
from apps.engine.parsing.contexts.anchor import anchor
from apps.engine.parsing.contexts.tag_tree import tag_tree
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse
from apps.engine.parsing.words import words
from apps.engine.representation.tokens import Vocabulary
from apps.topics.directory_models import DirectoryPage
from apps.topics.directory_selectors import at_or_below

MOST = 100


def _full_page(document: Document) -> Spans:
    """The whole page as the context of each occurrence of a link."""
    rows = np.arange(len(document.links.target), dtype=np.int32)
    zeros = np.zeros(len(rows), np.int32)
    return Spans(len(rows), rows, zeros, zeros + document.visible)


TECHNIQUES: Mapping[str, Callable[[Document], Spans]] = {
    "anchor": anchor,
    "window, T = 10": lambda document: window(document, 10),
    "window, T = 20": lambda document: window(document, 20),
    "window, T = 40": lambda document: window(document, 40),
    "tag tree": tag_tree,
    "full page": _full_page,
}


@dataclass(frozen=True, slots=True)
class TechniqueQuality:
    """One way of finding a link's context, and how near its texts come to the descriptions."""

    technique: str
    quality: ContextQuality


def context_qualities(crawl: Crawl) -> tuple[TechniqueQuality, ...]:
    """Of up to a hundred fetched pages that the topic's directory describes; empty without any.

    A page's link is the one that gave it its priority, its first on that page; seeds have none.
    """
    vocabulary = Vocabulary(crawl.topic.language or "en")
    pairs: dict[str, list[tuple[Ints, Ints]]] = {name: [] for name in TECHNIQUES}
    for document, occurrence, description in _described_links(crawl):
        described = vocabulary.encode(words(description))
        tokens = vocabulary.encode(document.words)
        for name, technique in TECHNIQUES.items():
            context = TokenRows.gather(tokens, technique(document)).row(occurrence)
            pairs[name].append((context, described))
    return tuple(
        TechniqueQuality(name, context_quality(found)) for name, found in pairs.items() if found)


def _described_links(crawl: Crawl) -> Iterator[tuple[Document, int, str]]:
    """A page with a link, which of its links that is, and the description of what it leads to."""
    described = _descriptions(crawl)
    if not described:
        return
    linked = crawl.pages_fetched.filter(parent__gte=0).order_by("seq")
    pages = [(url, parent) for url, parent in linked.values_list("url", "parent").iterator()
             if url in described][:MOST]
    sources = {
        page.number: page
        for page in crawl.pages_fetched.filter(number__in={parent for _, parent in pages})
    }
    for url, parent in pages:
        document = _read(crawl, sources.get(parent))
        if document is not None and url in document.links.urls:
            target = document.links.urls.index(url)
            yield document, int(np.flatnonzero(document.links.target == target)[0]), described[url]


def _descriptions(crawl: Crawl) -> dict[str, str]:
    """What editors say of the pages at and below the topic's category, by URL."""
    category = crawl.topic.category
    if category is None:
        return {}
    branch = at_or_below(category.directory.topics.all(), category.path)
    rows = DirectoryPage.objects.filter(topic__in=branch).exclude(description="")
    return dict(rows.values_list("url", "description").iterator())


def _read(crawl: Crawl, page: Page | None) -> Document | None:
    try:
        return parse(stored_answer(crawl, page)) if page else None
    except BadWebFile:
        return None
