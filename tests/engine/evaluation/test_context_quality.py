from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from apps.engine.evaluation.context_quality import context_quality


def text(*ids: int) -> np.ndarray:
    return np.array(ids, np.int32)


def test_similarity_and_zeros_are_those_worked_by_hand():
    pairs = [
        (text(1, 2), text(1, 2)),  # the same
        (text(1, 1, 2), text(2, 3)),  # (2, 1)·(1, 0) over √5·√2
        (text(4), text(5)),  # nothing in common
        (text(), text(1)),  # no context
    ]
    quality = context_quality(pairs)
    assert quality.n == 4
    assert quality.similarity == pytest.approx((1 + 1 / sqrt(10)) / 4)
    assert quality.zero_share == 0.5


def test_dropped_words_count_for_nothing():
    assert context_quality([(text(-1, 7), text(7, -1, -1))]).similarity == pytest.approx(1)


def test_without_links_there_is_no_quality():
    assert context_quality([]) == context_quality(iter(()))
    assert context_quality([]).similarity is None
