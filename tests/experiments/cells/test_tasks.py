"""A worker runs cells: with the numbers of single crawls, over pauses, losses and failures."""

from __future__ import annotations

import numpy as np
import pytest

from apps.crawls.services import create_crawl
from apps.experiments import services
from apps.experiments.cells import tasks as cell_tasks
from apps.experiments.models import Cell, Experiment
from apps.experiments.results.outcomes import outcomes
from apps.jobs import queue
from apps.topics.versions import new_version
from apps.webs.selectors import live_web
from tests.background import work_on
from tests.crawls.run_here import MADE, run
from tests.ended_process import ENDED
from tests.experiments.run_experiment import ended, queued, started, work_through

pytestmark = pytest.mark.django_db
State = Experiment.State


def test_every_cell_is_run_topic_by_topic_and_then_the_experiment_has_ended(owner, topics):
    experiment = started(owner)
    assert experiment.cells.filter(job_state=Cell.State.WAITING).count() == 2
    order = []
    for cell in queued(experiment):
        order.append((cell.topic.name, cell.crawler.strategy))
        work_on(cell)
    assert order == [
        ("bread 0", "full_page"),
        ("bread 0", "breadth_first"),
        ("bread 1", "full_page"),
        ("bread 1", "breadth_first"),
    ]
    experiment.refresh_from_db()
    assert experiment.state == State.FINISHED
    assert {cell.job_state for cell in experiment.cells.all()} == {"done"}
    assert [event.kind for event in experiment.events.all()] == ["finished", "started"]


@pytest.mark.django_db(transaction=True)
def test_a_cell_does_exactly_what_a_crawl_with_the_same_settings_does(owner, topics, web):
    experiment = ended(owner, topics=["bread 0"], random_seed=5)
    results = outcomes(experiment)
    for crawler, strategy in enumerate(("full_page", "breadth_first")):
        crawl = run(
            create_crawl(owner, topics[0], web, strategy=strategy, budget=40, random_seed=5)
        )
        cell = results.cells[0, crawler][0].result
        rows = list(crawl.pages_fetched.order_by("seq"))
        assert cell.pages.urls == tuple(row.final_url for row in rows)
        assert cell.pages.numbers["priority"].tolist() == [row.priority for row in rows]
        np.testing.assert_array_equal(
            cell.pages.numbers["topicality"],
            [np.nan if row.topicality is None else row.topicality for row in rows],
        )
        assert cell.pages.flags["relevant"].tolist() == [int(row.relevant) for row in rows]
        assert cell.pages.flags["target"].tolist() == [int(row.target) for row in rows]
        for name in ("harvest_rate", "target_recall", "harvest_rate_true"):
            assert cell.values[name][-1] == crawl.metrics[name]


def test_all_crawlers_of_a_topic_get_the_same_seeds_and_judge(owner, topics):
    experiment = ended(owner, topics=["bread 0"])
    results = outcomes(experiment)
    first, second = (results.cells[0, crawler][0].result for crawler in range(2))
    assert first.pages.urls[:3] == second.pages.urls[:3]
    judged = [
        dict(zip(each.pages.urls, each.pages.numbers["probability"], strict=True))
        for each in (first, second)
    ]
    both = judged[0].keys() & judged[1].keys()
    assert len(both) > 3
    assert all(judged[0][url] == judged[1][url] for url in both)


def test_a_judge_that_would_be_the_guide_does_not_judge(owner, topics):
    topics[0].examples.filter(role="evaluate").delete()
    new_version(topics[0])
    experiment = work_through(started(owner, topics=["bread 0"]))
    cell = experiment.cells.first()
    assert cell.topic.judged_by == "guiding_classifier"
    assert cell.metrics["harvest_rate"] is None
    assert cell.metrics["harvest_rate_true"] is not None


def test_a_paused_cell_keeps_its_pages_and_ends_with_the_same_numbers(owner, topics, monkeypatch):
    whole = ended(owner, topics=["bread 0"])
    monkeypatch.setattr(cell_tasks, "HEARTBEAT_SECONDS", 0.0)
    monkeypatch.setattr("apps.experiments.cells.assembly.BATCH_REQUESTS", 7)
    experiment = started(owner, topics=["bread 0"])
    cell = experiment.cells.first()
    beats = queue.heartbeat

    def pause_soon(job, **progress):
        if progress["pages"] > 12:
            services.pause(Experiment.objects.get(pk=experiment.pk))
        return beats(job, **progress)

    monkeypatch.setattr(queue, "heartbeat", pause_soon)
    work_on(cell)
    monkeypatch.setattr(queue, "heartbeat", beats)
    cell.refresh_from_db()
    assert (cell.job_state, cell.starts) == ("", 0)
    assert 12 < cell.pages < 40
    experiment.refresh_from_db()
    services.go_on(experiment)
    work_through(experiment)
    assert _digests(experiment) == _digests(whole)


def test_a_cell_whose_worker_was_killed_is_run_again_with_the_same_numbers(
    owner, topics, monkeypatch
):
    whole = ended(owner, topics=["bread 0"])
    experiment = started(owner, topics=["bread 0"])
    cell = experiment.cells.first()

    class Killed(BaseException):
        """Nothing of the process goes on."""

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(cell_tasks.result, "write", killed)
        with pytest.raises(Killed):
            work_on(cell)
    Cell.objects.filter(pk=cell.pk).update(job_worker=ENDED)
    assert len(queue.requeue_lost()) == 1
    work_through(experiment)
    assert _digests(experiment) == _digests(whole)


