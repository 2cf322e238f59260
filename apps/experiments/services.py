"""Making, running and changing experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from apps.crawls.commands.start import start as start_crawl
from apps.crawls.models import Crawl
from apps.crawls.services import create_crawl
from apps.experiments.cells.queueing import fill
from apps.experiments.design.schema import CrawlerDesign, Design
from apps.experiments.design.variants import variants
from apps.experiments.events import note
from apps.experiments.folder import experiment_folder
from apps.experiments.models import Cell, Experiment
from apps.experiments.rows import add_rows, check_size, freeze_topics, topics_named
from apps.experiments.selectors import web_named
from apps.figures.quantities import number_of
from apps.jobs import queue
from apps.schemas.input import Refused
from apps.stored_files.files import forget

State = Experiment.State
By = AbstractUser | None


def create_experiment(
    owner: AbstractUser, design: Design, *, expected: Mapping[str, str] | None = None,
    is_leaderboard: bool = False,
) -> Experiment:
    """A draft with its topics, crawlers and cells; `expected` are the digests of a recipe's cells.

    Raises Refused at the field of the design that is wrong.
    """
    web = web_named(owner, design.web)
    crawlers = variants(design)
    topics = topics_named(owner, web, design.topics)
    check_size(design, len(topics), len(crawlers))
    with transaction.atomic():
        experiment = Experiment.objects.create(
            owner=owner, name=design.name, note=design.note, web=web,
            design=design.model_dump(mode="json"), expected=dict(expected or {}),
            is_leaderboard=is_leaderboard,
        )
        add_rows(experiment, topics, crawlers)
    return experiment


def start(experiment: Experiment, by: By = None) -> None:
    """Freezes the topics of a draft as they are now and queues its cells; if the examples of some
    are still being prepared, it does so once they are ready (`start_where_ready`).

    Raises Refused if it lacks topics or crawlers, or if a topic cannot be crawled.
    """
    if experiment.state not in (State.DRAFT, State.PREPARING):
        raise Refused("state", "The experiment has been started already.")
    if not experiment.topics.exists():
        raise Refused("topics", "Choose at least one topic.")
    if not experiment.crawlers.exists():
        raise Refused("crawlers", "Choose at least one strategy.")
    if being_prepared(experiment):
        _to(experiment, State.PREPARING)
        note(experiment, "preparing", "Starts once the examples of its topics are fetched.", by)
        return
    with transaction.atomic():
        freeze_topics(experiment)
        _to(experiment, State.RUNNING, started_at=timezone.now())
    topics, crawlers = experiment.topics.count(), experiment.crawlers.count()
    note(experiment, "started", f"Started with {number_of(topics, 'topic')} and"
         f" {number_of(crawlers, 'crawler')}.", by)
    fill(experiment)


def being_prepared(experiment: Experiment) -> bool:
    """Whether the examples of one of its topics are being fetched or learned from."""
    return experiment.topics.filter(topic__job_state__in=queue.UNFINISHED).exists()


def start_where_ready() -> list[str]:
    """Starts the experiments whose topics have become ready, and returns a log line for each.

    One that cannot be started becomes a draft again, with an event that says why.
    """
    done = []
    for experiment in Experiment.objects.filter(state=State.PREPARING):
        if being_prepared(experiment):
            continue
        try:
            start(experiment)
        except Refused as refused:
            _to(experiment, State.DRAFT)
            note(experiment, "not_started", f"Not started. {refused.message}")
        done.append(f"experiment {experiment.pk}: its topics are ready, {experiment.state}")
    return done


def pause(experiment: Experiment, by: By = None) -> None:
    """Lets running cells keep what they have and halt. Raises Refused unless it runs."""
    _require(experiment, "It is not running.", State.RUNNING)
    _to(experiment, State.PAUSED)
    _recall(experiment)
    note(experiment, "paused", "Paused.", by)


def go_on(experiment: Experiment, by: By = None) -> None:
    """Continues a paused, stopped or finished experiment that has cells left. Raises Refused."""
    _require(experiment, "It is running or was never started.", State.PAUSED, State.STOPPED,
             State.FINISHED)
    if not experiment.cells.filter(job_state=Cell.State.NONE).exists():
        raise Refused("state", "No cell is left to run.")
    _to(experiment, State.RUNNING, ended_at=None)
    note(experiment, "continued", "Continued.", by)
    fill(experiment)


def stop(experiment: Experiment, by: By = None) -> None:
    """Ends it; the cells that have ended are kept. Raises Refused unless it runs, is paused or is
    being prepared, which makes it a draft again."""
    _require(experiment, "It has ended already.", State.RUNNING, State.PAUSED, State.PREPARING)
    if experiment.state == State.PREPARING:
        _to(experiment, State.DRAFT)
        return
    _to(experiment, State.STOPPED, ended_at=timezone.now())
    _recall(experiment)
    note(experiment, "stopped", "Stopped.", by)


def add_topics(experiment: Experiment, names: Sequence[str], by: By = None) -> None:
    """Adds topics, crawled by every crawler; the experiment goes on if it has been started.

    Raises Refused.
    """
    design = Design.read(experiment.design)
    here = {topic.name for topic in experiment.topics.all()}
    topics = topics_named(experiment.owner, experiment.web, [n for n in names if n not in here])
    check_size(design, len(here) + len(topics), experiment.crawlers.count())
    with transaction.atomic():
        add_rows(experiment, topics, ())
        _freeze_if_started(experiment)
    _added(experiment, f"{number_of(len(topics), 'topic')} added.", by)


def add_crawlers(
    experiment: Experiment, crawlers: Sequence[CrawlerDesign], by: By = None
) -> None:
    """Adds crawlers, for every topic; the experiment goes on if it has been started.

    Raises Refused, also for a crawler that it has already.
    """
    design = Design.read(experiment.design)
    whole = design.model_copy(update={"crawlers": (*design.crawlers, *crawlers)})
    found = variants(whole)[experiment.crawlers.count():]
    if not found:
        raise Refused("crawlers", "Choose at least one strategy.")
    check_size(design, experiment.topics.count(), experiment.crawlers.count() + len(found))
    with transaction.atomic():
        add_rows(experiment, (), found)
        experiment.design = whole.model_dump(mode="json")
        experiment.save(update_fields=["design"])
        _freeze_if_started(experiment)
    _added(experiment, f"{number_of(len(found), 'crawler')} added.", by)


def try_again(cells: Iterable[Cell], by: By = None) -> int:
    """Runs failed cells of one experiment again, from where they were last kept; returns how
    many."""
    failed = [cell for cell in cells if cell.job_state == Cell.State.FAILED]
    if not failed:
        return 0
    experiment = failed[0].experiment
    Cell.objects.filter(pk__in=[cell.pk for cell in failed]).update(
        job_state=Cell.State.NONE, job_problem="", reason="", starts=0
    )
    _added(experiment, f"{number_of(len(failed), 'failed cell')} tried again.", by)
    return len(failed)


def open_as_crawl(cell: Cell, by: AbstractUser) -> Crawl:
    """A full crawl that does what the cell did, with its links, texts and explanations; it is
    started, and the same one the second time. Raises CrawlRefused, and Refused if the topic is
    gone."""
    if cell.crawl is not None:
        return cell.crawl
    topic, experiment = cell.topic, cell.experiment
    if topic.topic is None or topic.snapshot is None:
        raise Refused("", "The topic has been deleted, so the cell cannot be crawled again.")
    design = Design.read(experiment.design)
    with transaction.atomic():
        crawl = create_crawl(
            by, topic.topic, experiment.web, strategy=cell.crawler.strategy,
            parameters=cell.crawler.parameters, budget=design.pages,
            random_seed=cell.random_seed, scope=design.scope.model_dump(mode="json"),
            politeness=design.politeness.rules(), parent_policy=cell.crawler.parent_policy,
            judge=design.judge,
        )
        crawl.snapshot = topic.snapshot
        crawl.name = f"{experiment.name}: {cell.crawler.label}"[:120]
        crawl.save(update_fields=["snapshot", "name"])
        start_crawl(crawl)
        Cell.objects.filter(pk=cell.pk).update(crawl=crawl)
    return crawl


def delete_experiment(experiment: Experiment) -> None:
    """Deletes it with its results. This cannot be undone. Raises Refused while it runs."""
    if experiment.state == State.RUNNING:
        raise Refused("state", "Stop the experiment first.")
    folder = experiment_folder(experiment.pk)
    experiment.delete()
    forget(folder)


VERBS: Mapping[str, Callable[[Experiment, By], None]] = {
    "start": start, "pause": pause, "continue": go_on, "stop": stop,
}


def _freeze_if_started(experiment: Experiment) -> None:
    if experiment.state not in (State.DRAFT, State.PREPARING):
        freeze_topics(experiment)


def _added(experiment: Experiment, words: str, by: By) -> None:
    note(experiment, "added", words, by)
    if experiment.state == State.FINISHED:
        _to(experiment, State.RUNNING, ended_at=None)
    fill(experiment)


def _recall(experiment: Experiment) -> None:
    """Takes back the cells that no worker has begun; running ones see that they are to halt."""
    for cell in experiment.cells.filter(job_state=Cell.State.WAITING):
        queue.cancel(cell)


def _require(experiment: Experiment, otherwise: str, *states: str) -> None:
    if experiment.state not in states:
        raise Refused("state", otherwise)


def _to(experiment: Experiment, state: str, **values: object) -> None:
    for name, value in {"state": state, **values}.items():
        setattr(experiment, name, value)
    experiment.save(update_fields=["state", *values])
