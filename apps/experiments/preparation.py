"""Preparing an experiment: each topic is frozen, with what crawlers need of it, in the background.

A topic is frozen outside any transaction, so that nobody waits for it but this experiment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from django.contrib.auth.models import User
from django.utils import timezone

from apps.engine.codes import Need
from apps.engine.errors import BadWebFile
from apps.experiments.cells.assembly import judge_of
from apps.experiments.cells.queueing import fill
from apps.experiments.design.schema import BY_TOPIC, Design
from apps.experiments.design.variants import Variant
from apps.experiments.events import note
from apps.experiments.models import Cell, Experiment, ExperimentTopic, Preparation
from apps.experiments.selectors import unready
from apps.figures.quantities import number_of
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.inputs.counted_targets import COUNTED_TARGETS, NoCountedTargets
from apps.topics.inputs.freezing import freeze
from apps.topics.models import Topic
from apps.topics.snapshots import snapshot

State = Experiment.State


def enqueue_preparation(experiment: Experiment, by: User | None = None) -> None:
    """Queues the freezing of the topics that are not frozen for all crawlers yet."""
    job, _ = Preparation.objects.get_or_create(experiment=experiment)
    queue.enqueue(job, topics=experiment.topics.count(), prepared=0, by=by)


def cancel_preparation(experiment: Experiment) -> None:
    for job in Preparation.objects.filter(experiment=experiment, job_state__in=queue.UNFINISHED):
        queue.cancel(job)


def prepare(job: Preparation) -> None:
    """Freezes the topics one by one, then runs the cells.

    If a topic cannot be frozen, an experiment that has not begun becomes a draft again, with an
    event that has the reason; in one that has, the topic's cells fail with it.
    """
    try:
        refused = prepare_topics(job)
    except Refused as refusal:
        _return_to_draft(job.experiment, refusal)
        return
    if refused and queue.finish(job):
        go_on(job.experiment, job.by)


def prepare_here(experiment: Experiment) -> None:
    """Does the queued preparation in this process. Raises Refused, with the experiment a draft."""
    job = experiment.preparation
    queue.claim_here(job)
    try:
        prepare_topics(job)
    except Refused as refusal:
        queue.fail(job, refusal.message)
        _return_to_draft(job.experiment, refusal)
        raise
    queue.finish(job)
    go_on(job.experiment, job.by)
    experiment.refresh_from_db()


def prepare_topics(job: Preparation) -> bool:
    """Freezes the topics; False if the job was cancelled meanwhile. Raises Refused for a topic that
    cannot be frozen, unless the experiment has begun."""
    experiment = job.experiment
    number, needs = experiment.topics.exclude(topic=None).count(), needs_of(experiment)
    design = Design.read(experiment.design)
    for prepared, row in enumerate(_topics_one_by_one(experiment)):
        if not queue.heartbeat(job, topics=number, prepared=prepared):
            return False
        try:
            freeze_topic(row, needs, design)
        except Refused as refusal:
            if experiment.state == State.PREPARING:
                raise
            _fail_cells(row, refusal)
    return queue.heartbeat(job, topics=number, prepared=number)


def freeze_topics(experiment: Experiment) -> None:
    """Freezes each topic for all crawlers. Raises Refused for a topic that is not ready."""
    needs, design = needs_of(experiment), Design.read(experiment.design)
    for row in _topics_one_by_one(experiment):
        freeze_topic(row, needs, design)


def _topics_one_by_one(experiment: Experiment) -> Iterator[ExperimentTopic]:
    """The topics with their frozen inputs, of which each may be megabytes."""
    rows = experiment.topics.exclude(topic=None)
    for key in list(rows.values_list("pk", flat=True)):
        yield from rows.select_related("topic", "snapshot").filter(pk=key)


def needs_of(experiment: Experiment) -> frozenset[Need]:
    """The inputs that the crawlers need of a topic."""
    return frozenset().union(
        *(
            Variant(row.strategy, row.parameters, row.parent_policy).build().all_needs()
            for row in experiment.crawlers.all()
        )
    )


def freeze_topic(row: ExperimentTopic, needs: frozenset[Need], design: Design) -> None:
    """Freezes a topic and its inputs; what is frozen already stays as it is. Raises Refused."""
    wanted = _digest([*needs, design.judge])
    if row.prepared_for == wanted:
        return
    topic = row.topic
    assert topic is not None
    if row.snapshot is None and (problem := unready(topic)):
        raise Refused("topics", f"{row.name}: {problem}")
    try:
        _freeze(row, topic, needs, design)
    except NoCountedTargets as refusal:
        raise Refused("hold_out", f"{row.name}: {refusal.message}") from None
    except BadWebFile as error:
        raise Refused("topics", f"{row.name}: its pages cannot be read: {error.detail}.") from None
    row.prepared_for = wanted
    row.save(update_fields=["prepared_for"])


def _freeze(row: ExperimentTopic, topic: Topic, needs: frozenset[Need], design: Design) -> None:
    if row.snapshot is None:
        row.snapshot = snapshot(topic)
    if design.hold_out != BY_TOPIC:
        topic.hold_out = design.hold_out  # for these cells alone: the topic is not saved
    row.inputs = {**freeze(topic, needs, design.judge), **row.inputs}
    counted = row.inputs.get(COUNTED_TARGETS.id)
    row.targets = counted["rows"] if counted else len(row.snapshot.data["targets"])
    row.save(update_fields=["snapshot", "targets", "inputs"])
    row.judged_by = judge_of(row, design.judge)
    row.save(update_fields=["judged_by"])


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(map(str, words))).encode()).hexdigest()


def go_on(experiment: Experiment, by: User | None = None) -> None:
    """Runs the cells of an experiment whose topics are frozen."""
    begun = Experiment.objects.filter(pk=experiment.pk, state=State.PREPARING).update(
        state=State.RUNNING, started_at=timezone.now()
    )
    if begun:
        topics, crawlers = experiment.topics.count(), experiment.crawlers.count()
        words = f"Started with {number_of(topics, 'topic')} and {number_of(crawlers, 'crawler')}."
        note(experiment, "started", words, by)
    fill(experiment)


def _return_to_draft(experiment: Experiment, refusal: Refused) -> None:
    if Experiment.objects.filter(pk=experiment.pk, state=State.PREPARING).update(state=State.DRAFT):
        note(experiment, "not_started", f"Not started. {refusal.message}")


def _fail_cells(row: ExperimentTopic, refusal: Refused) -> None:
    row.cells.filter(job_state=Cell.State.NONE).update(
        job_state=Cell.State.FAILED, job_problem=refusal.message
    )
