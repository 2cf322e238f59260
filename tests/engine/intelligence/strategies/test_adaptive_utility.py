from __future__ import annotations

import numpy as np
import pytest

from apps.engine.errors import BadParameter
from apps.engine.intelligence.strategies.adaptive_utility import AdaptiveUtility
from apps.engine.intelligence.strategies.in_links import InLinks
from tests.engine.intelligence.strategies.toy import Waiting, visit_of

LINKS = "<a href=/a>one</a><a href=/b>two</a>"


def learnt(topic, taus, sigma=0.5, **parameters) -> AdaptiveUtility:
    """After pages of those τ, all of them seeds."""
    strategy = AdaptiveUtility(**parameters).fit(topic)
    for number, tau in enumerate(taus):
        strategy.learn(visit_of(LINKS, topic, number=number, topicality=tau, status=sigma))
    return strategy


def find(strategy, topic, *taus) -> None:
    """Has it learn of pages of those τ that links led to."""
    for tau in taus:
        strategy.learn(visit_of(LINKS, topic, topicality=tau, status=0.5, parent=1))


def test_alpha_moves_by_the_gap_between_delta_and_the_mean_of_the_last_pages(topic):
    # δ = 0.7, M = 2, Δ = 0.1, α₀ = 0.5; τ = 0.9, 0.3, 0.1 (SL eq. 3):
    # mean .9: α = .5 + .1(.7 − .9) = .48; mean .6: .48 + .1(.1) = .49; mean .2: .49 + .05 = .54.
    seen = []
    strategy = AdaptiveUtility(memory=2, step=0.1, delta_is="level").fit(topic)
    for number, tau in enumerate((0.9, 0.3, 0.1)):
        strategy.learn(visit_of(LINKS, topic, number=number, topicality=tau, status=0.5))
        seen.append(strategy.telemetry()["alpha"])
    assert seen == pytest.approx([0.48, 0.49, 0.54])
    assert strategy.telemetry() == pytest.approx(
        {"alpha": 0.54, "delta": 0.7, "wanted": 0.7, "mean_tau": 0.2}
    )


def test_alpha_stays_between_0_and_1(topic):
    assert learnt(topic, [0.0] * 5, step=1.0).telemetry()["alpha"] == 1.0
    assert learnt(topic, [1.0] * 5, step=1.0, delta=0.2).telemetry()["alpha"] == 0.0


def test_links_are_scored_with_the_alpha_of_their_own_page(topic):
    # τ = 0.25, Δ = 1, δ = 0.5: α = 0.5 + (0.5 − 0.25) = 0.75; σ = 0.0625:
    # 0.25^0.75 · 0.0625^0.25 = 0.35355·0.5 = 0.17678.
    strategy = AdaptiveUtility(step=1.0, delta=0.5).fit(topic)
    visit = visit_of(LINKS, topic, topicality=0.25, status=0.0625)
    strategy.learn(visit)
    assert strategy.score_links(visit).tolist() == pytest.approx([0.176777] * 2, abs=1e-6)


def test_a_reorder_ranks_waiting_links_at_the_alpha_now_in_force(topic):
    # Pages 0 (τ .9, σ .1) and 1 (τ .2, σ .8); both link to URL 5, page 1 to URL 6 too.
    # At α = 1: .9 and .2, URL 5 gets the larger. At α = 0: .1 and .8.
    strategy = AdaptiveUtility().fit(topic)
    for number, tau, sigma in ((0, 0.9, 0.1), (1, 0.2, 0.8)):
        strategy.learn(visit_of(LINKS, topic, number=number, topicality=tau, status=sigma))
    frontier = Waiting([5, 6, 7], [(0, 5), (1, 5), (1, 6)])
    strategy.alpha_.now = 1.0
    assert strategy.rescore(frontier).tolist() == pytest.approx([0.9, 0.2, 0.0])
    strategy.alpha_.now = 0.0
    assert strategy.rescore(frontier).tolist() == pytest.approx([0.8, 0.8, 0.0])


def test_it_reorders_every_hundred_pages_by_default():
    due = [t for t in range(1, 301) if AdaptiveUtility().reorder_due(t)]
    assert due == [100, 200, 300]
    assert not any(AdaptiveUtility(reorders_every=0).reorder_due(t) for t in range(1, 301))


def test_delta_changes_while_the_crawl_runs_and_nothing_else_does(topic):
    strategy = learnt(topic, [0.7])
    strategy.adjust("delta", 0.9)
    assert strategy.telemetry()["delta"] == 0.9
    assert strategy.values()["delta"] == 0.9
    with pytest.raises(BadParameter):
        strategy.adjust("delta", 1.5)
    with pytest.raises(BadParameter, match="memory"):
        strategy.adjust("memory", 3)


def test_a_page_that_was_not_learned_from_has_utility_0(topic):
    strategy = learnt(topic, [0.5])
    assert strategy.rescore(Waiting([9], [(4, 9)])).tolist() == [0.0]
    assert np.isfinite(strategy.rescore(Waiting([9], [(0, 9)]))).all()


def test_delta_is_a_share_of_the_highest_mean_that_found_pages_have_had(topic):
    # Windows of two found pages: (.2, .6) → .4, (.6, .4) → .5, (.4, .0) → .2; the highest is .5.
    strategy = learnt(topic, [1.0], reach=2, delta=0.8)
    assert strategy.telemetry()["wanted"] == pytest.approx(0.8)
    find(strategy, topic, 0.2)
    assert strategy.telemetry()["wanted"] == pytest.approx(0.8 * 0.2)
    find(strategy, topic, 0.6, 0.4, 0.0)
    assert strategy.telemetry()["wanted"] == pytest.approx(0.8 * 0.5)
    strategy.adjust("delta", 0.2)
    assert strategy.telemetry()["wanted"] == pytest.approx(0.2 * 0.5)


def test_alpha_leaves_its_bound_where_the_published_delta_keeps_it_there(topic):
    """Pages of τ = .4 never come to .7, but lie above .7 of what pages of τ = .4 can reach."""
    published = learnt(topic, [], delta_is="level")
    relative = learnt(topic, [])
    for strategy in (published, relative):
        find(strategy, topic, *[0.4] * 300)
    assert published.telemetry()["alpha"] == 1.0
    assert relative.telemetry()["alpha"] < 0.5


@pytest.mark.parametrize("strategy_class", [AdaptiveUtility, InLinks])
def test_what_can_be_reached_survives_a_checkpoint(topic, strategy_class):
    one = strategy_class(reach=3).fit(topic)
    find(one, topic, 0.9, 0.9, 0.6, 0.1)
    other = strategy_class(reach=3).fit(topic)
    other.restore(one.state())
    for strategy in (one, other):
        find(strategy, topic, 0.9, 0.8)
    assert other.telemetry() == one.telemetry()
    assert other.telemetry()["wanted"] == pytest.approx(0.7 * 0.8)
