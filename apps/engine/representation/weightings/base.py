"""The interface of term weightings, and the NumPy code that they share.

A weighting learns its vocabulary and its idf from full pages (`fit`), then weighs any text. Since
link contexts are many and short, `Weighted.project` computes `transform(rows) @ weights` for all
contexts of a page without building a matrix.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from apps.engine.model import NO_TOKEN, Floats, Ints, Longs, TokenRows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

COLUMN_BITS = 32


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The distinct terms of `rows` texts with their counts (tf), sorted by row, then column."""

    rows: int
    row: Longs
    column: Longs
    count: Floats

    def per_row(self, values: Floats) -> Floats:
        """The sum of `values` (one per occurrence) over each row; 0 for an empty row."""
        return _sums(self.row, values, self.rows)

    def most(self) -> Floats:
        """The largest count of each row; 0 for an empty row."""
        most = np.zeros(self.rows)
        if self.row.size:
            starts = _run_starts(self.row)
            most[self.row[starts]] = np.maximum.reduceat(self.count, starts)
        return most


@dataclass(frozen=True, slots=True)
class Weighted:
    """Weighted texts: the weight of each row's distinct terms, sorted by row, then column."""

    rows: int
    columns: int
    row: Longs
    column: Longs
    weight: Floats

    def project(self, weights: Floats) -> Floats:
        """The inner product of each row with `weights` (one per column); 0 for an empty row."""
        return _sums(self.row, self.weight * weights[self.column], self.rows)

    def products(self, weights: Floats) -> Floats:
        """The products with several columns of weights: rows × number of columns."""
        products = np.zeros((self.rows, weights.shape[1]))
        if self.row.size:
            starts = _run_starts(self.row)
            terms = weights.take(self.column, axis=0)  # much faster than by an index
            terms *= self.weight[:, None]
            products[self.row[starts]] = np.add.reduceat(terms, starts)
        return products

    def matrix(self, dtype: DTypeLike = np.float64) -> csr_matrix:
        """The weights as a sparse matrix, rows × columns, with sorted indices."""
        from scipy.sparse import csr_matrix

        weight, column = self.weight.astype(dtype), self.column.astype(np.int32)
        return csr_matrix((weight, column, self._indptr()), (self.rows, self.columns))

    def times(self, dense: NDArray[np.float32]) -> NDArray[np.float32]:
        """`matrix(np.float32) @ dense`, to the same bits, for `dense` in C's order.

        By the routine that the product calls: to check and build the matrix takes longer than to
        multiply the few short texts of a page.
        """
        from scipy.sparse import _sparsetools

        indptr, columns = self._indptr(), self.column.astype(np.int32)
        product = np.zeros((self.rows, dense.shape[1]), np.float32)
        _sparsetools.csr_matvecs(
            self.rows,
            self.columns,
            dense.shape[1],
            indptr,
            columns,
            self.weight.astype(np.float32),
            dense.ravel(),
            product.ravel(),
        )
        return product

    def _indptr(self) -> NDArray[np.int32]:
        """Where each row's weights begin, and their number."""
        indptr = np.zeros(self.rows + 1, np.int32)
        np.cumsum(np.bincount(self.row, minlength=self.rows), out=indptr[1:])
        return indptr


@dataclass(frozen=True, slots=True)
class FixedTerms:
    """A vocabulary given from outside: token ids, ascending, and the idf of each."""

    terms: Ints
    idf: Floats


