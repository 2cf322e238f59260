"""PLSI + PHITS: a joint factor model of terms and citations (HCLA §2.3, Cohn & Hofmann)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from apps.engine.model import Floats, Longs

FOLDING_STEPS = 20
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Counts:
    """Normalised counts of items in documents: entry i is `value[i]` of `item[i]` in `document[i]`.

    Each document's values sum to 1, or to 0 if it has no items.
    """

    documents: int
    items: int
    document: Longs
    item: Longs
    value: Floats

    @classmethod
    def of(cls, documents: int, items: int, document: Longs, item: Longs, count: Floats) -> Counts:
        """Divides the counts by their document's sum."""
        total = np.bincount(document, count, documents)
        return cls(documents, items, document, item, count / total[document])


@dataclass(frozen=True, slots=True)
class Factors:
    """P(t|z) (terms × K), P(c|z) (citations × K) and P(z|d) (documents × K)."""

    terms: Floats
    citations: Floats
    documents: Floats = field(repr=False)

    def of_query(self, counts: Floats) -> Floats:
        """P(z|q) of a query (one count per term), folded in with fixed P(t|z); uniform if empty."""
        terms = np.flatnonzero(counts)
        share = np.full(self.terms.shape[1], 1 / self.terms.shape[1])
        if not terms.size:
            return share
        for _ in range(FOLDING_STEPS):
            joint = self.terms[terms] * share
            joint /= np.maximum(joint.sum(axis=1, keepdims=True), TINY)
            share = counts[terms] @ joint
            share /= max(float(share.sum()), TINY)
        return share


def start(terms: int, citations: int, documents: int, factors: int, seed: int) -> Factors:
    """Random initial factors, deterministic for a seed."""
    chance = np.random.default_rng(seed)
    return Factors(
        _columns(chance.random((terms, factors)) + 1),
        _columns(chance.random((citations, factors)) + 1),
        _rows(chance.random((documents, factors)) + 1),
    )


def extend_factors(last: Factors, last_cited: Longs, cited: Longs, documents: int) -> Factors:
    """The last factors, extended to the current citations and documents.

    `last_cited` are the URL numbers of the last citations, `cited` those of the current ones. New
    entries are uniform over the factors.
    """
    factors = last.terms.shape[1]
    citations = np.full((len(cited), factors), 1 / max(len(cited), 1))
    if last_cited.size:
        order = np.argsort(last_cited)
        position = order[np.searchsorted(last_cited[order], cited).clip(max=len(order) - 1)]
        same = last_cited[position] == cited
        citations[same] = last.citations[position[same]]
    new = np.full((documents - len(last.documents), factors), 1 / factors)
    mixing = np.vstack([last.documents, new])
    return Factors(last.terms, citations / citations.sum(axis=0), mixing)


def temperatures(eta: float, limit: float) -> list[float]:
    """β = 1, η, η², … down to the limit."""
    betas = [1.0]
    while betas[-1] * eta >= limit:
        betas.append(betas[-1] * eta)
    return betas


def step(factors: Factors, texts: Counts, links: Counts, alpha: float, beta: float) -> Factors:
    """One step of tempered EM on α·(terms) + (1 − α)·(citations) (HCLA eq. 16).

    P(z|t,d) ∝ [P(t|z)·P(z|d)]^β. **Erratum** (eq. 16): the citations are summed over all citable
    documents, and counts are normalised by document; otherwise text would outweigh links for any α.
    """
    mixing = factors.documents**beta
    terms, by_term = _half(texts, factors.terms**beta, mixing)
    citations, by_citation = _half(links, factors.citations**beta, mixing)
    return Factors(
        _columns(terms), _columns(citations), _rows(alpha * by_term + (1 - alpha) * by_citation)
    )


def _half(counts: Counts, items: Floats, mixing: Floats) -> tuple[Floats, Floats]:
    """The expected counts per factor of each item and of each document."""
    from scipy.sparse import csr_matrix

    joint = np.einsum("ij,ij->i", items[counts.item], mixing[counts.document])
    ratio = counts.value / np.maximum(joint, TINY)
    shape = (counts.documents, counts.items)
    matrix = csr_matrix((ratio, (counts.document, counts.item)), shape)
    return items * (matrix.T @ mixing), mixing * (matrix @ items)


def _columns(values: Floats) -> Floats:
    """Scales every column to sum 1; a column of zeros becomes uniform."""
    total = values.sum(axis=0)
    empty = total <= 0
    scaled: Floats = np.where(empty, 1 / max(len(values), 1), values / np.where(empty, 1.0, total))
    return scaled


def _rows(values: Floats) -> Floats:
    return _columns(values.T).T
