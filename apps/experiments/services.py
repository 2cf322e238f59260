"""Making, running and changing experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.crawls.commands.lifecycle.start import start as start_crawl
from apps.crawls.models import Crawl
from apps.crawls.services import create_crawl
from apps.experiments.cells.queueing import fill
from apps.experiments.design.schema import CrawlerDesign, Design
from apps.experiments.design.variants import variants
from apps.experiments.events import note
from apps.experiments.folder import experiment_folder
from apps.experiments.models import Cell, Experiment
from apps.experiments.preparation import cancel_preparation, enqueue_preparation
from apps.experiments.rows import add_rows, check_size, topics_named
from apps.experiments.selectors import unready, web_named
from apps.figures.quantities import number_of
from apps.jobs import queue
from apps.jobs.deletion import delete_later
from apps.schemas.refused import Refused
from apps.stored_files.files import forget
from apps.topics.models import Topic

State = Experiment.State
By = User | None


def create_experiment(
    owner: User,
    design: Design,
    *,
    expected: Mapping[str, str] | None = None,
    is_leaderboard: bool = False,
    form_token: str = "",
) -> Experiment:
    """A draft with its topics, crawlers and cells; `expected` are the digests of a recipe's cells.

    Raises Refused at the field of the design that is wrong, IntegrityError if the owner has an
    experiment of that form already.
    """
    web = web_named(owner, design.web)
    crawlers = variants(design)
    topics = topics_named(owner, web, design.topics)
    check_size(design, len(topics), len(crawlers))
    with transaction.atomic():
        experiment = Experiment.objects.create(
            owner=owner,
            name=design.name,
            note=design.note,
            web=web,
            design=design.model_dump(mode="json"),
            expected=dict(expected or {}),
            is_leaderboard=is_leaderboard,
            form_token=form_token,
        )
        add_rows(experiment, topics, crawlers)
    return experiment


def start(experiment: Experiment, by: By = None) -> None:
    """Freezes the topics of a draft as they are now, in the background, then runs its cells; if the
    examples of some topics are still being prepared, it starts once they are ready
    (`start_where_ready`).

    Raises Refused if it was started already, or lacks topics or crawlers.
    """
    if not experiment.topics.exists():
        raise Refused("topics", "Choose at least one topic.")
    if not experiment.crawlers.exists():
        raise Refused("crawlers", "Choose at least one strategy.")
    waits = being_prepared(experiment)
    if not waits:
        rows = experiment.topics.defer("inputs").select_related("topic")
        _refuse_unready(row.topic for row in rows)
    with transaction.atomic():
        claimed = Experiment.objects.filter(pk=experiment.pk, state=State.DRAFT)
        if not claimed.update(state=State.PREPARING):
            raise Refused("state", "The experiment has been started already.")
        experiment.state = State.PREPARING
        if waits:
            words = "Starts once the examples of its topics are fetched."
            note(experiment, "preparing", words, by)
        else:
            enqueue_preparation(experiment, by)


def being_prepared(experiment: Experiment) -> bool:
    """Whether the examples of one of its topics are being fetched or learned from."""
    return experiment.topics.filter(topic__job_state__in=queue.UNFINISHED).exists()


def start_where_ready() -> list[str]:
    """Freezes the topics of experiments whose examples have become ready, and returns a log line
    for each."""
    waiting = Experiment.objects.filter(state=State.PREPARING).exclude(
        preparation__job_state__in=queue.UNFINISHED
    )
    done = []
    for experiment in waiting:
        if not being_prepared(experiment):
            enqueue_preparation(experiment)
            done.append(f"experiment {experiment.pk}: its topics are ready, preparing")
    return done


def _refuse_unready(topics: Iterable[Topic | None]) -> None:
    """Raises Refused for the first topic that cannot be crawled now."""
    for topic in topics:
        if topic is not None and (problem := unready(topic)):
            raise Refused("topics", f"{topic.name}: {problem}")


def pause(experiment: Experiment, by: By = None) -> None:
    """Pauses the experiment: running cells write a checkpoint and stop. Raises Refused unless it
    runs."""
    _require(experiment, "It is not running.", State.RUNNING)
    _to(experiment, State.PAUSED)
    _recall(experiment)
    note(experiment, "paused", "Paused.", by)


def go_on(experiment: Experiment, by: By = None) -> None:
    """Continues a paused, stopped or finished experiment that has cells left. Raises Refused."""
    _require(
        experiment,
        "It is running or was never started.",
        State.PAUSED,
        State.STOPPED,
        State.FINISHED,
    )
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
        cancel_preparation(experiment)
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
    here = {*experiment.topics.values_list("name", flat=True)}
    topics = topics_named(experiment.owner, experiment.web, [n for n in names if n not in here])
    check_size(design, len(here) + len(topics), experiment.crawlers.count())
    if _has_started(experiment):
        _refuse_unready(topics)
    with transaction.atomic():
        add_rows(experiment, topics, ())
        _run_what_is_new(experiment, f"{number_of(len(topics), 'topic')} added.", by)


def add_crawlers(experiment: Experiment, crawlers: Sequence[CrawlerDesign], by: By = None) -> None:
    """Adds crawlers, for every topic; the experiment goes on if it has been started.

    Raises Refused, also for a crawler that it has already.
    """
    design = Design.read(experiment.design)
    whole = design.model_copy(update={"crawlers": (*design.crawlers, *crawlers)})
    new = variants(whole)[experiment.crawlers.count() :]
    if not new:
        raise Refused("crawlers", "Choose at least one strategy.")
    check_size(design, experiment.topics.count(), experiment.crawlers.count() + len(new))
    with transaction.atomic():
        add_rows(experiment, (), new)
        experiment.design = whole.model_dump(mode="json")
        experiment.save(update_fields=["design"])
        _run_what_is_new(experiment, f"{number_of(len(new), 'crawler')} added.", by)


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
    _run_what_is_new(experiment, f"{number_of(len(failed), 'failed cell')} tried again.", by)
    return len(failed)


def open_as_crawl(cell: Cell, by: User) -> Crawl:
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
            by,
            topic.topic,
            experiment.web,
            strategy=cell.crawler.strategy,
            parameters=cell.crawler.parameters,
            budget=design.pages,
            random_seed=cell.random_seed,
            scope=design.scope.model_dump(mode="json"),
            politeness=design.politeness.rules(),
            parent_policy=cell.crawler.parent_policy,
            judge=design.judge,
        )
        crawl.snapshot = topic.snapshot
        crawl.name = f"{experiment.name}: {cell.crawler.label}"[:120]
        crawl.save(update_fields=["snapshot", "name"])
        start_crawl(crawl)
        Cell.objects.filter(pk=cell.pk).update(crawl=crawl)
    return crawl


def delete_experiment(experiment: Experiment) -> None:
    """Deletes it with its results, in the background. This cannot be undone. Raises Refused while
    it runs."""
    if experiment.state == State.RUNNING:
        raise Refused("state", "Stop the experiment first.")
    delete_later(experiment, experiment.owner)


def forget_results(experiment: Experiment) -> None:
    """Deletes the files of an experiment."""
    forget(experiment_folder(experiment.pk))


VERBS: Mapping[str, Callable[[Experiment, By], None]] = {
    "start": start,
    "pause": pause,
    "continue": go_on,
    "stop": stop,
}


def _has_started(experiment: Experiment) -> bool:
    return experiment.state not in (State.DRAFT, State.PREPARING)


def _run_what_is_new(experiment: Experiment, words: str, by: By) -> None:
    """Freezes added topics, then runs their cells, if the experiment has been started."""
    note(experiment, "added", words, by)
    if experiment.state == State.FINISHED:
        _to(experiment, State.RUNNING, ended_at=None)
    if experiment.state != State.DRAFT:
        enqueue_preparation(experiment, by)


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
