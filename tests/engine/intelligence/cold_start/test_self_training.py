from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.cold_start.self_training import (
    TrainingTexts,
    given_texts,
    guess_labels,
    train,
    with_guesses,
)
from tests.engine.intelligence.cold_start.test_open_texts import rows
from tests.engine.intelligence.cold_start.test_subject import of, page


def test_the_top_is_relevant_the_lower_half_is_not_and_the_middle_is_left_out():
    likely, unlikely = guess_labels(np.arange(100.0))
    assert likely.tolist() == [*range(99, 84, -1)]
    assert sorted(unlikely.tolist()) == [*range(50)]


def test_five_pages_at_least_are_relevant_and_never_more_than_half():
    assert [len(guess_labels(np.arange(float(n)))[0]) for n in (20, 10, 4)] == [5, 5, 2]


def test_given_texts_weigh_one_and_labels_two():
    label = page("oven stone", from_crawl=True)
    given = given_texts(of(page("oven"), page("rail", False), label).subject())
    assert given.relevant.tolist() == [True, True, True, False, True]
    assert given.weights.tolist() == [1, 1, 1, 1, 2]


def test_guesses_weigh_less_than_what_is_given():
    given = TrainingTexts(rows([0]), np.array([True]), np.ones(1))
    pages = rows(*[[i] for i in range(10)])
    both = with_guesses(given, pages, np.arange(10.0))
    assert both.weights.tolist() == [1.0, *[0.3] * 5, *[0.25] * 5]
    assert both.relevant.tolist() == [True] * 6 + [False] * 5
    assert [int(both.rows.row(i)[0]) for i in range(1, 6)] == [9, 8, 7, 6, 5]


def test_both_classes_weigh_the_same_however_many_texts_they_have():
    texts = rows([0], [1], [1], [1])
    few = TrainingTexts(texts, np.array([True, False, False, False]), np.array([0.5, 9, 9, 9]))
    learned = train(few)
    # Two orthogonal texts, each class of total weight 2: the margins are alike.
    assert learned.terms[0] == pytest.approx(-learned.terms[1], rel=1e-2)


def test_texts_can_be_left_out():
    both = TrainingTexts(rows([0], [1], [2]), np.array([True, False, True]), np.arange(3.0))
    rest = both.without(np.array([1]))
    assert rest.weights.tolist() == [0.0, 2.0] and rest.relevant.tolist() == [True, True]
    assert rest.rows.ids.tolist() == [0, 2]
