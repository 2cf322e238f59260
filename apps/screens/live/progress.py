"""The figures above the charts: progress, speed, time left, errors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.crawls.labels.precision import judged_pages
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.figures.quantities import number_of
from apps.screens.live.fetch_errors import FetchErrors
from apps.screens.live.live_state import LiveState

MOVING = (State.RUNNING, State.STOPPING)


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """Values of the crawl's header; None if undefined.

    `speed` and `was` are pages a second now and when last running; `left` is in seconds, `until`
    the time it would be done; `reorders` is the CPU time of reordering the frontier, in seconds.
    `errors` excludes refusals by a rule; `errors_share` is relative to all requests. `agents` says
    who fetches for the crawl.
    """

    pages: int
    budget: int
    done: float
    speed: float | None
    was: float | None
    left: float | None
    until: datetime | None
    active: float
    reorders: float
    relevant: int | None
    judge: str
    errors: int
    errors_share: float | None
    agents: str


JUDGES = {
    "committee": "judged by committee",
    "lc_committee": "judged by a committee of all examples, the crawler’s own among them",
    "held_out_svm": "judged by one SVM on held-out examples",
    "guiding_classifier": "judged by the guiding classifier",
    "none": "not judged: the topic has no examples",
}


def _minute(moment: datetime) -> datetime:
    """Rounded to the minute, as it is shown, so that it does not change with every state."""
    return moment.replace(second=0, microsecond=0)


def _agents(crawl: Crawl) -> str:
    """How many agents serve the crawl, in words; empty without any."""
    if not crawl.agents and not crawl.lent_agents:
        return ""
    words = number_of(crawl.agents + crawl.lent_agents, "agent")
    return f"{words}, {crawl.lent_agents} of other machines" if crawl.lent_agents else words


def progress(state: LiveState) -> CrawlProgress:
    """The progress at a state."""
    crawl = state.crawl
    latest = state.trajectory.latest
    last_speed = crawl.metrics.get("pages_per_second", latest.get("pages_per_second"))
    moving = crawl.state in MOVING
    remaining = max(0, crawl.budget - crawl.pages)
    left = remaining / last_speed if last_speed and remaining else None
    harvest = crawl.metrics.get("harvest_rate", latest.get("harvest_rate"))
    errors = FetchErrors.of(crawl.errors).errors
    return CrawlProgress(
        pages=crawl.pages,
        budget=crawl.budget,
        done=crawl.pages / crawl.budget if crawl.budget else 0.0,
        speed=last_speed if moving else None if crawl.state == State.DRAFT else 0.0,
        was=None if moving else last_speed,
        left=None if crawl.state in (State.FINISHED, State.FAILED) else left,
        until=_minute(state.at + timedelta(seconds=left)) if left and moving else None,
        active=crawl.seconds,
        reorders=crawl.reorder_seconds,
        relevant=None if harvest is None else round(harvest * judged_pages(crawl)),
        judge=JUDGES.get(crawl.judged_by, ""),
        errors=errors,
        errors_share=errors / crawl.requests if crawl.requests else None,
        agents=_agents(crawl) if moving else "",
    )
