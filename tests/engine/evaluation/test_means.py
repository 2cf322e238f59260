"""The measures that are means: each with a known answer."""

from __future__ import annotations

from math import log

import pytest

from apps.engine.evaluation.average_status import (
    AverageStatus,
    AverageStatusEstimated,
    StatusRecent,
)
from apps.engine.evaluation.harvest_rate import HarvestRate, HarvestRecent
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.mean_tau import MeanTau
from apps.engine.evaluation.soft_harvest import CriticLoss, LossRate, SoftHarvest
from tests.engine.evaluation.judged import after_pages, judged


def test_the_harvest_is_the_majority_votes_share():
    pages = [judged(votes=2), judged(votes=1), judged(votes=3), judged(votes=0), judged()]
    assert after_pages(HarvestRate(), *pages).value() == 2 / 4


def test_two_votes_of_four_are_no_majority():
    assert after_pages(HarvestRate(), judged(votes=2, of=4)).value() == 0


def test_soft_harvest_and_loss_are_the_mean_probability_and_what_it_lacks():
    pages = [judged(votes=3, probability=0.9), judged(votes=0, probability=0.2)]
    assert after_pages(SoftHarvest(), *pages).value() == pytest.approx(0.55)
    assert after_pages(LossRate(), *pages).value() == pytest.approx(0.45)


def test_the_critics_loss_is_by_the_classifier_that_guides():
    # The judge gives .9 and .2, the critic .8, .4 and nothing: its loss is (.2 + .6)/2.
    pages = [
        judged(votes=3, probability=0.9, topicality=0.8),
        judged(votes=0, probability=0.2, topicality=0.4),
        judged(votes=3, probability=0.9),
    ]
    assert after_pages(CriticLoss(), *pages).value() == pytest.approx(0.4)


def test_the_true_harvest_leaves_unlabelled_pages_out():
    pages = [judged(label=True), judged(label=False), judged(), judged(label=True)]
    assert after_pages(HarvestRateTrue(), *pages).value() == 2 / 3


def test_recent_means_forget_what_lies_further_back():
    pages = [judged(votes=3)] * 50 + [judged(votes=0)] * 75
    assert after_pages(HarvestRecent(), *pages).value() == 25 / 100
    taus = [judged(topicality=1.0)] * 5 + [judged(topicality=0.5)] * 25
    assert after_pages(MeanTau(), *taus).value() == 0.5


def test_status_is_the_mean_logarithm_of_known_counts():
    pages = [judged(inlinks=0, status_log=9.0), judged(inlinks=3), judged(status_log=2.0)]
    assert after_pages(AverageStatus(), *pages).value() == pytest.approx(log(4) / 2)
    assert after_pages(AverageStatusEstimated(), *pages).value() == pytest.approx(5.5)
    assert after_pages(StatusRecent(), *pages).value() == pytest.approx((0 + log(4) + 2) / 3)
