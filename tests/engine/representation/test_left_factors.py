"""The left factors of blocks side by side, against the decomposition of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix, random

from apps.engine.representation.decomposition import SMALL, left_factors, truncated_svd

K = 5


def blocks(rows: int, columns: int) -> tuple[np.ndarray, csr_matrix]:
    """A dense block over the first rows, and a sparse one over all of them."""
    lot = np.random.default_rng(rows + columns)
    dense = lot.normal(size=(rows // 2, 7)) * np.linspace(9, 3, 7)
    return dense, random(rows, columns, 0.1, random_state=lot, format="csr")


@pytest.mark.parametrize(("rows", "columns"), [(SMALL - 10, 40), (300, 900), (900, 300)])
def test_they_span_what_the_whole_decomposition_does(rows, columns):
    dense, sparse = blocks(rows, columns)
    whole = np.hstack([np.vstack([dense, np.zeros((rows - len(dense), 7))]), sparse.toarray()])
    left = left_factors([dense, sparse], rows, K)
    expected = truncated_svd(csr_matrix(whole), K)[0]
    assert left.shape == (rows, K)
    assert left.T @ left == pytest.approx(np.eye(K), abs=1e-9)
    # Signs are free: compare the projections, and each direction in its order.
    assert np.abs(left @ left.T - expected @ expected.T).max() < 1e-6
    assert np.abs((left * expected).sum(0)) == pytest.approx(np.ones(K), abs=1e-6)


def test_the_same_blocks_give_the_same_factors():
    dense, sparse = blocks(300, 500)
    first, again = (left_factors([dense, sparse], 300, K) for _ in range(2))
    assert (first == again).all()


def test_directions_that_are_nowhere_are_left_out():
    dense = np.outer(np.arange(1.0, 201), np.ones(4))
    assert left_factors([dense, csr_matrix((200, 300))], 200, K).shape == (200, 1)
    assert left_factors([csr_matrix((30, 0))], 30, K).shape == (30, 0)
    assert left_factors([], 0, K).shape == (0, 0)
