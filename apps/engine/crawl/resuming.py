"""Restores a crawl: loads the last checkpoint, then replays the requests committed since.

A replay runs the crawl's own code on the answers of the page store and the recorded verdicts, so
that the strategy learns the same. On a recorded web each pick must equal the recorded one.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.engine.answers import Answer
from apps.engine.crawl.checkpointing import restore_state
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.relearning.lessons import KIND as LABELS
from apps.engine.crawl.retraining import apply_lesson, prepare_lesson
from apps.engine.errors import ReplayDiverged
from apps.engine.events import EventRecord
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.url_states import UrlState
from apps.engine.model import Verdict
from apps.engine.networking.politeness import MAX_RETRY_AFTER
from apps.engine.parsing.site_lists.site_list import SiteList


@dataclass(frozen=True, slots=True)
class PastRequest:
    """A recorded request: a page with its verdict and record and the `site_lists` queued with it,
    or a failure with its `links`, or with its `site_list` as plain values."""

    request: int
    number: int
    answer: Answer
    verdict: Verdict | None = None
    record: tuple[str, int, int, str] | None = None
    links: tuple[str, ...] = ()
    site_lists: tuple[str, ...] = ()
    site_list: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class CrawlRecords:
    """The records of a crawl.

    `urls` and `states` are those of all discovered URLs, by number; `events` are all changes since
    the start, in order; `host_waits` are the seconds until each host may get a request again.
    """

    urls: Sequence[str]
    states: Sequence[UrlState]
    events: Sequence[EventRecord]
    host_waits: Mapping[str, float]


def replayed_kinds(crawl: CrawlLoop) -> tuple[str, ...]:
    """The kinds of events that a replay repeats."""
    return (*crawl.change_kinds, LABELS)


async def resume(
    crawl: CrawlLoop,
    checkpoint: dict[str, Any] | None,
    records: CrawlRecords,
    past: AsyncIterable[PastRequest],
) -> None:
    """Brings a new `crawl` to the end of its records; `past` are the requests after the checkpoint.

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
        _replay(crawl, request)
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
        _restore_waits(crawl.frontier, records.host_waits, delay, crawl.clock())


async def _restore(crawl: CrawlLoop, checkpoint: dict[str, Any], records: CrawlRecords) -> None:
    """Learns the checkpoint's labels first, since the later state depends on them."""
    crawl.guide.topic.vocabulary.restore(checkpoint["vocabulary"])
    if checkpoint["labels"]:
        crawl.guide = (await prepare_lesson(crawl, checkpoint["labels"])).guide
    restore_state(crawl, checkpoint, list(records.urls[: checkpoint["discovered"]]))


async def _apply_due(crawl: CrawlLoop, changes: list[EventRecord]) -> None:
    while changes and changes[0].request <= crawl.limits.requests:
        event = changes.pop(0)
        if event.kind == LABELS:
            lesson = await prepare_lesson(crawl, event.payload["labels"])
            await apply_lesson(crawl, lesson, event.payload)
        else:
            crawl.change(event.kind, event.payload)


def _replay(crawl: CrawlLoop, past: PastRequest) -> None:
    if crawl.plan.recorded:
        picked = crawl.frontier.pick(crawl.clock())
        if picked != past.number:
            raise ReplayDiverged(
                f"request {past.request} was number {past.number}, the replay picks {picked}"
            )
    else:
        crawl.frontier.take(past.number)
    if past.site_list is not None:
        taken = SiteList.of_plain(past.site_list)
        crawl.turns.apply_site_list(past.number, past.answer, taken)
        return
    crawl.turns.apply(
        past.number,
        past.answer,
        verdict=past.verdict,
        record=past.record,
        links=past.links,
        site_lists=past.site_lists,
    )


def _restore_waits(
    frontier: Frontier, host_waits: Mapping[str, float], delay: float, now: float
) -> None:
    """Restores each host's wait; every host waits for at least its delay from now.

    Requests in flight when the crawl was killed are not recorded, and the system clock may have
    been set since.
    """
    for host in frontier.hosts.all:
        wait = min(host_waits.get(host.name, 0.0), MAX_RETRY_AFTER)
        host.next_at = max(host.next_at, now + max(wait, host.delay, delay))
    frontier.hosts.reschedule_all(now)
