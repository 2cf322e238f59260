"""HCLA's corpus with the links its documents are known to have: n rows more below its terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.engine.intelligence.known_web import KnownWeb
from apps.engine.intelligence.latent_web import Entries, Expansion, expanded
from apps.engine.model import Document, Floats, Longs, TokenRows
from apps.engine.representation.decomposition import truncated_svd
from apps.engine.representation.weightings.lsi import Lsi

NOTHING: Entries = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def linked_factors(
    lsi: Lsi, rows: TokenRows, documents: Sequence[Document], how: Expansion
) -> Floats:
    """U_k·S_k of the corpus' matrix with a row a document: what it links to (HCLA §6).

    (terms + documents) × k'. Documents are weighed against links as the pages of a crawl are.
    """
    found = lsi.counts(rows)
    web = KnownWeb(len(documents), 0, *links_among(documents))
    texts = (found.row, found.column, found.weight)
    base, singular, _ = truncated_svd(expanded(web, found.columns, texts, NOTHING, how), lsi.k)
    return base * singular


def links_among(documents: Sequence[Document]) -> tuple[Longs, Longs]:
    """The links from one document to another, by their places: where from, where to."""
    place = {document.url: i for i, document in enumerate(documents)}
    pairs = [
        (i, place[url])
        for i, document in enumerate(documents)
        for url in document.links.urls
        if place.get(url, i) != i
    ]
    source, target = np.array(pairs, np.int64).reshape(-1, 2).T
    return source, target