def test_a_cell_that_kills_its_worker_three_times_fails_and_spoils_nothing(owner, topics):
    experiment = started(owner, topics=["bread 0"])
    cell = experiment.cells.first()
    Cell.objects.filter(pk=cell.pk).update(starts=3)
    work_through(experiment)
    cell.refresh_from_db()
    assert (cell.job_state, cell.reason) == ("failed", "worker_lost")
    assert "3 times" in cell.job_problem
    assert experiment.cells.filter(job_state="done").count() == 1
    assert experiment.state == State.FINISHED
    assert services.try_again([cell]) == 1
    work_through(experiment)
    assert experiment.cells.filter(job_state="done").count() == 2


def test_a_strategy_that_lacks_something_fails_its_cell_and_names_what(owner, topics):
    experiment = started(
        owner,
        topics=["bread 0"],
        crawlers=[{"strategy": "full_page"}, {"strategy": "recall_crawler"}],
    )
    work_through(experiment)
    failed = experiment.cells.get(job_state="failed")
    assert failed.crawler.strategy == "recall_crawler"
    assert failed.reason == "needs_crawl"
    assert "earlier crawl" in failed.job_problem
    assert experiment.cells.filter(job_state="done").count() == 1


def test_an_error_of_the_program_fails_the_cell_alone(owner, topics, monkeypatch):
    experiment = started(owner, topics=["bread 0"])
    calls = iter([True])

    def assemble(cell, heartbeat):
        if next(calls, False):
            raise ZeroDivisionError
        return real(cell, heartbeat)

    real = cell_tasks.assemble
    monkeypatch.setattr(cell_tasks, "assemble", assemble)
    work_through(experiment)
    assert [cell.job_state for cell in experiment.cells.all()] == ["failed", "done"]


def test_a_deleted_topic_fails_its_waiting_cells_and_keeps_its_results(owner, topics):
    experiment = started(owner)
    work_on(next(queued(experiment)))
    topics[0].delete()
    work_through(experiment)
    states = [(cell.topic.name, cell.job_state) for cell in experiment.cells.all()]
    assert states == [
        ("bread 0", "done"),
        ("bread 0", "failed"),
        ("bread 1", "done"),
        ("bread 1", "done"),
    ]


def _digests(experiment: Experiment) -> list[str]:
    digests = [cell.digest for cell in experiment.cells.all()]
    assert all(digests)
    return digests


class LiveWeb:
    """The made web as the live Web: one exchange each, counted."""

    asked: list[str] = []

    def __init__(self, *_: object, **__: object) -> None:
        self._web = MADE

    async def fetch(self, url, gate=None, *, any_type=False, spelling=""):
        LiveWeb.asked.append(url)
        return self._web.get(url)

    async def close(self) -> None:
        pass


def test_on_the_live_web_each_url_is_requested_once_for_all_crawlers(
    owner, topics, web, monkeypatch
):
    monkeypatch.setattr("apps.experiments.cells.assembly.http_fetcher", LiveWeb)
    LiveWeb.asked = []
    topics[0].web = None
    topics[0].save()
    live_web()
    politeness = {"delay": 0.0}
    experiment = started(owner, web="live", topics=["bread 0"], politeness=politeness)
    assert experiment.cells.filter(job_state=Cell.State.WAITING).count() == 1  # one at a time
    work_through(experiment)
    assert [cell.job_state for cell in experiment.cells.all()] == ["done", "done"]
    assert len(LiveWeb.asked) == len(set(LiveWeb.asked))
    pages = [
        outcome.result.pages.urls
        for cell in outcomes(experiment).cells.values()
        for outcome in cell
    ]
    assert set().union(*pages) <= set(LiveWeb.asked)
    assert MADE.url(13) not in set().union(*pages)  # robots.txt forbids it
    asked = len(LiveWeb.asked)
    before = _digests(experiment)
    experiment.cells.update(job_state="failed")
    services.try_again(experiment.cells.all())
    work_through(experiment)
    assert _digests(experiment) == before
    assert len(LiveWeb.asked) == asked


def test_a_cell_that_is_paused_while_its_web_is_prepared_is_left(owner, topics, monkeypatch):
    monkeypatch.setattr(cell_tasks, "HEARTBEAT_SECONDS", 0.0)
    experiment = started(owner, topics=["bread 0"])
    cell = experiment.cells.first()
    real = cell_tasks.assemble

    def assemble(cell, heartbeat):
        services.pause(Experiment.objects.get(pk=experiment.pk))
        heartbeat()
        raise AssertionError("the heartbeat ends it")

    with monkeypatch.context() as patch:
        patch.setattr(cell_tasks, "assemble", assemble)
        work_on(cell)
    cell.refresh_from_db()
    assert (cell.job_state, cell.starts, cell.pages) == ("", 0, 0)
    monkeypatch.setattr(cell_tasks, "assemble", real)
    experiment.refresh_from_db()
    services.go_on(experiment)
    assert work_through(experiment).state == State.FINISHED
