from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.offsets.features import OffsetMemory, page_features
from apps.engine.intelligence.offsets.figures import by_offset, cross_validate, information_gain
from apps.engine.intelligence.topic_model import TopicModel
from tests.engine.intelligence.strategies.toy import rich_topic, visit_of

GOOD = "<p>loaf<a href=/g>more</a>paper</p>"
BAD = "<p>track<a href=/b>more</a>paper</p>"


@pytest.fixture
def topic() -> TopicModel:
    return TopicModel(rich_topic(), seed=1)


def features_of(topic, pages: int, html: str = GOOD + BAD, offsets: bool = True):
    """So many pages with the same links, a good one and then a bad one."""
    memory = OffsetMemory()
    for number in range(pages):
        visit = visit_of(html, topic, number=number, links=[100 + number, 200 + number])
        memory.keep(visit, page_features(visit, 1, offsets))
    high = np.tile([True, False], pages)
    return memory.features(), high, ~high


def test_gain_and_rate_by_hand(topic):
    # "loaf" before good links alone and "track" before bad ones tell all: 1 bit each. "paper"
    # follows every link: 0 bits. Two of four words stand before a link, two after it.
    before, inside, after = by_offset(*features_of(topic, 2), dmax=1)
    assert (before.offset, before.words, before.gain, before.rate) == (-1, 2, 1.0, 0.5)
    assert (inside.words, inside.gain, inside.rate) == (0, None, 0.0)  # "more" is a stop word
    assert (after.offset, after.words, after.gain, after.rate) == (1, 1, 0.0, 0.5)


def test_information_gain_by_hand():
    # Of 4 HIGH and 4 LOW links 3 and 1 have the word: 1 − H(1/4), for 4 have it and 4 do not.
    quarter = -(0.25 * math.log2(0.25) + 0.75 * math.log2(0.75))
    assert information_gain(np.array([3.0]), np.array([1.0]), 4, 4) == pytest.approx(1 - quarter)


def test_held_out_links_are_distinguished_by_what_stands_before_them(topic):
    quality = cross_validate(*features_of(topic, 10), offsets=3)
    assert (quality.links, quality.positive, quality.negative, quality.average) == (
        20,
        1.0,
        1.0,
        1.0,
    )


def test_without_offsets_the_side_is_lost(topic):
    # Good links have "loaf" before and "track" behind, bad ones the other way round.
    pages = "<p>loaf<a href=/g>more</a>track</p>garden<p>track<a href=/b>more</a>loaf</p>"
    assert cross_validate(*features_of(topic, 10, pages), offsets=3).average == 1.0
    # All log-odds are 0 then: every link counts as LOW.
    lost = cross_validate(*features_of(topic, 10, pages, offsets=False), offsets=1)
    assert (lost.positive, lost.negative, lost.average) == (0.0, 1.0, 0.5)


def test_links_of_one_class_have_no_gain(topic):
    features, high, _ = features_of(topic, 3)
    quality = cross_validate(features, high, np.zeros(6, np.bool_), offsets=3)
    assert (quality.links, quality.average) == (0, None)
