"""Estimated recall is held against crawls whose truth is known."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.engine.evaluation import estimated_recall
from apps.experiments.effectiveness import recalling
from apps.experiments.effectiveness.crawling import Study, experiment_of
from apps.experiments.effectiveness.reachable import ReachableLinks
from apps.experiments.effectiveness.recall_result import Reading, RecallResult
from apps.experiments.effectiveness.recalling import BY_JUDGES, BY_LABELS, BY_TRUTH, read_topic
from apps.experiments.effectiveness.schema import Plan
from apps.experiments.management.progress import prepare_topics
from tests.made_once import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def study(owner, labelled) -> Study:
    plan = Plan.read({"pages": 400, "topics": 2, "candidates": [{"name": "plain"}]})
    experiment = made_once(("study", labelled.pk), lambda: experiment_of(
        owner, labelled, plan, prepare_topics), owner)
    return Study(experiment, plan)


def test_what_it_says_at_each_moment_stands_beside_the_truth(study: Study, monkeypatch) -> None:
    monkeypatch.setattr(recalling, "MOMENTS", (4, 6, 12, 1_000_000))
    for module in (recalling, estimated_recall):
        monkeypatch.setattr(module, "FEWEST_REQUESTS", 5)
    topic, links = study.topics[0], ReachableLinks(study.web)
    found = read_topic(study, topic, links)
    seeds = set(topic.model.topic.seeds)
    reachable = links.reachable(seeds)
    assert found.reachable == len(reachable & topic.relevant - seeds) > 0
    assert [moment.at for moment in found.moments] == [6, 12]
    first, second = found.moments
    assert 0 < first.found <= second.found <= found.reachable
    # The web is smaller than a crawl, which then found all that can be.
    assert first.found + first.added == found.reachable
    for moment in found.moments:
        assert list(moment.said) == [BY_TRUTH, BY_JUDGES, BY_LABELS]
        for said in moment.said.values():
            assert 0 <= said.low <= said.left <= said.high
    assert share(first.said[BY_TRUTH]) < share(second.said[BY_TRUTH])
    assert read_topic(study, topic, links) == found


def share(said: Reading) -> float:
    return said.estimate().recall()[1]


def test_the_command_saves_each_topic_and_goes_on_where_it_was_left(
    labelled, tmp_path: Path
) -> None:
    folder, said = tmp_path / "found", [io.StringIO(), io.StringIO()]
    for stream in said:
        call_command("effectiveness", "--web", "labelled", "--recall", "--topics", "2", "--save",
                     str(folder), stderr=stream)
    (result,) = RecallResult.read_all(folder)
    assert len(result.topics) == 2 and result.command.endswith("--recall --topics 2")
    assert [stream.getvalue().count("labelled: ") for stream in said] == [2, 0]
