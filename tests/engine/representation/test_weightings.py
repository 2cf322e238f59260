from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.model import TokenRows
from apps.engine.representation.weightings import WEIGHTINGS, Smart, Tfc
from apps.engine.representation.weightings.base import occurrences

TEXTS = st.lists(st.lists(st.integers(0, 30), max_size=25), min_size=1, max_size=8)


def rows(*texts: list[int]) -> TokenRows:
    return TokenRows.of([np.array(text, np.int32) for text in texts])


def slow_weights(kind, examples, text, background=None):
    """One text's weights by the formulas, term by term, as a dict by token id."""
    tokens = {token for example in examples for token in example}
    counts = Counter(token for token in text if token in tokens)
    weights = {}
    for token, tf in counts.items():
        texts = examples if background is None else background
        df = sum(token in each for each in texts)
        idf = (
            math.log(len(texts) / df)
            if background is None
            else math.log((len(texts) + 1) / (df + 1))
        )
        local = tf if kind is Tfc else 0.5 + 0.5 * tf / max(counts.values())
        weights[token] = local * idf
    norm = math.sqrt(sum(weight**2 for weight in weights.values()))
    return {token: weight / norm for token, weight in weights.items()} if norm else {}


def dense(weighting, text) -> dict[int, float]:
    row = weighting.transform(rows(text)).toarray()[0]
    return {int(t): float(w) for t, w in zip(weighting.terms_, row, strict=True) if w}


def test_smart_by_hand():
    """Term 0: tf 2 of 2, df 1 of 2. Term 1: tf 1 of 2, df 2 of 2. Term 2: df 1, tf 1 of 2."""
    weighting = Smart().fit(rows([0, 0, 1], [1, 2]))
    raw = {0: math.log(2), 2: 0.75 * math.log(2)}
    norm = math.sqrt(sum(weight**2 for weight in raw.values()))
    assert dense(weighting, [0, 0, 1, 2, 9]) == pytest.approx(
        {token: weight / norm for token, weight in raw.items()}
    )


def test_tfc_by_hand():
    weighting = Tfc().fit(rows([0, 0, 1], [1, 2]))
    assert dense(weighting, [0, 0, 0, 2, 2, 2, 2, 1]) == pytest.approx({0: 0.6, 2: 0.8})


@pytest.mark.parametrize("name", WEIGHTINGS)
def test_a_text_counts_for_the_idf_by_its_weight(name):
    texts = [np.array(text, np.int32) for text in ([1, 2], [2, 3], [2])]
    labels = np.array([1, 0, 0])
    once = WEIGHTINGS[name]().fit(TokenRows.of(texts), labels, weights=np.array([1.0, 2.0, 1.0]))
    twice = WEIGHTINGS[name]().fit(TokenRows.of([*texts, texts[1]]), np.array([1, 0, 0, 0]))
    assert once.idf_ == pytest.approx(twice.idf_)


def test_the_background_gives_the_idf_and_not_the_vocabulary():
    weighting = Tfc().fit(rows([0, 1]), background=rows([0, 5], [0], [3]))
    assert weighting.terms_.tolist() == [0, 1]
    assert weighting.idf_ == pytest.approx([math.log(4 / 3), math.log(4)])


def test_words_outside_the_vocabulary_change_nothing():
    weighting = Smart().fit(rows([0, 0, 1], [1, 2]))
    assert dense(weighting, [0, 2]) == dense(weighting, [0, 2, 7, 7, 7, 7, 4_000_000])


def test_a_text_without_known_words_weighs_nothing():
    weighting = Smart().fit(rows([0, 0, 1], [1, 2]))
    assert weighting.transform(rows([], [9])).nnz == 0
    assert weighting.project(rows([], [9]), np.ones(3)).tolist() == [0.0, 0.0]


def test_it_fits_texts_without_words():
    weighting = Smart().fit(rows([], []))
    assert weighting.transform(rows([1, 2])).shape == (1, 0)


@given(TEXTS, TEXTS, st.one_of(st.none(), TEXTS), st.sampled_from([Smart, Tfc]))
def test_weights_equal_the_slow_twins(examples, texts, background, kind):
    weighting = kind().fit(
        rows(*examples), background=None if background is None else rows(*background)
    )
    for text in texts:
        expected = slow_weights(kind, examples, text, background)
        expected = {token: weight for token, weight in expected.items() if weight}
        assert dense(weighting, text) == pytest.approx(expected, abs=1e-12)


@given(TEXTS, TEXTS, st.sampled_from([Smart, Tfc]), st.integers(0, 2**32 - 1))
def test_projecting_equals_the_matrix_product(examples, texts, kind, seed):
    weighting = kind().fit(rows(*examples))
    weights = np.random.default_rng(seed).normal(size=len(weighting.terms_))
    exact = weighting.transform(rows(*texts)) @ weights
    assert weighting.project(rows(*texts), weights) == pytest.approx(exact, abs=1e-12)


@given(TEXTS)
def test_occurrences_count_as_counters_do(texts):
    counts = occurrences(rows(*texts))
    counted = {(i, token): n for i, text in enumerate(texts) for token, n in Counter(text).items()}
    pairs = list(zip(counts.row.tolist(), counts.column.tolist(), strict=True))
    assert pairs == sorted(counted)
    assert counts.count.tolist() == [counted[pair] for pair in pairs]
    assert counts.most().tolist() == [max(Counter(text).values(), default=0) for text in texts]


@pytest.mark.parametrize("directions", [0, 1, 7, 50])
def test_a_product_with_dense_columns_is_that_of_the_matrix_to_the_bit(directions: int) -> None:
    draw = np.random.default_rng(directions)
    texts = [draw.integers(40, size=size).astype(np.int32) for size in (0, 3, 60, 1, 0)]
    weighed = Smart().fit(TokenRows.of(texts)).weigh(TokenRows.of(texts))
    dense = draw.standard_normal((weighed.columns, directions)).astype(np.float32)
    product = weighed.times(dense)
    assert product.tobytes() == (weighed.matrix(np.float32) @ dense).tobytes()
    assert product.shape == (5, directions) and product.dtype == np.float32
