"""Checking whether the targets can be reached: recall cannot exceed those that can."""

from __future__ import annotations

from collections.abc import Callable

from django.utils import timezone

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.jobs import queue
from apps.topics.examples.fetching import FetchAll
from apps.topics.models import Target, Topic

State = Target.State
GONE = frozenset({"http_404", "http_410", str(Failure.DNS)})


def ask_for_check(topic: Topic) -> None:
    """Queues a check of every target; their pages are not stored."""
    topic.targets.update(state=State.ASKED)
    queue.enqueue(topic, work_wanted=Topic.Work.CHECKING)


def check_targets(topic: Topic, fetch_all: FetchAll, heartbeat: Callable[[], bool]) -> None:
    """Requests the targets that wait for a check and records each result."""
    waiting = list(topic.targets.filter(state=State.ASKED).values_list("url", flat=True))
    if not waiting:
        return
    for url, answer in fetch_all(waiting):
        state, detail = state_of(answer)
        topic.targets.filter(url=url).update(state=state, detail=detail, checked_at=timezone.now())
        if not heartbeat():
            return


def state_of(answer: Answer) -> tuple[str, str]:
    """`reachable`; `moved` with the new address; `gone` or `unclear` with the kind of failure."""
    if answer.failure in GONE:
        return State.GONE, answer.failure
    if answer.failure or answer.status is None:
        return State.UNCLEAR, answer.failure or str(Failure.PROTOCOL)
    if answer.final_url != answer.url:
        return State.MOVED, answer.final_url
    return State.REACHABLE, ""
