from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.cold_start.open_texts import Direction
from apps.engine.intelligence.cold_start.word_guide import WordGuide
from tests.engine.intelligence.cold_start.test_open_texts import rows

WORD = Direction(np.array([2.0]))  # token 0, of weight 2


def test_scores_are_counted_in_standard_deviations_of_pages():
    # Pages with cosines 1 and 0: scores 2 and 0, mean 1, spread 1.
    guide = WordGuide.over(WORD, rows([0], [1]))
    assert (guide.mean, guide.spread) == (1.0, 1.0)
    # A text with the score √2 has z = 1.5·(√2 − 1) − 2.
    assert guide.log_odds(rows([0, 1])).tolist() == pytest.approx([1.5 * (math.sqrt(2) - 1) - 2])


def test_odds_are_bounded_on_both_sides():
    guide = WordGuide(WORD, mean=1.0, spread=0.1)
    assert guide.log_odds(rows([0], [1])).tolist() == [6.0, -6.0]


def test_at_the_start_ten_usual_pages_count_beside_those_there_are():
    first = WordGuide.at_start(WORD, rows())
    assert (first.mean, first.spread) == pytest.approx((2 * 0.02, 2 * 0.04))
    # With ten pages of cosine 1: the mean is .51; the spread adds that of the usual pages to the
    # distances of both groups from the mean, .49 each.
    second = WordGuide.at_start(WORD, rows(*[[0]] * 10))
    assert second.mean == pytest.approx(2 * 0.51)
    assert second.spread == pytest.approx(2 * math.sqrt(0.49**2 + 0.04**2 / 2))


def test_it_is_the_same_after_a_checkpoint():
    guide = WordGuide(Direction(np.array([1.0, 0.5])), 0.25, 0.75)
    again = WordGuide.of_state(guide.state())
    assert again.log_odds(rows([0, 1])).tolist() == guide.log_odds(rows([0, 1])).tolist()
