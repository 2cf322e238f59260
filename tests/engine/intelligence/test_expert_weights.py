from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.expert_weights import ExpertWeights


def weights(rate=1.0, *rewarded) -> ExpertWeights:
    experts = ExpertWeights(2, rate)
    for wishes, reward in rewarded:
        experts.reward(np.array(wishes), reward)
    return experts


def test_links_are_chosen_by_the_weighted_sum_of_the_wishes():
    experts = weights()
    assert experts.chances(np.array([[1.0, 0.4], [0.5, 0.0]])).tolist() == [0.75, 0.2]


def test_who_wanted_a_link_is_credited_by_how_seldom_it_was_to_be_chosen():
    # The first reward is its own mean, so nothing moves. Then the mean is .4 and the reward 1:
    # only the first expert wanted the link, so its chance was .5, and its weight grows by
    # exp(.6/(.5 + .1)) = e. A thousandth is dealt out evenly.
    shares = weights(1.0, ([1, 1], 0.4), ([1, 0], 1.0)).now
    first = math.e / (math.e + 1)
    assert shares == pytest.approx([0.999 * first + 0.0005, 0.999 * (1 - first) + 0.0005])


def test_a_reward_below_the_mean_counts_against_who_wanted_the_link():
    # exp(−.4/.6) for the second: e^(−2/3)/(1 + e^(−2/3)).
    shares = weights(1.0, ([1, 1], 0.4), ([0, 1], 0.0)).now
    second = math.exp(-2 / 3) / (1 + math.exp(-2 / 3))
    assert shares[1] == pytest.approx(0.999 * second + 0.0005)


def test_experts_that_agree_and_a_rate_of_0_move_no_weight():
    together = weights(1.0, ([1, 1], 0.1), ([1, 1], 0.9), ([0.3, 0.3], 0.5))
    assert together.now == pytest.approx([0.5, 0.5])
    assert weights(0.0, ([1, 1], 0.1), ([1, 0], 0.9)).now == pytest.approx([0.5, 0.5])


def test_the_better_expert_gets_nearly_all_the_weight_and_another_can_overtake_it():
    # The first expert's links are worth .8, the second's .3; after 300 links it is the other way
    # round. Links are drawn as often as the weights want.
    experts, draws = ExpertWeights(2, 0.2), np.random.default_rng(1)
    shares = []
    for worth in ((0.8, 0.3), (0.3, 0.8)):
        for _ in range(300):
            chosen = int(draws.random() < experts.now[1])
            experts.reward(np.eye(2)[chosen], worth[chosen])
        shares.append(experts.now.copy())
    assert shares[0][0] > 0.9
    assert shares[1][1] > 0.9


def test_it_goes_on_from_its_state():
    experts = weights(1.0, ([1, 1], 0.4), ([1, 0], 1.0))
    again = ExpertWeights(2, 1.0)
    again.restore(experts.state())
    for each in (experts, again):
        each.reward(np.array([0.2, 0.9]), 0.1)
    assert again.now.tolist() == experts.now.tolist()
