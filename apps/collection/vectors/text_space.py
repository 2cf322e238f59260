"""Texts as vectors of length 1, so that near texts have a large cosine.

A text is its weighted terms, (1 + ln tf)·idf scaled to length 1, times a table with a row for each
term. The rows are the right singular vectors of the terms by pages (latent semantic analysis;
Deerwester et al. 1990), or word vectors. The mean direction of the pages is taken off: all of them
share it, so that it tells nothing apart.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.representation.decomposition import truncated_svd
from apps.engine.representation.vectors.word_vectors import WordVectors, scaled

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DIMENSIONS = 100
PAGES_OF_A_DIMENSION = 4
MOST_TERMS = 12_000
LEAST_PAGES_OF_A_TERM = 2
Rows = NDArray[np.float32]


@dataclass(frozen=True)
class TextSpace:
    """`table` has a row for each of `terms`, `idf` its weight; of `pages` texts it was made."""

    terms: tuple[str, ...]
    idf: Rows
    table: Rows
    mean: Rows
    pages: int

    @classmethod
    def fit(
        cls, texts: Sequence[Sequence[str]], vectors: WordVectors | None = None
    ) -> TextSpace | None:
        """The space of some pages, by their terms, or by the word vectors of these. None if they
        have too few terms in common."""
        pages_with = Counter(term for text in texts for term in set(text))
        listed = sorted(
            (
                term
                for term, pages in pages_with.items()
                if pages >= LEAST_PAGES_OF_A_TERM and (vectors is None or term in vectors.index)
            ),
            key=lambda term: (-pages_with[term], term),
        )[:MOST_TERMS]
        if not listed:
            return None
        seen = np.array([pages_with[term] for term in listed])
        idf: Rows = (np.log((1 + len(texts)) / (1 + seen)) + 1).astype(np.float32)
        numbers = {term: number for number, term in enumerate(listed)}
        weighted = _weigh(texts, numbers, idf)
        if vectors is None:
            # More dimensions than few pages support would be the words themselves.
            k = min(DIMENSIONS, max(2, len(texts) // PAGES_OF_A_DIMENSION))
            rows: NDArray[Any] = truncated_svd(weighted.astype(np.float64), k)[2].T
        else:
            rows = vectors.rows[[vectors.index[term] for term in listed]]
        # As they are read again, at half precision.
        table: Rows = rows.astype(np.float16).astype(np.float32)
        placed = scaled(np.asarray(weighted @ table, np.float32))
        return cls(tuple(listed), idf, table, placed.mean(axis=0), len(texts))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The row of each term."""
        return {term: number for number, term in enumerate(self.terms)}

    def place(self, texts: Sequence[Sequence[str]]) -> Rows:
        """A row of length 1 for each text by its terms; zeros if none of them is listed."""
        weighted = _weigh(texts, self.numbers, self.idf)
        return self._centred(np.asarray(weighted @ self.table, np.float32))

    def place_query(self, terms: Sequence[str], vectors: WordVectors | None) -> Rows:
        """The vector of typed terms; word vectors also place those that no page had."""
        total = np.zeros(self.table.shape[1], np.float32)
        for term in terms:
            if (number := self.numbers.get(term)) is not None:
                total += self.idf[number] * self.table[number]
            elif vectors is not None and term in vectors.index:
                rarest = np.float32(np.log(1 + self.pages) + 1)
                total += rarest * vectors.rows[vectors.index[term]]
        row: Rows = self._centred(total[None, :])[0]
        return row

    def _centred(self, placed: Rows) -> Rows:
        lengths = np.linalg.norm(placed, axis=1, keepdims=True)
        return np.where(lengths > 0, scaled(scaled(placed) - self.mean), 0).astype(np.float32)

    def pack(self) -> bytes:
        """The space as bytes."""
        stream = io.BytesIO()
        np.savez_compressed(
            stream,
            terms=np.frombuffer("\n".join(self.terms).encode(), np.uint8),
            idf=self.idf,
            table=self.table.astype(np.float16),
            mean=self.mean,
            pages=np.array(self.pages),
        )
        return stream.getvalue()

    @classmethod
    def unpack(cls, packed: bytes) -> TextSpace:
        """The space that `pack` wrote."""
        with np.load(io.BytesIO(packed), allow_pickle=False) as read:
            return cls(
                tuple(read["terms"].tobytes().decode().split("\n")),
                read["idf"],
                read["table"].astype(np.float32),
                read["mean"],
                int(read["pages"]),
            )


def _weigh(texts: Sequence[Sequence[str]], numbers: Mapping[str, int], idf: Rows) -> csr_matrix:
    """Texts × terms, (1 + ln tf)·idf, each row of length 1."""
    from scipy.sparse import csr_matrix

    data: list[NDArray[np.float32]] = []
    columns: list[int] = []
    ends = [0]
    for text in texts:
        counts = Counter(number for term in text if (number := numbers.get(term)) is not None)
        columns += counts.keys()
        weights = (1 + np.log(np.array([*counts.values()], np.float32))) * idf[[*counts.keys()]]
        data.append(weights / (float(np.linalg.norm(weights)) or 1.0))
        ends.append(len(columns))
    shape = (len(texts), len(numbers))
    joined = np.concatenate(data) if data else np.empty(0, np.float32)
    return csr_matrix((joined, np.array(columns, np.int32), np.array(ends, np.int32)), shape=shape)
