"""Repeating a paper's protocol on a web."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from apps.experiments.design.schema import Design
from apps.experiments.models import Experiment
from apps.experiments.recipe import design_of
from apps.jobs import queue
from apps.papers.catalogue import design_of as plan_design
from apps.papers.catalogue import in_order, protocols
from apps.papers.models import PaperRun
from apps.papers.papers import PAPERS
from apps.papers.setting_up import Sizes, sized
from apps.papers.suiting import suits
from apps.schemas.refused import Refused
from apps.webs.models import Web

MOST = 100_000
LONGEST_NAME = 100


def visible_runs(user: User) -> QuerySet[PaperRun]:
    """A person's runs, newest first."""
    return PaperRun.objects.filter(owner=user).select_related("web", "experiment", "explorer")


def repeat(owner: User, protocol: str, web: Web, sizes: Sizes) -> tuple[PaperRun, bool]:
    """The run of a protocol on a web, and whether it is begun by this call.

    The same protocol, web and sizes are one run: it is begun once, and again only if it failed.
    Raises Refused for an unknown protocol or size, or where the web lacks what it needs.
    """
    if protocol not in protocols():
        raise Refused("protocol", f"There is no protocol {protocol[:60]}.")
    for field in ("topics", "pages"):
        if not 1 <= (getattr(sizes, field) or 1) <= MOST:
            raise Refused(field, f"Give a number from 1 to {MOST:,}.")
    if lacks := suits(protocols()[protocol], web, sizes).lacks:
        raise Refused("web", lacks)
    with transaction.atomic():
        run, is_new = PaperRun.objects.get_or_create(
            owner=owner,
            protocol=protocol,
            web=web,
            topics=sizes.topics or 0,
            pages=sizes.pages or 0,
        )
        begins = is_new or run.job_state == PaperRun.State.FAILED
        if begins:
            queue.enqueue(run, step="")
    return run, begins


def repeat_all(owner: User, paper: str, web: Web, sizes: Sizes) -> list[tuple[PaperRun, bool]]:
    """The runs of all protocols of a paper for which the web has what they need, each with whether
    it is begun by this call. Raises Refused for an unknown paper or size, or if there are none."""
    if paper not in PAPERS:
        raise Refused("paper", f"There is no paper {paper[:60]}: give one of {', '.join(PAPERS)}.")
    of_paper = [id for id in in_order() if protocols()[id].paper == paper]
    fitting = [id for id in of_paper if not suits(protocols()[id], web, sizes).lacks]
    if not fitting:
        raise Refused("web", f"{web.name} has what no protocol of {paper} needs.")
    return [repeat(owner, id, web, sizes) for id in fitting]


def design_on(user: User, protocol: str, web: Web, sizes: Sizes) -> Design:
    """The experiment of a protocol on a web: with its topics and its θ if the person has run it
    there with these sizes, else without topics. Raises Refused for a table, which has none, and for
    an unknown protocol or size."""
    if protocol not in protocols():
        raise Refused("protocol", f"There is no protocol {protocol[:60]}.")
    wanted = protocols()[protocol]
    if wanted.experiment is None:
        raise Refused("protocol", f"{wanted.title} is a table over a whole web: no experiment.")
    asked = {"web": web, "topics": sizes.topics or 0, "pages": sizes.pages or 0}
    run = visible_runs(user).filter(protocol=protocol, **asked).exclude(experiment=None).first()
    if run is not None and run.experiment is not None:
        return design_of(run.experiment)
    name = f"{wanted.title} on {web.name}"[:LONGEST_NAME]
    design = plan_design(sized(wanted, sizes), name, web.name)
    return design.model_copy(update={"note": f"{wanted.paper}, {wanted.where}"})


def take_steps_due() -> list[str]:
    """Queues the next step of each run whose experiment has finished; returns a line for the log
    of each."""
    finished = Experiment.State.FINISHED
    due = PaperRun.objects.filter(
        Q(experiment__state=finished) | Q(experiment=None, explorer__state=finished),
        job_state=PaperRun.State.DONE,
        ended_at=None,
    )
    done = []
    for run in due:
        queue.enqueue(run, step="")
        done.append(f"paper run {run.pk}: {run}, next step queued")
    return done
