"""The truncated singular value decomposition, deterministic for a given matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from apps.engine.model import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SMALL = 64
NEGLIGIBLE = 1e-10
BLURRED = 1e-6
CLOSE = 1e-5


def truncated_svd(matrix: csr_matrix, k: int) -> tuple[Floats, Floats, Floats]:
    """U (rows × k'), S (k', largest first) and Vᵀ (k' × columns) of the k largest triplets.

    k' is smaller than k if the matrix has only k' singular values above zero. Large matrices are
    decomposed by implicitly restarted Lanczos bidiagonalisation (ARPACK) with a fixed start vector,
    small ones by LAPACK.
    """
    least = min(matrix.shape)
    if least == 0 or matrix.nnz == 0:
        return np.zeros((matrix.shape[0], 0)), np.zeros(0), np.zeros((0, matrix.shape[1]))
    if least <= SMALL or k >= least // 2:
        left, values, right = np.linalg.svd(matrix.toarray(), full_matrices=False)
    else:
        left, values, right = _lanczos(matrix, k)
    rank = min(k, int((values > NEGLIGIBLE * values[0]).sum()))
    return left[:, :rank], values[:rank], right[:rank]


def left_factors(blocks: Sequence[csr_matrix | Floats], rows: int, k: int) -> Floats:
    """U (rows × k') of the k largest triplets of the blocks side by side.

    A block with fewer than `rows` rows is padded with zeros. The blocks are never concatenated, so
    that a dense block uses dense products. Large matrices are decomposed by Lanczos in single
    precision, at half the cost, and one step of subspace iteration in double precision, which
    removes the rounding errors. For them, singular values below a thousandth of the largest count
    as zero.
    """
    if rows == 0 or not any(block.shape[1] for block in blocks):
        return np.zeros((rows, 0))
    if rows <= SMALL or k >= rows // 2:
        from scipy.sparse import csr_matrix

        whole = np.hstack([_padded(block, rows) for block in blocks])
        return truncated_svd(csr_matrix(whole), k)[0]
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):  # more threads would slow small products
        rough = _eigenvectors(Gram(blocks, rows, np.float32), k)
        return _orthonormal(Gram(blocks, rows, np.float64) @ rough)


class Gram:
    """M·Mᵀ for the blocks M side by side, in one precision, as a linear operator."""

    def __init__(
        self, blocks: Sequence[csr_matrix | Floats], rows: int, precision: type[np.floating[Any]]
    ) -> None:
        self.rows = rows
        typed = [block.astype(precision, copy=False) for block in blocks]
        self._pairs = [
            (block, block.T if isinstance(block, np.ndarray) else block.T.tocsr())
            for block in typed
        ]

    def __matmul__(self, x: Any) -> Any:
        """The product with a vector or matrix of `rows` rows."""
        total = np.zeros_like(x)
        for block, turned in self._pairs:
            total[: block.shape[0]] += block @ (turned @ x[: block.shape[0]])
        return total


def _eigenvectors(gram: Gram, k: int) -> Floats:
    """The eigenvectors of the k largest eigenvalues, largest first, in single precision."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    start = np.random.default_rng(0).uniform(-1, 1, gram.rows).astype(np.float32)
    operator = LinearOperator((gram.rows, gram.rows), gram.__matmul__, dtype=np.float32)
    squares, left = eigsh(operator, k, v0=start, tol=CLOSE)
    vectors: Floats = left[:, ::-1][:, squares[::-1] > BLURRED * squares[-1]]
    return vectors.astype(np.float64)


def _orthonormal(x: Floats) -> Floats:
    """Orthonormalises nearly orthogonal columns by the Cholesky factor of xᵀx."""
    from scipy.linalg import solve_triangular

    x = x / np.linalg.norm(x, axis=0)
    turned: Floats = solve_triangular(np.linalg.cholesky(x.T @ x), x.T, lower=True).T
    return turned


def _padded(block: csr_matrix | Floats, rows: int) -> Floats:
    dense = block if isinstance(block, np.ndarray) else block.toarray()
    return np.vstack([dense, np.zeros((rows - len(dense), dense.shape[1]))])


def _lanczos(matrix: csr_matrix, k: int) -> tuple[Floats, Floats, Floats]:
    from scipy.sparse.linalg import svds
    from threadpoolctl import threadpool_limits

    start = np.random.default_rng(0).uniform(-1, 1, min(matrix.shape))
    with threadpool_limits(1):  # more threads would slow small products
        left, values, right = svds(matrix, k, v0=start)
    order = np.argsort(-values, kind="stable")
    return left[:, order], values[order], right[order]
