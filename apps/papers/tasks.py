"""The steps of a protocol that is repeated in the background."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.engine.errors import EngineError
from apps.experiments.models import Experiment
from apps.experiments.results.outcomes import outcomes
from apps.experiments.services import start
from apps.jobs import queue
from apps.jobs.regular_heartbeats import regular_heartbeats
from apps.papers.catalogue import protocols
from apps.papers.command_line import command_line
from apps.papers.models import PaperRun
from apps.papers.observing import observed_of
from apps.papers.result import result_of
from apps.papers.schema import PaperProtocol
from apps.papers.setting_up import Sizes, prepare, theta_of
from apps.papers.table_run import TableOptions, run_table
from apps.papers.tables.observed import Observed
from apps.schemas.refused import Refused
from apps.webs.messages import error_words

State = Experiment.State


class Cancelled(Exception):
    """The run has been deleted, or a later attempt has been queued."""


def take_step(run: PaperRun) -> None:
    """Takes the run's next step: begins its experiment, or reads the results of one that has
    finished. A table is run whole."""
    protocol = protocols().get(run.protocol)
    if protocol is None:
        queue.fail(run, f"There is no protocol {run.protocol} any more.")
        return
    try:
        with regular_heartbeats(run):
            _table(run, protocol) if protocol.table else _experiment(run, protocol)
    except Cancelled:
        return
    except Refused as refused:
        queue.fail(run, refused.message)
    except EngineError as error:
        queue.fail(run, error_words(error))


def _table(run: PaperRun, protocol: PaperProtocol) -> None:
    assert protocol.table is not None

    def report(step: str) -> None:
        if not queue.heartbeat(run, step=step[:200]):
            raise Cancelled

    result = run_table(protocol.table, run.web, TableOptions(pages=run.pages or None), report)
    _end(run, protocol, result.observed(), {}, result.text())


def _experiment(run: PaperRun, protocol: PaperProtocol) -> None:
    if run.experiment is None:
        _begin(run, protocol)
    elif run.experiment.state == State.FINISHED:
        observed = observed_of(outcomes(run.experiment), protocol)
        _end(run, protocol, observed, run.settings)
    if run.experiment is not None and run.experiment.state == State.DRAFT:
        start(run.experiment, run.owner)


def _begin(run: PaperRun, protocol: PaperProtocol) -> None:
    """Makes the experiment, or first the exploratory crawl that gives θ."""
    sizes = Sizes(topics=run.topics or None, pages=run.pages or None)
    prepared = prepare(run.owner, run.web, run.protocol, protocol, sizes)
    theta = None
    if prepared.plan.explores_theta:
        if run.explorer is None:
            with transaction.atomic():
                run.explorer = prepared.explorer()
                run.save(update_fields=["explorer"])
        if run.explorer.state == State.DRAFT:
            start(run.explorer, run.owner)
        if run.explorer.state != State.FINISHED:
            return
        theta = theta_of(run.explorer)
    with transaction.atomic():
        run.experiment = prepared.experiment(theta)
        run.settings = dict(prepared.settings) | ({} if theta is None else {"theta": theta})
        run.save(update_fields=["experiment", "settings"])


def _end(
    run: PaperRun,
    protocol: PaperProtocol,
    observed: Observed,
    settings: dict[str, Any],
    text: str = "",
) -> None:
    sizes = {"topics": run.topics, "pages": run.pages}
    command = command_line(run.protocol, run.web.name, sizes)
    result = result_of(
        run.protocol, protocol, run.web.name, observed, {"command": command, **settings}
    )
    whole = result.model_dump(mode="json")
    queue.finish(run, step="", result=whole, text=text, ended_at=timezone.now())
