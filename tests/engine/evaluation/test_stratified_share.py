"""Shares of crawls whose stretches were asked about unevenly: known answers."""

from __future__ import annotations

import random

import pytest

from apps.engine.evaluation.stratified_share import (
    Stretch,
    coverage,
    last_page_of,
    next_stretch,
    stratified_interval,
    stratified_share,
    stretch_of,
)
from apps.engine.evaluation.wilson import wilson_interval


def test_each_stretch_is_as_long_as_all_before_it() -> None:
    assert [stretch_of(seq) for seq in (1, 50, 51, 100, 101, 200, 201)] == [0, 0, 1, 1, 2, 2, 3]
    assert [last_page_of(stretch) for stretch in range(4)] == [50, 100, 200, 400]
    for seq in range(1, 2000):
        assert seq <= last_page_of(stretch_of(seq)) < 2 * max(seq, 50)


def test_of_one_stretch_it_is_wilsons_interval() -> None:
    assert stratified_interval([Stretch(300, 10, 8)]) == pytest.approx(wilson_interval(8, 10))
    even = [Stretch(100, 5, 4), Stretch(100, 5, 4)]
    assert stratified_interval(even) == pytest.approx(wilson_interval(8, 10))
    assert stratified_interval([Stretch(300)]) is None and stratified_share([Stretch(0)]) is None


def test_a_stretch_counts_by_its_pages_and_not_by_its_answers() -> None:
    drifting = [Stretch(40, 8, 8), Stretch(160, 2, 0)]
    assert stratified_share(drifting) == pytest.approx(0.2)
    low, high = stratified_interval(drifting) or (0, 0)
    alike = wilson_interval(8, 10) or (0, 0)
    assert low < 0.2 < high < alike[1] and high - low > alike[1] - alike[0]


def test_of_pages_that_were_not_asked_about_nothing_is_known() -> None:
    half = [Stretch(100, 10, 8), Stretch(100)]
    low, high = wilson_interval(8, 10) or (0, 0)
    assert coverage(half) == 0.5
    assert stratified_interval(half) == pytest.approx((low / 2, high / 2 + 0.5))


def test_questions_go_where_most_pages_stand_behind_an_answer() -> None:
    stretches = [Stretch(40, 5, 5), Stretch(40), Stretch(30)]
    assert next_stretch(stretches, [9, 9, 9]) == 1
    assert next_stretch(stretches, [9, 0, 9]) == 2
    assert next_stretch(stretches, [9, 0, 0]) == 0
    assert next_stretch(stretches, [0, 0, 0]) is None


@pytest.mark.parametrize("shares", [(0.9, 0.5, 0.1), (0.6, 0.6, 0.6), (0.2, 0.05, 0.02)])
def test_it_holds_the_truth_where_the_crawl_drifts(shares: tuple[float, ...]) -> None:
    pages, asked = (40, 40, 80), (4, 4, 8)
    truth = sum(n * share for n, share in zip(pages, shares, strict=True)) / sum(pages)
    chance, held = random.Random(1), 0
    for _ in range(500):
        rights = (
            sum(chance.random() < p for _ in range(n)) for n, p in zip(asked, shares, strict=True)
        )
        answered = [Stretch(*row) for row in zip(pages, asked, rights, strict=True)]
        low, high = stratified_interval(answered) or (0, 0)
        held += low <= truth <= high
    assert held >= 450
