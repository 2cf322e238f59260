"""Crawls of the laboratory that start from little."""

from __future__ import annotations

from itertools import pairwise

import pytest

from apps.experiments.management.progress import prepare_topics
from apps.research.effectiveness.crawling import CrawlStudy, experiment_of
from apps.research.effectiveness.schema import StudyPlan
from apps.research.effectiveness.starts import study as starting
from apps.research.effectiveness.starts.study import (
    ARMS,
    BREADTH_FIRST,
    BY_WORDS,
    EXAMPLES,
    StartArm,
    Starts,
    sentence_of,
)
from tests.made_once import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def study(owner, labelled) -> CrawlStudy:
    plan = StudyPlan.read({"pages": 40, "topics": 2, "candidates": [{"name": "plain"}]})
    experiment = made_once(
        ("study", labelled.pk), lambda: experiment_of(owner, labelled, plan, prepare_topics), owner
    )
    return CrawlStudy(experiment, plan)


def arm(name: str) -> StartArm:
    return next(each for each in ARMS if each.name == name)


def test_a_sentence_is_made_of_a_labels_words() -> None:
    assert sentence_of("Databases/Query_Evaluation (demo-3)") == (
        "Pages about databases query evaluation."
    )


def test_front_pages_are_off_the_topic_and_the_same_for_every_crawler(study: CrawlStudy) -> None:
    starts, (topic, _) = Starts(study), study.topics
    seeds = starts._seeds(topic, "C")
    assert len(seeds) == 4 and not topic.relevant & set(seeds)
    assert seeds == Starts(study)._seeds(topic, "C")
    assert set(starts._seeds(topic, "A")) <= topic.relevant


def test_only_the_start_with_examples_has_any(study: CrawlStudy) -> None:
    topic, _ = study.topics
    few, words = starting._few(topic), arm(BY_WORDS)
    counts = [
        len(starting._reduce_topic(topic, *each).topic.training)
        for each in (("A", few, words), ("B", few, words), ("A", few, arm(EXAMPLES)))
    ]
    assert counts[:2] == [0, 3] and counts[2] == len(topic.model.topic.training)


def test_shares_are_of_what_can_be_reached(study: CrawlStudy) -> None:
    starts = Starts(study)
    blind, words = (starts.run("A", arm(name)) for name in (BREADTH_FIRST, BY_WORDS))
    assert blind.precision == () and len(words.precision) == 2
    assert all(0 <= share <= 1 for share in (*blind.recall, *words.recall, *words.precision))
    assert words == starts.run("A", arm(BY_WORDS))


def test_labels_are_given_on_the_way_each_page_once(
    study: CrawlStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "LABELS_AT", (12, 24))
    labelling = next(each for each in ARMS if each.labels)
    topic, _ = study.topics
    given = starting._reduce_topic(topic, "A", starting._few(topic), labelling)
    crawl = starting._StartedCrawl(study, topic, given, labelling)
    pages = crawl.run()
    urls = [url for url, _ in crawl._library.labels]
    assert 10 <= len(urls) <= 20 and len(set(urls)) == len(urls)
    assert all(one.seq <= other.seq for one, other in pairwise(pages))
    assert all(yes == (url in topic.relevant) for url, yes in crawl._library.labels)
