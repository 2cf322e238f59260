"""HCLA's expanded matrix and its projection into the latent space (HCLA §4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from apps.engine.intelligence.latent.crawl_graph import CrawlGraph
from apps.engine.model import Floats, Longs
from apps.engine.representation.decomposition import left_factors

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

NEGLIGIBLE = 1e-9
DECIMALS = 10

Entries = tuple[Longs, Longs, Floats]


@dataclass(frozen=True, slots=True)
class Expansion:
    """How D is built: the weights of a link and of a self-link, and whether columns are unit."""

    link_weight: float = 1.0
    self_link: bool = True
    unit: bool = True


@dataclass(frozen=True, slots=True)
class LatentWeb:
    """The waiting URLs in the latent space of C = [[A_k; 0] | D].

    `base` are the corpus rows of U_C (terms first), `coordinates` is S_C·V_Cᵀ (k × waiting URLs).
    """

    base: Floats
    coordinates: Floats

    def cosines(self, queries: Floats) -> Floats:
        """HCLA eq. 19: the cosine of each waiting URL with each query (terms × queries).

        Waiting URLs × queries, in [−1, 1]; NaN if the projection of a URL or query is zero.
        """
        projected = self.base[: len(queries)].T @ queries
        products = self.coordinates.T @ projected
        norms = np.linalg.norm(self.coordinates, axis=0)
        lengths = norms[:, None] * np.linalg.norm(queries, axis=0)
        with np.errstate(invalid="ignore"):
            cosines: Floats = np.where(lengths > NEGLIGIBLE, products, np.nan) / lengths
        # Rounded so that equal columns tie and the URL discovered first comes first.
        rounded: Floats = np.clip(cosines, -1.0, 1.0).round(DECIMALS)
        return rounded


def cosines_with_documents(
    stored: Floats, expansion: csr_matrix, k: int, fetched: int, documents: Floats
) -> Floats:
    """The cosine of each waiting URL, as a query, with each of `documents` (HCLA §6).

    `documents` are columns of A over its terms. The space is that of [[A_k; 0] | D] without the
    columns of the waiting URLs: a URL's query is its column of D, with its links and anchor text.
    Waiting URLs × documents; NaN if the projection of either is zero.
    """
    left = left_factors([stored, expansion[:, :fetched]], expansion.shape[0], k)
    queries = expansion[:, fetched:]
    indexed = left[: len(documents)].T @ documents
    products = (queries.T @ left) @ indexed
    norms = np.sqrt(queries.multiply(queries).sum(axis=0).A1)
    lengths = norms[:, None] * np.linalg.norm(indexed, axis=0)
    defined = lengths > NEGLIGIBLE
    cosines: Floats = np.where(defined, products, np.nan) / np.where(defined, lengths, 1.0)
    return np.clip(cosines, -1.0, 1.0).round(DECIMALS)


def priorities(cosines: Floats) -> Floats:
    """One priority per waiting URL, in [0, 1]: (1 + cos)/2 of one query, or the noise-or of several
    (HCLA §6).

    An undefined cosine gives 0. **Erratum** (HCLA §6): cosines may be negative and then count as 0.
    """
    if cosines.shape[1] == 1:
        return np.nan_to_num((1 + cosines[:, 0]) / 2)
    return noise_or(cosines)


def noise_or(cosines: Floats) -> Floats:
    """1 − Π(1 − cos) of each row; a negative or undefined cosine counts as 0 (HCLA §6)."""
    alike = np.maximum(np.nan_to_num(cosines), 0.0)
    either: Floats = 1 - np.prod(1 - alike, axis=1)
    return either


def expand(
    web: CrawlGraph,
    terms: int,
    texts: Entries,
    anchors: Entries,
    how: Expansion,
    copies: Longs | None = None,
) -> csr_matrix:
    """D = [[L, O], [G, R]]: one column per fetched page, then one per waiting URL.

    A column for n equal ones (`copies`) is multiplied by √n, which gives the left factors and
    cosines of the n columns.

    Its rows are the `terms`, then one per fetched page. `texts` are the entries of L (page, term,
    count), `anchors` those of O (waiting URL, term, count). **Erratum** (HCLA §6): a link is an
    entry in the row of its source and the column of its target, in both G and R; the other reading
    leaves R empty. **Erratum** (HCLA §4): it has m documents and n terms, although A is terms ×
    documents. **Choice**: a page links to itself, so that its text influences its targets.
    """
    from scipy.sparse import csr_matrix

    selves = np.arange(web.fetched if how.self_link else 0)
    row = [texts[1], anchors[1], terms + web.source, terms + selves]
    column = [texts[0], anchors[0] + web.fetched, web.target, selves]
    links = np.full(len(web.source) + len(selves), how.link_weight)
    value = np.concatenate([texts[2], anchors[2], links])
    shape = (terms + web.fetched, web.nodes)
    matrix = csr_matrix((value, (np.concatenate(row), np.concatenate(column))), shape)
    if how.unit:
        lengths = np.sqrt(np.bincount(matrix.indices, matrix.data**2, web.nodes))
        matrix.data /= np.where(lengths > 0, lengths, 1.0)[matrix.indices]
    if copies is not None:
        matrix.data *= np.sqrt(np.concatenate([np.ones(web.fetched), copies]))[matrix.indices]
    return matrix


def project(stored: Floats, expansion: csr_matrix, k: int, fetched: int) -> LatentWeb:
    """The waiting URLs in the space of the k largest triplets of [[A_k; 0] | D].

    `stored` is U_k·S_k, with no column if there is no corpus. **Erratum** (HCLA eq. 10, 17, 18):
    the printed update projects D onto [U_k; 0] only, so that every frontier column becomes 0 and
    eq. 19 is 0/0 (and U_B·V_F in eq. 18, k against k + d columns, must read U_B·U_F). Here the part
    of D orthogonal to it stays (Zha & Simon 1999), by decomposing [[U_k·S_k; 0], D], which has
    the left factors of C. S_C·V_Cᵀ of the waiting URLs is U_Cᵀ times their columns of D.
    """
    left = left_factors([stored, expansion], expansion.shape[0], k)
    coordinates: Floats = (expansion.T[fetched:] @ left).T
    return LatentWeb(left[: len(stored)], coordinates)
