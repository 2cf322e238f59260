from __future__ import annotations

import pytest

from apps.engine.intelligence.adaptive_alpha import AdaptiveAlpha, MatchingAlpha


def matching(*pairs: tuple[float, float], memory: int = 2) -> MatchingAlpha:
    """After pages of (what the other's choice had as its chance, τ), with Δ = .1 and δ = 1."""
    alpha = MatchingAlpha(0.5, 0.1, memory)
    for chance, tau in pairs:
        alpha.expect(chance)
        alpha.learn(tau, 1.0, followed=True)
    return alpha


def test_alpha_follows_what_the_other_crawler_would_have_found():
    # w = .8: α = .5 + .1·(.8 − .6) = .52; w = (.8 + .2)/2 = .5, mean τ (.6 + .2)/2 = .4: + .01.
    alpha = matching((0.8, 0.6), (0.2, 0.2))
    assert alpha.now == pytest.approx(0.53)
    assert alpha.telemetry(0.5) == pytest.approx(
        {"alpha": 0.53, "delta": 0.5, "wanted": 0.25, "mean_tau": 0.4}
    )


def test_it_does_not_rise_once_the_topic_is_used_up():
    pairs = [(0.9, 0.9)] * 100 + [(0.1, 0.1)] * 200
    share = AdaptiveAlpha(0.5, 0.1, 2, 100, "share")
    for _, tau in pairs:
        share.learn(tau, 0.9, followed=True)
    assert share.now == 1.0
    assert matching(*pairs).now == pytest.approx(0.5)


def test_it_does_not_fall_below_a_tenth():
    assert matching(*[(0.1, 1.0)] * 20).now == 0.1


def test_seeds_and_pages_before_the_first_chance_do_not_move_it():
    alpha = MatchingAlpha(0.5, 0.1, 2)
    alpha.learn(0.9, 1.0, followed=True)
    alpha.expect(0.2)
    alpha.learn(0.9, 1.0, followed=False)
    assert alpha.now == 0.5


def test_a_restored_one_goes_on_as_before():
    alpha, again = matching((0.8, 0.6), (0.2, 0.2)), MatchingAlpha(0.5, 0.1, 2)
    again.restore(alpha.state())
    for each in (alpha, again):
        each.learn(0.3, 1.0, followed=True)
    assert again.now == alpha.now != 0.53
