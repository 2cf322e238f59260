from __future__ import annotations

from apps.engine.evaluation.status_sample import mean_of_sample, status_sample


def test_thirty_of_every_five_hundred_are_drawn():
    chosen = status_sample(1_250)
    assert [sum(low < t <= low + 500 for t in chosen) for low in (0, 500, 1_000)] == [30, 30, 15]
    assert chosen == sorted(set(chosen))
    assert chosen[0] >= 1 and chosen[-1] <= 1_250


def test_the_draw_repeats_and_a_full_stretch_stays_as_the_crawl_goes_on():
    assert status_sample(1_000, seed=3) == status_sample(1_000, seed=3)
    assert status_sample(1_000, seed=3) != status_sample(1_000, seed=4)
    assert [t for t in status_sample(1_700) if t <= 1_000] == status_sample(1_000)


def test_the_mean_is_over_the_chosen_pages_whose_count_is_known():
    logs = [1.0, None, 3.0, 100.0]
    assert mean_of_sample(logs, [1, 2, 3]) == 2.0
    assert mean_of_sample(logs, [2]) is None
