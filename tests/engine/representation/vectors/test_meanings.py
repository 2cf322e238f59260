"""The mean vectors of texts: known answers of a made table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.model import TokenRows
from apps.engine.representation.tokens import Vocabulary
from apps.engine.representation.vectors.meanings import NO_MEANINGS, Meanings, TokenVectors
from apps.engine.topics import VectorTable

TABLE = VectorTable(
    ("heat", "heating", "pump", "wärme"),
    np.array([[1, 0], [0, -1], [0, 1], [0.6, 0.8]], np.float32),
)


def texts_in(vocabulary: Vocabulary, *texts: str) -> TokenRows:
    return TokenRows.of([vocabulary.encode(text.split()) for text in texts])


def test_a_text_has_the_mean_of_its_words_of_length_one() -> None:
    vocabulary = Vocabulary("xx")
    vectors = TokenVectors(TABLE, vocabulary)
    # (1, 0) twice and (0, 1) once: (2, 1)/√5. Words that are not listed count nothing.
    rows = texts_in(vocabulary, "heat pump heat quasar", "quasar", "")
    means = vectors.means(rows)
    assert means.tolist() == [
        pytest.approx([2 / math.sqrt(5), 1 / math.sqrt(5)], abs=1e-7),
        [0.0, 0.0],
        [0.0, 0.0],
    ]


def test_words_that_come_later_have_their_vectors_too() -> None:
    vocabulary = Vocabulary("xx")
    vectors = TokenVectors(TABLE, vocabulary)
    assert vectors.means(texts_in(vocabulary, "heat")).tolist() == [[1.0, 0.0]]
    assert vectors.means(texts_in(vocabulary, "quasar pump")).tolist() == [[0.0, 1.0]]


def test_of_words_with_one_stem_the_first_listed_counts_in_each_language() -> None:
    vocabulary = Vocabulary("en")
    # Heats and heating have the stem of heat, whose vector is listed first.
    means = TokenVectors(TABLE, vocabulary).means(texts_in(vocabulary, "heats heating"))
    assert means.tolist() == [[1.0, 0.0]]
    both = Vocabulary("en de")
    # In German wärme has the stem warm, so that the keyword counts twice: (1.2, 1.6) + (0, 1).
    tokens = both.encode_keywords(["wärme", "pumps"])
    means = TokenVectors(TABLE, both).means(TokenRows.of([tokens]))
    assert means[0].tolist() == pytest.approx([1.2 / math.sqrt(8.2), 2.6 / math.sqrt(8.2)])


def test_a_texts_vector_does_not_depend_on_the_texts_beside_it() -> None:
    vocabulary = Vocabulary("xx")
    vectors = TokenVectors(TABLE, vocabulary)
    rows = texts_in(vocabulary, "heat pump wärme", "pump", "heat wärme")
    one = [vectors.means(TokenRows.of([rows.row(i)]))[0].tolist() for i in range(3)]
    assert vectors.means(rows).tolist() == one


def test_weight_zero_and_no_vectors_add_nothing() -> None:
    vocabulary = Vocabulary("xx")
    rows = texts_in(vocabulary, "heat", "pump")
    meanings = Meanings(TokenVectors(TABLE, vocabulary), 0.5)
    assert meanings.of(rows).tolist() == [[0.5, 0.0], [0.0, 0.5]] and meanings.width == 2
    for none in (NO_MEANINGS, meanings.at(0.0)):
        assert none.of(rows).shape == (2, 0) and none.width == 0


def test_a_text_of_few_listed_words_is_nearer_to_none() -> None:
    vocabulary = Vocabulary("xx")
    vectors = TokenVectors(TABLE, vocabulary)
    # One word of four is half of what is enough; one of eight a quarter.
    few = "heat quasar nova pulsar"
    means = vectors.means(texts_in(vocabulary, few, f"{few} star moon sun comet", "heat quasar"))
    assert means.tolist() == [[0.5, 0.0], [0.25, 0.0], [1.0, 0.0]]
