"""How well link contexts describe the pages that links lead to (LC §10.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from apps.crawls.measures.drawn_pages import draw_pages
from apps.crawls.models import Crawl, Page
from apps.crawls.packing import unpack_numbers
from apps.crawls.pages.bodies import stored_answer
from apps.directories.selectors import descriptions_below
from apps.engine.errors import BadWebFile
from apps.engine.evaluation.context_quality import ContextQuality, context_quality
from apps.engine.model import Document, Ints, TokenRows
from apps.engine.parsing.contexts import CONTEXTS
from apps.engine.parsing.document import parse
from apps.engine.parsing.words import words
from apps.engine.representation.tokens import Vocabulary

MOST = 100


@dataclass(frozen=True, slots=True)
class TechniqueQuality:
    """A technique for link contexts, and how similar its texts are to the descriptions."""

    technique: str
    quality: ContextQuality


def context_qualities(crawl: Crawl, stored: int) -> tuple[TechniqueQuality, ...]:
    """Over up to a hundred fetched pages that the topic's directory describes; empty if there are
    none.

    The link to a page is the first one on a page drawn at random from the fetched pages that link
    to it. Pages and links are those that are drawn of the `stored` pages.
    """
    return qualities_of(_described_links(crawl, stored), crawl.topic.language)


def qualities_of(
    links: Iterable[tuple[Document, int, str]], language: str
) -> tuple[TechniqueQuality, ...]:
    """The quality of each technique for links, each as a page, the index of one of its links, and
    the description of what it leads to; empty without links."""
    vocabulary = Vocabulary(language or "en")
    techniques = {name: find for context in CONTEXTS for name, find in context.compared.items()}
    pairs: dict[str, list[tuple[Ints, Ints]]] = {name: [] for name in techniques}
    for document, occurrence, description in links:
        described = vocabulary.encode(words(description))
        tokens = vocabulary.encode(document.words)
        for name, technique in techniques.items():
            context = TokenRows.gather(tokens, technique(document)).row(occurrence)
            pairs[name].append((context, described))
    return tuple(
        TechniqueQuality(name, context_quality(pages)) for name, pages in pairs.items() if pages
    )


def _described_links(crawl: Crawl, stored: int) -> Iterator[tuple[Document, int, str]]:
    """A page, the index of one of its links, and the description of the link's target."""
    described = descriptions_below(crawl.topic.category)
    if not described:
        return
    rows = draw_pages(crawl.pages_fetched.all(), stored).values_list("number", "url")
    pages = {number: url for number, url in rows.iterator() if url in described}
    chosen = list(_random_back_links(crawl, pages, stored).items())[:MOST]
    sources = {
        page.seq: page for page in crawl.pages_fetched.filter(seq__in={seq for _, seq in chosen})
    }
    for number, seq in chosen:
        url, document = pages[number], _read(crawl, sources.get(seq))
        if document is not None and url in document.links.urls:
            target = document.links.urls.index(url)
            yield document, int(np.flatnonzero(document.links.target == target)[0]), described[url]


def _random_back_links(crawl: Crawl, pages: Mapping[int, str], stored: int) -> dict[int, int]:
    """A random back link of each of these URL numbers that has any: the linking page's `seq`, drawn
    with the crawl's seed, in the same order."""
    sources: dict[int, list[int]] = {number: [] for number in pages}
    wanted = np.array(sorted(pages), np.int64)
    own = dict(
        draw_pages(crawl.pages_fetched.all(), stored).values_list("seq", "number").iterator()
    )
    rows = draw_pages(crawl.outlinks.all(), stored)
    for seq, blob in rows.values_list("seq", "targets").iterator():
        for number in np.intersect1d(unpack_numbers(blob), wanted).tolist():
            if number != own.get(seq, number):
                sources[number].append(seq)
    chance = np.random.default_rng(crawl.random_seed)
    return {number: int(chance.choice(seqs)) for number, seqs in sources.items() if seqs}


def _read(crawl: Crawl, page: Page | None) -> Document | None:
    try:
        return parse(stored_answer(crawl, page)) if page else None
    except BadWebFile:
        return None
