from __future__ import annotations

import numpy as np
import pytest

from apps.engine.representation.background import BackgroundStatistics
from apps.engine.representation.beside import Beside
from apps.engine.representation.weightings import Smart, Tfipndf
from tests.engine.representation.test_background import TEXTS, rows

LABELS = np.array([1, 1, 1, 0, 0, 0], np.int32)


def beside(weighting=Smart) -> Beside:
    return Beside(weighting(), BackgroundStatistics(2).fit(TEXTS)).fit(TEXTS, LABELS)


def test_both_parts_of_a_text_have_length_one():
    matrix = beside().weigh(rows([0, 1, 9], [5])).matrix().toarray()
    assert matrix.shape == (2, 6 + 2)
    assert np.linalg.norm(matrix[:, :6], axis=1) == pytest.approx([1, 1])
    assert np.linalg.norm(matrix[:, 6:], axis=1) == pytest.approx([1, 1], abs=1e-6)


def test_products_are_those_of_the_matrix():
    weighed = beside().weigh(rows([0, 1, 9], [5], []))
    weights = np.random.default_rng(1).normal(size=(8, 3))
    assert weighed.products(weights) == pytest.approx(weighed.matrix() @ weights)
    assert weighed.project(weights[:, 0]) == pytest.approx(weighed.matrix() @ weights[:, 0])


def test_a_weighting_by_class_has_its_latent_coordinates_in_every_view():
    both = beside(Tfipndf).views(rows([0, 5]))
    assert len(both) == 2
    assert not np.array_equal(both[0].coordinates, both[1].coordinates)


def test_a_term_pulls_by_itself_and_along_the_directions():
    fitted = beside()
    influence = np.array([0.0, 2.0, 0, 0, 0, 0, 1.0, -3.0])
    along = fitted.background.directions_ @ [1.0, -3.0]
    assert fitted.pulls(influence, np.array([0, 1, 9, 77, -1])) == pytest.approx(
        [along[0], 2 + along[1], 0, 0, 0]
    )


def test_it_comes_back_as_it_was():
    fitted = beside(Tfipndf)
    again = Beside(Tfipndf(), fitted.background)
    again.restore(fitted.state())
    text = rows([0, 5, 6])
    assert (again.weigh(text).matrix() != fitted.weigh(text).matrix()).nnz == 0
