"""Experiments are made, run, paused, extended, opened and deleted."""

from __future__ import annotations

import pytest

from apps.crawls.models import Crawl
from apps.experiments import services
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.folder import experiment_folder
from apps.experiments.models import Cell, Experiment
from apps.experiments.results.outcomes import outcomes
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from apps.topics.services import add_lines
from tests.background import work_on
from tests.deletions import finish_deletions
from tests.experiments.run_experiment import (
    design,
    ended,
    prepared,
    queued,
    started,
    work_through,
)

pytestmark = pytest.mark.django_db
State = Experiment.State


def refusal(call, *arguments, **values) -> Refused:
    with pytest.raises(Refused) as refused:
        call(*arguments, **values)
    return refused.value


def test_a_draft_has_a_cell_for_each_topic_crawler_and_repetition(owner, topics):
    experiment = services.create_experiment(owner, design(repetitions=3, random_seed=11))
    assert experiment.state == State.DRAFT
    assert experiment.cells.count() == 2 * 2 * 3
    seeds = experiment.cells.values_list("repetition", "random_seed").distinct().order_by()
    assert set(seeds) == {(1, 11), (2, 12), (3, 13)}
    assert [crawler.label for crawler in experiment.crawlers.all()] == [
        "Full page",
        "Breadth-first",
    ]


def test_lists_of_values_make_variants_with_names_that_tell_them_apart(owner, topics):
    experiment = services.create_experiment(
        owner,
        design(
            crawlers=[
                {"strategy": "full_page"},
                {"strategy": "text_window", "parameters": {"window": [10, 40]}},
            ]
        ),
    )
    labels = [crawler.label for crawler in experiment.crawlers.all()]
    assert labels[0] == "Full page"
    assert labels[1] != labels[2]
    assert ("10" in labels[1], "40" in labels[2]) == (True, True)


@pytest.mark.parametrize(
    "wrong, field, word",
    [
        ({"topics": ["cheese"]}, "topics", "no topic cheese"),
        ({"web": "moon"}, "web", "no web moon"),
        ({"crawlers": [{"strategy": "magic"}]}, "crawlers", "magic"),
        (
            {"crawlers": [{"strategy": "full_page", "parameters": {"classifier": "x"}}]},
            "crawlers",
            "classifier",
        ),
        ({"crawlers": [{"strategy": "full_page"}] * 2}, "crawlers", "twice"),
        ({"baseline": 3}, "baseline", "1 to 2"),
        (
            {
                "topics": ["bread 0"],
                "repetitions": 100,
                "crawlers": [
                    {"strategy": "text_window", "parameters": {"window": list(range(1, 62))}}
                ],
            },
            "crawlers",
            "61 crawlers",
        ),
    ],
)
def test_a_wrong_design_is_refused_at_its_field(owner, topics, wrong, field, word):
    refused = refusal(lambda: services.create_experiment(owner, design(**wrong)))
    assert refused.field == field
    assert word in refused.message
    assert not Experiment.objects.exists()


def test_topics_are_frozen_when_it_starts(owner, topics):
    experiment = services.create_experiment(owner, design())
    assert experiment.topics.first().snapshot is None
    services.start(experiment)
    assert experiment.state == State.PREPARING
    assert experiment.topics.first().snapshot is None
    assert prepared(experiment).state == State.RUNNING
    frozen = experiment.topics.first()
    add_lines(topics[0], {"seeds": "http://other.test/"})
    assert "http://other.test/" not in frozen.snapshot.data["seeds"]
    assert frozen.judged_by == "committee"


def test_it_starts_once_its_topics_are_ready(owner, topics):
    experiment = services.create_experiment(owner, design())
    queue.enqueue(topics[1], work_wanted=Topic.Work.FETCHING)
    services.start(experiment)
    assert experiment.state == State.PREPARING
    assert services.start_where_ready() == []
    work_on(topics[1])
    assert len(services.start_where_ready()) == 1
    assert services.start_where_ready() == []
    assert prepared(experiment).state == State.RUNNING
    assert services.start_where_ready() == []


def test_one_that_cannot_be_crawled_makes_it_a_draft_again_with_a_reason(owner, topics):
    experiment = services.create_experiment(owner, design())
    queue.enqueue(topics[1], work_wanted=Topic.Work.FETCHING)
    services.start(experiment)
    queue.cancel(topics[1])
    topics[1].seeds.all().delete()
    services.start_where_ready()
    assert prepared(experiment).state == State.DRAFT
    assert "bread 1: It has no seeds." in experiment.events.first().words


def test_it_cannot_start_without_topics_or_crawlers_or_twice(owner, topics):
    empty = services.create_experiment(owner, design(topics=[]))
    assert refusal(services.start, empty).field == "topics"
    bare = services.create_experiment(owner, design(crawlers=[]))
    assert refusal(services.start, bare).field == "crawlers"
    assert "already" in refusal(services.start, started(owner)).message


def test_a_paused_experiment_queues_nothing_until_it_goes_on(owner, topics):
    experiment = started(owner)
    work_on(next(queued(experiment)))
    services.pause(experiment)
    assert not experiment.cells.filter(job_state=Cell.State.WAITING).exists()
    assert "not running" in refusal(services.pause, experiment).message
    services.go_on(experiment)
    assert work_through(experiment).state == State.FINISHED
    assert "No cell is left" in refusal(services.go_on, experiment).message


def test_a_stopped_experiment_keeps_what_has_ended(owner, topics):
    experiment = started(owner)
    work_on(next(queued(experiment)))
    services.stop(experiment)
    assert experiment.state == State.STOPPED
    assert len(outcomes(experiment).cells) == 1
    assert experiment.cells.filter(job_state="done").count() == 1


def test_topics_and_crawlers_can_be_added_later(owner, topics):
    experiment = ended(owner, topics=["bread 0"])
    services.add_topics(experiment, ["bread 0", "bread 1"])
    assert experiment.state == State.RUNNING
    services.add_crawlers(
        experiment, [CrawlerDesign(strategy="text_window", parameters={"window": [10, 20]})]
    )
    assert not experiment.cells.filter(job_state=Cell.State.WAITING).exists()
    work_through(experiment)
    results = outcomes(experiment)
    assert len(results.cells) == 2 * 4
    assert results.finished == results.planned_cells == 8
    assert [event.kind for event in experiment.events.all()][:3] == ["finished", "added", "added"]
    again = refusal(services.add_crawlers, experiment, [CrawlerDesign(strategy="full_page")])
    assert "twice" in again.message


@pytest.mark.django_db(transaction=True)
def test_a_cell_opens_as_one_full_crawl(owner, topics):
    experiment = ended(owner, topics=["bread 0"], random_seed=9)
    cell = experiment.cells.first()
    crawl = services.open_as_crawl(cell, owner)
    assert (crawl.strategy, crawl.budget, crawl.random_seed) == ("full_page", 40, 9)
    assert crawl.state == "queued"
    cell.refresh_from_db()
    assert services.open_as_crawl(cell, owner) == crawl
    assert Crawl.objects.count() == 1


def test_deleting_removes_its_results_and_nothing_else(owner, topics):
    experiment = started(owner)
    assert "Stop" in refusal(services.delete_experiment, experiment).message
    work_through(experiment)
    folder = experiment_folder(experiment.pk)
    assert any(folder.iterdir())
    services.delete_experiment(experiment)
    finish_deletions()
    assert not folder.exists()
    assert Topic.objects.count() == 2