class Weighting:
    """Base of the weightings; a subclass computes the weights of occurrences in `_weigh`.

    Learned: `terms_` (column → token id, ascending), `columns` (token id → column, −1 outside the
    vocabulary; the last entry applies to all later ids) and `idf_` (one per column).
    """

    id: ClassVar[str]
    title: ClassVar[str]
    columns: Ints
    terms_: Ints
    idf_: Floats

    def fit(
        self,
        rows: TokenRows,
        labels: Ints | None = None,
        background: TokenRows | FixedTerms | None = None,
        weights: Floats | None = None,
    ) -> Self:
        """Learns the vocabulary from `rows`, and the idf from the texts of `background` if given,
        else from `rows`; or takes both from there.

        The idf counts each text of `rows` by its weight.
        """
        if isinstance(background, FixedTerms):
            self._number(background.terms)
            self.idf_ = background.idf
            return self
        self._number(np.unique(rows.ids))
        if background is None:
            self.idf_ = example_idf(rows, self.columns, len(self.terms_), weights)
        else:
            self.idf_ = background_idf(background, self.columns, len(self.terms_))
        return self

    def _number(self, terms: Ints) -> None:
        self.terms_ = terms
        self.columns = np.full(int(terms.max(initial=-1)) + 2, NO_TOKEN, np.int32)
        self.columns[terms] = np.arange(len(terms))

    def state(self) -> dict[str, Any]:
        """The learned state as arrays: the terms, and by name one number per term."""
        learned = (name for name in vars(self) if name.endswith("_"))
        return {name: getattr(self, name) for name in learned}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._number(state["terms_"])
        for name, values in state.items():
            setattr(self, name, values)

    def weigh(self, rows: TokenRows) -> Weighted:
        """The weights of texts, each L2-normalised; all 0 for a text without terms of the
        vocabulary."""
        entries = occurrences(rows, self.columns)
        weight = self._weigh(entries)
        norms = np.sqrt(entries.per_row(weight * weight))
        norms[norms == 0] = 1.0
        return Weighted(
            entries.rows, len(self.terms_), entries.row, entries.column, weight / norms[entries.row]
        )

    def weigh_examples(self, rows: TokenRows, labels: Ints) -> Weighted:
        """The weights of labelled texts, for training; may depend on the labels."""
        return self.weigh(rows)

    def views(self, rows: TokenRows) -> tuple[Weighted, ...]:
        """The weights of unlabelled texts: one view, or several whose margins are averaged."""
        return (self.weigh(rows),)

    def transform(self, rows: TokenRows) -> csr_matrix:
        """The weights as a sparse matrix, texts × terms of the vocabulary."""
        return self.weigh(rows).matrix()

    def pulls(self, influence: Floats, tokens: Ints) -> Floats:
        """The change of a margin per unit of each token's weight, from the `influence` of the
        columns; 0 outside the vocabulary."""
        columns = self.columns.take(tokens, mode="clip")
        return np.where((columns >= 0) & (tokens >= 0), influence[columns], 0.0)

    def project(self, rows: TokenRows, weights: Floats) -> Floats:
        """`transform(rows) @ weights`, without the matrix."""
        return self.weigh(rows).project(weights)

    def _weigh(self, entries: Occurrences) -> Floats:
        raise NotImplementedError


def occurrences(rows: TokenRows, columns: Ints | None = None) -> Occurrences:
    """Counts each row's terms by sorting keys of row and column and taking run lengths.

    `columns` maps token ids to columns as in `Weighting`; without it, columns are token ids.
    """
    column = rows.ids if columns is None else columns.take(rows.ids, mode="clip")
    keys = (np.arange(len(rows)) << COLUMN_BITS).repeat(rows.indptr[1:] - rows.indptr[:-1])
    keys += column
    if columns is not None:
        keys = keys[column >= 0]
    keys.sort()
    starts = _run_starts(keys)
    count = np.empty(len(starts))
    count[:-1] = starts[1:] - starts[:-1]
    count[-1:] = len(keys) - starts[-1:]
    distinct = keys[starts]
    return Occurrences(
        len(rows), distinct >> COLUMN_BITS, distinct & ((1 << COLUMN_BITS) - 1), count
    )


def _run_starts(values: Longs) -> Longs:
    """The start of each run of equal values; np.diff takes twice the time on short arrays."""
    begins = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins.nonzero()[0]


def example_idf(
    rows: TokenRows, columns: Ints, width: int, weights: Floats | None = None
) -> Floats:
    """ln(N/df) of each column over the training texts, as in the papers, counted by weight."""
    frequency = document_frequency(rows, columns, width, weights)
    total = len(rows) if weights is None else float(weights.sum())
    return np.log(max(total, 1) / np.maximum(frequency, 1))


def background_idf(rows: TokenRows, columns: Ints | None, width: int) -> Floats:
    """ln((N + 1)/(df + 1)) of each column over other texts, in which df may be 0."""
    return np.log((len(rows) + 1) / (document_frequency(rows, columns, width) + 1))


def _sums(row: Longs, values: Floats, rows: int) -> Floats:
    return np.bincount(row, values, rows).astype(np.float64, copy=False)


def document_frequency(
    rows: TokenRows, columns: Ints | None, width: int, weights: Floats | None = None
) -> Floats:
    """The number of rows in which each column occurs, or the sum of their weights."""
    entries = occurrences(rows, columns)
    by_text = None if weights is None else weights[entries.row]
    return np.bincount(entries.column, by_text, width).astype(np.float64)
