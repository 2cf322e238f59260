from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.intelligence.profile import CentroidProfile, KeywordProfile
from apps.engine.model import TokenRows
from apps.engine.representation.weightings import Tfc

TEXTS = st.lists(st.lists(st.integers(0, 12), max_size=15), min_size=1, max_size=6)


def rows(*texts: list[int]) -> TokenRows:
    return TokenRows.of([np.array(text, np.int32) for text in texts])


def test_keywords_by_hand():
    """q = (1, 1) over tokens 0 and 1; the text holds 0 twice, 1 once and an unknown word twice."""
    profile = KeywordProfile(np.array([0, 1], np.int32), np.ones(1))
    assert profile.cosines(rows([0, 0, 1, 9, 9], [9], [])) == pytest.approx(
        [3 / (math.sqrt(2) * 3), 0, 0]
    )


def test_the_rarer_keyword_weighs_more():
    profile = KeywordProfile(np.array([0, 1], np.int32), np.array([1.0, 3.0, 2.0]))
    common, rare = profile.cosines(rows([0], [1]))
    assert (common, rare) == pytest.approx((1 / math.sqrt(10), 3 / math.sqrt(10)))


@given(TEXTS, st.lists(st.integers(0, 12), min_size=1, max_size=4))
def test_keyword_cosines_equal_dense_ones(texts, keywords):
    idf = np.linspace(0.5, 2, 9)

    def dense(text):
        return np.bincount(text, minlength=13) * idf.take(np.arange(13), mode="clip")

    query = dense(keywords)
    expected = [
        dense(text) @ query / (np.linalg.norm(dense(text)) * np.linalg.norm(query)) if text else 0
        for text in texts
    ]
    cosines = KeywordProfile(np.array(keywords, np.int32), idf).cosines(rows(*texts))
    assert cosines == pytest.approx(expected)


@given(TEXTS, TEXTS)
def test_centroid_cosines_equal_dense_ones(examples, texts):
    weighting = Tfc().fit(rows(*examples))
    centroid = weighting.transform(rows(*examples)).toarray().mean(axis=0)
    length = np.linalg.norm(centroid) or 1.0
    expected = weighting.transform(rows(*texts)).toarray() @ centroid / length
    cosines = CentroidProfile(weighting, rows(*examples)).cosines(rows(*texts))
    assert cosines == pytest.approx(expected)
    assert (cosines >= 0).all() and (cosines <= 1).all()
