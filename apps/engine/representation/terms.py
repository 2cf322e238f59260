"""Vocabularies of a limited size (HCLA §5.1 keeps the 1,000 most frequent terms)."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Ints, TokenRows


def most_frequent(rows: TokenRows, count: int) -> Ints:
    """The most frequent token ids of the texts, ascending; ties go to the lower id."""
    occurrences = np.bincount(rows.ids)
    order = np.argsort(-occurrences, kind="stable")[:count]
    return np.sort(order[occurrences[order] > 0]).astype(np.int32)


def only(rows: TokenRows, terms: Ints) -> TokenRows:
    """The texts reduced to `terms` (ascending token ids)."""
    is_term = np.zeros(int(rows.ids.max(initial=0)) + 1, np.bool_)
    is_term[terms[terms < len(is_term)]] = True
    chosen = is_term[rows.ids]
    before = np.concatenate([[0], np.cumsum(chosen)])
    return TokenRows(before[rows.indptr], rows.ids[chosen])
