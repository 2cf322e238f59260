"""HCLA's corpus with the links among its n documents, as n rows below its terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.engine.intelligence.latent.crawl_graph import CrawlGraph
from apps.engine.intelligence.latent.web import Entries, Expansion, expand
from apps.engine.model import Document, Floats, Longs, TokenRows
from apps.engine.representation.decomposition import truncated_svd
from apps.engine.representation.weightings.lsi import Lsi

NOTHING: Entries = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def linked_factors(
    lsi: Lsi, rows: TokenRows, documents: Sequence[Document], how: Expansion
) -> Floats:
    """U_k·S_k of the corpus matrix with one more row per document for its links (HCLA §6).

    (terms + documents) × k'. Terms and links are weighted as for the pages of a crawl.
    """
    entries = lsi.counts(rows)
    web = CrawlGraph(len(documents), 0, *links_among(documents))
    texts = (entries.row, entries.column, entries.weight)
    base, singular, _ = truncated_svd(expand(web, entries.columns, texts, NOTHING, how), lsi.k)
    return base * singular


def links_among(documents: Sequence[Document]) -> tuple[Longs, Longs]:
    """The links among the documents, as indices of source and target."""
    index = {document.url: i for i, document in enumerate(documents)}
    pairs = [
        (i, index[url])
        for i, document in enumerate(documents)
        for url in document.links.urls
        if index.get(url, i) != i
    ]
    source, target = np.array(pairs, np.int64).reshape(-1, 2).T
    return source, target
