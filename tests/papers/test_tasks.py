"""A protocol is repeated in the background, step by step, once."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from apps.experiments.models import Experiment
from apps.experiments.services import start_where_ready
from apps.jobs import queue
from apps.papers import tasks
from apps.papers.models import PaperRun
from apps.papers.services import repeat, take_steps_due, visible_runs
from apps.papers.setting_up import Sizes
from apps.schemas.refused import Refused
from apps.topics import tasks as topic_tasks
from apps.webs.importing import import_web
from apps.webs.models import Web
from tests.background import work_on
from tests.experiments.run_experiment import work_through
from tests.papers.made_protocols import PAIR, protocol
from tests.people import person

pytestmark = pytest.mark.django_db

MADE = protocol(PAIR)
UTILITIES = [
    {"name": name, "strategy": "utility", "parameters": {"alpha": alpha}}
    for name, alpha in (("Half", 0.5), ("All", 1.0))
]


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A protocol of three topics with three crawlers of 20 pages."""
    catalogue = {"made": MADE, "sl-locality": protocol(PAIR, experiment=None, table="sl-locality")}
    monkeypatch.setattr("apps.papers.services.protocols", lambda: catalogue)
    monkeypatch.setattr("apps.papers.tasks.protocols", lambda: catalogue)


def begun(owner: User, web: Web, **sizes: int) -> PaperRun:
    run, begins = repeat(owner, "made", web, Sizes(**sizes))
    assert begins
    work_on(run)
    run.refresh_from_db()
    return run


def ran(experiment: Experiment) -> None:
    """Prepares the topics, starts what waits for them, and runs every cell."""
    for topic in experiment.topics.all():
        if topic.topic.is_under_way:
            topic_tasks.run_here(topic.topic)
    start_where_ready()
    work_through(experiment)


def finished(run: PaperRun) -> PaperRun:
    ran(run.experiment)
    assert len(take_steps_due()) == 1
    work_on(run)
    run.refresh_from_db()
    return run


def test_an_experiment_is_begun_and_its_verdicts_are_there_when_it_has_ended(owner, labelled):
    run = begun(owner, labelled)
    assert run.experiment.state == Experiment.State.PREPARING
    assert (run.job_state, run.result, take_steps_due()) == ("done", {}, [])
    run = finished(run)
    assert run.ended_at is not None
    assert (run.result["cases"], run.result["case"]) == (3, "topic")
    assert [finding["claim"] for finding in run.result["findings"]] == ["first"]
    assert run.result["settings"]["command"] == "manage.py reproduce made --web labelled"
    assert take_steps_due() == []


def test_a_second_press_opens_the_run(owner, labelled):
    run = begun(owner, labelled)
    same, begins = repeat(owner, "made", labelled, Sizes())
    assert (same.pk, begins) == (run.pk, False)
    other, begins = repeat(owner, "made", labelled, Sizes(pages=30))
    assert begins and other.pk != run.pk
    assert Experiment.objects.count() == 1
    assert list(visible_runs(person("ben"))) == []


def test_a_step_that_is_delivered_again_makes_no_second_experiment(owner, labelled):
    run = begun(owner, labelled)
    queue.enqueue(run)
    work_on(run)
    assert Experiment.objects.count() == 1


def test_fewer_topics_and_pages_are_obeyed_and_named_in_the_command(owner, labelled):
    run = begun(owner, labelled, topics=2, pages=25)
    assert run.experiment.topics.count() == 2
    assert run.experiment.design["pages"] == 25
    run = finished(run)
    assert run.result["settings"]["command"].endswith("--topics 2 --pages 25")


def test_theta_is_explored_by_a_crawl_of_its_own_first(owner, labelled, monkeypatch):
    explores = protocol({**PAIR, "pairs": [["Half", "All"]]})
    plan = explores.experiment.model_copy(
        update={
            "explores_theta": True,
            "crawlers": tuple(
                type(explores.experiment.crawlers[0]).read(each) for each in UTILITIES
            ),
        }
    )
    catalogue = {"made": explores.model_copy(update={"experiment": plan})}
    monkeypatch.setattr("apps.papers.services.protocols", lambda: catalogue)
    monkeypatch.setattr("apps.papers.tasks.protocols", lambda: catalogue)
    run = begun(owner, labelled)
    assert run.experiment is None and run.explorer.name == "Exploratory crawl"
    ran(run.explorer)
    assert len(take_steps_due()) == 1
    work_on(run)
    run.refresh_from_db()
    assert run.experiment is not None, run.job_problem
    assert run.experiment.crawlers.last().parameters["theta"] == run.settings["theta"]
    assert Experiment.objects.count() == 2


def test_a_table_is_run_whole(owner, tmp_path, data_dir, monkeypatch):
    web = import_web("labelled", _hundred_pages(tmp_path))[0]
    run, _ = repeat(owner, "sl-locality", web, Sizes())
    work_on(run)
    run.refresh_from_db()
    assert run.job_state == "done", run.job_problem
    assert run.result["case"] == "sample" and run.ended_at is not None
    assert run.experiment is None and "1 link away" in run.text


def _hundred_pages(folder):
    path = folder / "pages.jsonl"
    lines = (
        f'{{"url": "http://a{i % 7}.test/{i}", "topics": ["A"], "html": "<a href=http://a'
        f"{(i * 3) % 7}.test/{(i * 3) % 110}>x</a><a href=http://a{(i + 1) % 7}.test/"
        f'{(i + 1) % 110}>y</a>"}}'
        for i in range(110)
    )
    path.write_text("\n".join(lines))
    return path


def test_what_a_web_lacks_is_refused_before_anything_is_made(owner, labelled, monkeypatch):
    catalogue = {"webkb": protocol(PAIR, experiment=None, table="hcla-table-3")}
    monkeypatch.setattr("apps.papers.services.protocols", lambda: catalogue)
    with pytest.raises(Refused, match="with the label department"):
        repeat(owner, "webkb", labelled, Sizes())
    with pytest.raises(Refused, match="no protocol nothing"):
        repeat(owner, "nothing", labelled, Sizes())
    assert not PaperRun.objects.exists()


def test_a_failed_run_gives_the_reason_and_is_begun_again_by_the_next_press(
    owner, labelled, monkeypatch
):
    def refuse(*arguments: object) -> None:
        raise Refused("web", "The web is damaged.")

    with monkeypatch.context() as broken:
        broken.setattr(tasks, "prepare", refuse)
        run = begun(owner, labelled)
    assert (run.job_state, run.job_problem) == ("failed", "The web is damaged.")
    again, begins = repeat(owner, "made", labelled, Sizes())
    assert (again.pk, begins) == (run.pk, True)
    work_on(again)
    again.refresh_from_db()
    assert again.experiment is not None
