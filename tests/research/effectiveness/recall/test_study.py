"""Estimated recall is held against crawls whose truth is known."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.engine.evaluation import estimated_recall
from apps.experiments.management.progress import prepare_topics
from apps.research.effectiveness.crawling import CrawlStudy, experiment_of
from apps.research.effectiveness.reachable import ReachableLinks
from apps.research.effectiveness.recall import study as recalling
from apps.research.effectiveness.recall.result import Reading, RecallResult
from apps.research.effectiveness.recall.study import BY_JUDGES, BY_LABELS, BY_TRUTH, read_topic
from apps.research.effectiveness.schema import StudyPlan
from tests.made_once import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def study(owner, labelled) -> CrawlStudy:
    plan = StudyPlan.read({"pages": 400, "topics": 2, "candidates": [{"name": "plain"}]})
    experiment = made_once(
        ("study", labelled.pk), lambda: experiment_of(owner, labelled, plan, prepare_topics), owner
    )
    return CrawlStudy(experiment, plan)


def test_its_estimate_at_each_moment_stands_beside_the_truth(
    study: CrawlStudy, monkeypatch
) -> None:
    monkeypatch.setattr(recalling, "MOMENTS", (4, 6, 12, 1_000_000))
    for module in (recalling, estimated_recall):
        monkeypatch.setattr(module, "FEWEST_REQUESTS", 5)
    topic, links = study.topics[0], ReachableLinks(study.web)
    fetched = read_topic(study, topic, links)
    seeds = set(topic.model.topic.seeds)
    reachable = links.reachable(seeds)
    assert fetched.reachable == len(reachable & topic.relevant - seeds) > 0
    assert [moment.at for moment in fetched.moments] == [6, 12]
    first, second = fetched.moments
    assert 0 < first.fetched <= second.fetched <= fetched.reachable
    # The web is smaller than a crawl, which then found all that can be.
    assert first.fetched + first.added == fetched.reachable
    for moment in fetched.moments:
        assert list(moment.estimates) == [BY_TRUTH, BY_JUDGES, BY_LABELS]
        for estimates in moment.estimates.values():
            assert 0 <= estimates.low <= estimates.left <= estimates.high
    assert share(first.estimates[BY_TRUTH]) < share(second.estimates[BY_TRUTH])
    assert read_topic(study, topic, links) == fetched


def share(estimates: Reading) -> float:
    return estimates.estimate().recall()[1]


def test_the_command_saves_each_topic_and_goes_on_where_it_was_left(
    labelled, tmp_path: Path
) -> None:
    folder, estimates = tmp_path / "found", [io.StringIO(), io.StringIO()]
    for stream in estimates:
        call_command(
            "effectiveness",
            "--web",
            "labelled",
            "--recall",
            "--topics",
            "2",
            "--save",
            str(folder),
            stderr=stream,
        )
    (result,) = RecallResult.read_all(folder)
    assert len(result.topics) == 2 and result.command.endswith("--recall --topics 2")
    assert [stream.getvalue().count("labelled: ") for stream in estimates] == [2, 0]
