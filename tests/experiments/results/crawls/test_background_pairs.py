"""Crawls with a background are paired with those that differ in it alone."""

from __future__ import annotations

import pytest

from apps.backgrounds.models import Background
from apps.experiments.results.crawls.background_pairs import background_pairs, pairs_words
from apps.jobs.models import Job
from tests.crawl_rows import made_topic

WITH = {"background": {"of": "built", "digest": "d1"}}
OTHER = {"background": {"of": "topics", "digest": "d2"}}


@pytest.fixture
def background(topic) -> Background:
    made = Background.objects.create(owner=topic.owner, name="Many", source="web")
    made.versions.create(number=1, digest="d1", job_state=Job.State.DONE)
    return made


def test_a_crawl_is_paired_with_the_newest_twin_that_had_another_background_or_none(
    ended, topic, background
) -> None:
    ended(2)
    twin = ended(5, inputs=OTHER)
    ended(9, "breadth_first")
    ended(9, parameters={"idf": "background"})
    ended(1, inputs=WITH)
    crawl = ended(8, inputs=WITH)
    (pair,) = background_pairs(background, topic.owner)
    assert (pair.crawl, pair.twin, pair.pages) == (crawl, twin, 100)
    assert (pair.value, pair.twin_value, pair.strategy) == (0.4, 0.25, "Full page")
    assert pairs_words([pair]) == (
        "With it 1 of 1 crawl found more, on average +15.0 points of target recall. 1 topic: too"
        " few for a test, which needs 6."
    )


def test_what_a_judge_says_and_what_was_set_up_otherwise_does_not_count(
    ended, topic, background
) -> None:
    ended(None)
    ended(None, inputs=WITH)
    other = made_topic(topic.owner, "Peat")
    ended(3, on=other)
    ended(4, inputs=WITH, budget=7, snapshot=None, on=topic)
    assert background_pairs(background, topic.owner) == () and pairs_words(()) == ""
