from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.cold_start.open_texts import Direction, matrix_of, weigh_terms
from apps.engine.model import TokenRows


def rows(*texts: list[int]) -> TokenRows:
    return TokenRows.of([np.array(text, np.int32) for text in texts])


def test_terms_weigh_by_their_share_of_the_most_frequent_without_idf():
    # tf 2 and 1: weights 1 and .75 before they are scaled to length 1.25.
    assert weigh_terms(rows([0, 0, 3])).weight.tolist() == pytest.approx([0.8, 0.6])


def test_a_direction_is_the_weighted_sum_of_texts_and_later_words_have_no_weight():
    direction = Direction.of_texts(rows([0, 0, 3], [1]), np.array([1.0, 2.0]))
    assert direction.terms.tolist() == pytest.approx([0.8, 2.0, 0.0, 0.6])
    # A text of tokens 3 and 9 has 1/√2 of each; token 9 came after the direction was made.
    scores = direction.scores(rows([3, 9], [], [9]))
    assert scores.tolist() == pytest.approx([0.6 / math.sqrt(2), 0.0, 0.0])


def test_directions_of_different_widths_are_added():
    short, long = Direction(np.array([1.0])), Direction(np.array([0.0, 2.0]))
    assert short.plus(long, 0.5).terms.tolist() == [1.0, 1.0]
    assert long.plus(short, 3.0).terms.tolist() == [3.0, 2.0]


def test_the_matrix_has_the_same_products():
    texts = rows([0, 0, 3], [1, 3])
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    assert (matrix_of(texts) @ weights).tolist() == pytest.approx(
        Direction(weights).scores(texts).tolist()
    )
