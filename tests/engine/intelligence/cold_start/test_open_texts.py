from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.cold_start.open_texts import Direction, matrix_of, weigh_terms
from apps.engine.model import TokenRows
from apps.engine.representation.tokens import Vocabulary
from apps.engine.representation.vectors.meanings import Meanings, TokenVectors
from apps.engine.topics import VectorTable


def rows(*texts: list[int]) -> TokenRows:
    return TokenRows.of([np.array(text, np.int32) for text in texts])


def vocabulary_of(*listed: str) -> Vocabulary:
    """A vocabulary whose tokens are these words, in order."""
    vocabulary = Vocabulary("xx")
    vocabulary.encode([word * 2 for word in listed])
    return vocabulary


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


# Word vectors: token 0 is (1, 0), token 1 is (0, 1); of a text they count half.
HALF = Meanings(
    TokenVectors(
        VectorTable(("aa", "bb"), np.eye(2, dtype=np.float32)), vocabulary_of("a", "b", "c")
    ),
    0.5,
)


def test_with_vectors_a_texts_mean_stands_beside_its_terms() -> None:
    direction = Direction.of_texts(rows([0], [0, 1]), np.array([1.0, 2.0]), HALF)
    # Terms: 1 + 2/√2 and 2/√2. Means: half of (1, 0) and twice half of (1, 1)/√2.
    root = math.sqrt(2)
    assert direction.terms.tolist() == pytest.approx([1 + root, root])
    assert direction.meaning.tolist() == pytest.approx([0.5 + 1 / root, 1 / root])
    # Token 2 has no vector. Token 1 has √2 by its term and half of 1/√2 by its vector.
    scores = direction.scores(rows([2], [1], []))
    assert scores.tolist() == pytest.approx([0.0, root + 0.5 / root, 0.0])
    assert direction.plus(direction, 1.0).scores(rows([1])).tolist() == pytest.approx(
        [2 * scores[1]]
    )


def test_the_longest_score_is_that_of_the_text_itself() -> None:
    direction = Direction.of_texts(rows([0]), np.array([1.0]), HALF)
    assert direction.length == pytest.approx(1.25)
    assert direction.scores(rows([0])).tolist() == pytest.approx([1.25])
    assert Direction(np.array([3.0, 4.0])).length == 5.0


def test_with_vectors_the_matrix_has_the_same_products() -> None:
    texts = rows([0, 0, 2], [1, 2])
    matrix = matrix_of(texts, HALF)
    assert matrix.shape == (2, 5)
    direction = Direction(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0]), HALF)
    assert (matrix @ np.arange(1.0, 6.0)).tolist() == pytest.approx(
        direction.scores(texts).tolist()
    )


def test_a_direction_with_vectors_is_the_same_after_a_checkpoint() -> None:
    direction = Direction.of_texts(rows([0], [1]), np.array([1.0, 2.0]), HALF)
    again = Direction.of_state(direction.state(), HALF)
    assert again.scores(rows([1, 2])).tolist() == direction.scores(rows([1, 2])).tolist()
    assert "meaning" not in Direction(np.array([1.0])).state()
