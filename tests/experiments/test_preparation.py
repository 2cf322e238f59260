"""Topics are frozen in the background, one by one, outside any transaction, and once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.experiments import preparation, services
from apps.experiments.cells import assembly
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.models import Cell, Experiment
from apps.experiments.summaries import summary
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.models import Example, Topic
from apps.topics.versions import new_version
from tests.background import work_on
from tests.experiments.run_experiment import design, ended, prepared, started

pytestmark = pytest.mark.django_db
State = Experiment.State


@pytest.fixture
def frozen(monkeypatch) -> list[str]:
    """The names of the topics that were frozen, in their order."""
    names: list[str] = []
    freeze = preparation._freeze

    def record(row, *arguments) -> None:
        names.append(row.name)
        freeze(row, *arguments)

    monkeypatch.setattr(preparation, "_freeze", record)
    return names


def test_a_start_freezes_nothing_itself_whatever_its_topics(owner, topics, frozen):
    one = services.create_experiment(owner, design(topics=["bread 0"]))
    two = services.create_experiment(owner, design())
    with CaptureQueriesContext(connection) as of_one:
        services.start(one)
    with CaptureQueriesContext(connection) as of_two:
        services.start(two)
    assert frozen == []
    # Whether a further topic is ready is asked in a few queries; none of its pages is read.
    assert len(of_two) - len(of_one) <= 6


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_a_topic_is_frozen(owner, topics, monkeypatch):
    open_ones: list[bool] = []
    freeze = preparation.freeze

    def freeze_and_look(*arguments):
        open_ones.append(connection.in_atomic_block)
        return freeze(*arguments)

    monkeypatch.setattr(preparation, "freeze", freeze_and_look)
    started(owner)
    assert open_ones == [False, False]


def test_a_second_start_is_refused_and_starts_nothing(owner, topics, frozen):
    experiment = services.create_experiment(owner, design())
    pressed_twice = Experiment.objects.get(pk=experiment.pk)
    services.start(experiment)
    with pytest.raises(Refused, match="already"):
        services.start(pressed_twice)
    prepared(experiment)
    assert frozen == ["bread 0", "bread 1"]
    assert [event.kind for event in experiment.events.all()] == ["started"]


def test_a_preparation_that_is_delivered_twice_is_done_once(owner, topics, frozen):
    experiment = started(owner)
    assert work_on(experiment.preparation) == "no longer wanted"
    assert frozen == ["bread 0", "bread 1"]


def test_no_cell_runs_before_all_topics_are_frozen(owner, topics, monkeypatch):
    waiting: list[int] = []
    freeze_topic = preparation.freeze_topic

    def look(row, *arguments) -> None:
        waiting.append(Cell.objects.filter(job_state=Cell.State.WAITING).count())
        freeze_topic(row, *arguments)

    monkeypatch.setattr(preparation, "freeze_topic", look)
    experiment = started(owner)
    assert waiting == [0, 0]
    assert experiment.cells.filter(job_state=Cell.State.WAITING).exists()


def test_the_job_counts_the_topics_that_are_frozen(owner, topics, monkeypatch):
    counts: list[tuple[int, int]] = []
    freeze_topic = preparation.freeze_topic

    def look(row, *arguments) -> None:
        job = row.experiment.preparation
        job.refresh_from_db()
        counts.append((job.prepared, job.topics))
        freeze_topic(row, *arguments)

    monkeypatch.setattr(preparation, "freeze_topic", look)
    started(owner)
    assert counts == [(0, 2), (1, 2)]


def test_freezing_reads_no_page_where_the_numbers_of_examples_name_the_judge(
    owner, topics, monkeypatch
):
    built: list[str] = []
    build = assembly.topic_model

    def build_and_note(row, *arguments):
        built.append(row.name)
        return build(row, *arguments)

    monkeypatch.setattr(assembly, "topic_model", build_and_note)
    experiment = started(owner)
    judges = set(experiment.topics.values_list("judged_by", flat=True))
    assert judges == {"committee"} and built == []
    # Without examples for judges it is the guide, which has to be trained to know whether it can.
    Example.objects.filter(role=Example.Role.EVALUATE).delete()
    new_version(Topic.objects.get(name="bread 1"))
    alone = started(owner, topics=["bread 1"])
    assert built == ["bread 1"]
    assert alone.topics.get().judged_by == build(alone.topics.get(), 0).judged_by("separate")


def test_stopping_it_ends_the_preparation(owner, topics, frozen, monkeypatch):
    experiment = services.create_experiment(owner, design())
    services.start(experiment)
    freeze_topic = preparation.freeze_topic

    def stop_then_freeze(row, *arguments) -> None:
        freeze_topic(row, *arguments)
        services.stop(Experiment.objects.get(pk=experiment.pk))

    monkeypatch.setattr(preparation, "freeze_topic", stop_then_freeze)
    assert prepared(experiment).state == State.DRAFT
    assert frozen == ["bread 0"]
    assert not experiment.cells.exclude(job_state=Cell.State.NONE).exists()


def test_topics_are_frozen_again_only_for_crawlers_with_other_needs(owner, topics, frozen):
    experiment = ended(owner, topics=["bread 0"])
    frozen.clear()
    services.add_crawlers(experiment, [CrawlerDesign(strategy="best_first")])
    prepared(experiment)
    assert frozen == []
    services.add_topics(experiment, ["bread 1"])
    prepared(experiment)
    assert frozen == ["bread 1"]


def test_an_added_topic_that_cannot_be_frozen_fails_its_cells_with_the_reason(owner, topics):
    experiment = ended(owner, topics=["bread 0"])
    services.add_topics(experiment, ["bread 1"])
    topics[1].seeds.all().delete()
    prepared(experiment)
    added = experiment.cells.filter(topic__name="bread 1")
    assert {(cell.job_state, cell.job_problem) for cell in added} == {
        ("failed", "bread 1: It has no seeds.")
    }


def test_here_it_is_done_at_once_and_refused_with_its_reason(owner, topics):
    experiment = services.create_experiment(owner, design())
    services.start(experiment)
    preparation.prepare_here(experiment)
    assert experiment.state == State.RUNNING
    other = services.create_experiment(owner, design())
    services.start(other)
    Topic.objects.get(name="bread 1").seeds.all().delete()
    with pytest.raises(Refused, match="no seeds"):
        preparation.prepare_here(other)
    other.refresh_from_db()
    assert other.state == State.DRAFT
    assert not queue.UNFINISHED.count(other.preparation.job_state)


def test_frozen_inputs_are_read_topic_by_topic(owner, topics):
    with CaptureQueriesContext(connection) as queries:
        summary(started(owner))
    read = [q["sql"] for q in queries if '"experiments_experimenttopic"."inputs"' in q["sql"]]
    unbounded = [sql for sql in read if '"experiments_experimenttopic"."id" = ' not in sql]
    assert read and unbounded == []
