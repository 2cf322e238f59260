"""Bringing a crawl back: the last checkpoint, then what was committed since, in order.

A replay runs the same code as the crawl did, with the answers read from the page store and the
verdicts from the records, so that learning goes the same way. On a recorded web every pick must
come out as it did.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.engine.crawl.loop import Crawl
from apps.engine.crawl.relearning import KIND as LABELS
from apps.engine.errors import ReplayDiverged
from apps.engine.events import EventRecord
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.url_states import UrlState
from apps.engine.model import Answer, Verdict
from apps.engine.networking.politeness import MAX_RETRY_AFTER


@dataclass(frozen=True, slots=True)
class PastRequest:
    """One request as it was recorded: a page with its verdict and record, or a failure."""

    request: int
    number: int
    answer: Answer
    verdict: Verdict | None = None
    record: tuple[str, int, int, str] | None = None


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a crawl.

    `urls` and `states` are those of every discovered URL, by number; `events` all changes since
    the start, in order; `host_waits` the seconds for which hosts must still be left alone.
    """

    urls: Sequence[str]
    states: Sequence[UrlState]
    events: Sequence[EventRecord]
    host_waits: Mapping[str, float]


def replayed(crawl: Crawl) -> tuple[str, ...]:
    """The kinds of events that a replay repeats."""
    return (*crawl.change_kinds, LABELS)


async def resume(
    crawl: Crawl,
    checkpoint: dict[str, Any] | None,
    records: Records,
    past: AsyncIterable[PastRequest],
) -> None:
    """Brings a new `crawl` to where the records end; `past` are the requests after the checkpoint.

    Raises ReplayDiverged if records and replay disagree.
    """
    if checkpoint is None:
        crawl.start()
    else:
        await _restore(crawl, checkpoint, records)
    budget, request_limit = crawl.plan.budget, crawl.plan.request_limit
    changes = list(records.events[crawl.changes :])
    async for request in past:
        await _apply_due(crawl, changes)
        _repeat(crawl, request)
    await _apply_due(crawl, changes)
    crawl.limits.budget, crawl.limits.request_limit = budget, request_limit
    crawl.batches.forget()
    if len(crawl.frontier) != len(records.urls):
        raise ReplayDiverged(
            f"{len(crawl.frontier)} URLs after the replay, {len(records.urls)} in the records"
        )
    crawl.frontier.write_again(records.states)
    if not crawl.plan.recorded:
        delay = crawl.plan.politeness.delay
        _wait_as_before(crawl.frontier, records.host_waits, delay, crawl.clock())


async def _restore(crawl: Crawl, checkpoint: dict[str, Any], records: Records) -> None:
    """The checkpoint's labels are learned first: what was learned since rests on them."""
    crawl.guide.topic.vocabulary.restore(checkpoint["vocabulary"])
    if checkpoint["labels"]:
        crawl.guide = (await crawl.prepare(checkpoint["labels"])).guide
    crawl.restore(checkpoint, list(records.urls[: checkpoint["discovered"]]))


async def _apply_due(crawl: Crawl, changes: list[EventRecord]) -> None:
    while changes and changes[0].request <= crawl.limits.requests:
        event = changes.pop(0)
        if event.kind == LABELS:
            await crawl.relearn(await crawl.prepare(event.payload["labels"]), event.payload)
        else:
            crawl.change(event.kind, event.payload)


def _repeat(crawl: Crawl, past: PastRequest) -> None:
    if crawl.plan.recorded:
        picked = crawl.frontier.pick(crawl.clock())
        if picked != past.number:
            raise ReplayDiverged(
                f"request {past.request} was number {past.number}, the replay picks {picked}"
            )
    else:
        crawl.frontier.take(past.number)
    crawl.turns.apply(past.number, past.answer, verdict=past.verdict, record=past.record)


def _wait_as_before(
    frontier: Frontier, host_waits: Mapping[str, float], delay: float, now: float
) -> None:
    """Each host's pause, and at least one from now on for each that was ever asked.

    What was under way when the crawl was lost stands in no record, and the clock that the records
    were written by may have been set forward or back since.
    """
    for host in frontier.hosts.all:
        wait = min(host_waits.get(host.name, 0.0), MAX_RETRY_AFTER)
        host.next_at = max(host.next_at, now + max(wait, host.delay, delay))
    frontier.hosts.reschedule_all(now)
