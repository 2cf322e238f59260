"""The leaderboard of a web."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apps.experiments.design.schema import Design
from apps.experiments.leaderboard import evidence_for, make_leaderboard
from apps.experiments.models import Experiment
from apps.experiments.services import start, start_where_ready
from apps.schemas.refused import Refused
from apps.topics import tasks
from apps.topics.models import Topic
from apps.webs.importing import import_web
from apps.webs.selectors import live_web
from tests.experiments.run_experiment import prepared, work_through
from tests.people import person

pytestmark = pytest.mark.django_db


def test_it_has_every_strategy_that_the_topics_can_be_crawled_with(owner, topics, web):
    experiment = make_leaderboard(owner, web, pages=20)
    design = Design.read(experiment.design)
    strategies = [crawler.strategy for crawler in experiment.crawlers.all()]
    assert strategies[0] == "full_page"
    assert {"breadth_first", "tag_tree_combo", "pagerank"} <= set(strategies)
    assert "recall_crawler" not in strategies  # it needs an earlier crawl
    assert design.measure == "target_recall"
    assert experiment.is_leaderboard


def test_without_topics_they_are_made_of_labels(owner, data_dir: Path):
    file = data_dir / "labelled.jsonl"
    file.write_text(
        "\n".join(
            json.dumps(
                {
                    "url": f"http://h{i % 3}.test/{i}",
                    "topics": [f"label {i % 4}"],
                    "html": f"<p>label {i % 4} word{i % 4} <a href='/{(i + 3) % 120}'>on</a>",
                }
            )
            for i in range(120)
        )
    )
    web = import_web("labelled", file)[0]
    experiment = make_leaderboard(owner, web, topics=2, pages=20)
    assert experiment.topics.count() == Topic.objects.count() == 2
    start(experiment)
    assert experiment.state == Experiment.State.PREPARING
    for topic in Topic.objects.all():
        tasks.run_here(topic)
    assert start_where_ready()
    assert prepared(experiment).state == Experiment.State.RUNNING


def test_a_web_without_topics_and_labels_has_none(owner, data_dir: Path):
    file = data_dir / "plain.jsonl"
    file.write_text(json.dumps({"url": "http://a.test/", "html": "<p>one"}))
    with pytest.raises(Refused, match="no labels"):
        make_leaderboard(owner, import_web("plain", file)[0])
    with pytest.raises(Refused, match="recorded web"):
        make_leaderboard(owner, live_web())


def test_new_crawls_are_advised_by_the_newest_that_has_ended_on_their_web(owner, topics, web):
    assert evidence_for(owner, web) is None
    experiment = make_leaderboard(owner, web, pages=20)
    experiment.crawlers.filter(position__gt=1).delete()
    start(experiment)
    assert evidence_for(owner, web) is None
    work_through(experiment)
    assert evidence_for(owner, web) == experiment
    assert evidence_for(owner, None) == experiment
    assert evidence_for(person("eve"), web) is None
