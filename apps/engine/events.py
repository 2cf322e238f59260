"""What the loop hands out: everything that has to be stored, a batch at a time.

A batch is one transaction. The rows of a crawl after any crash are those of some moment between
two batches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from apps.engine.model import Answer, Ints, StopReason, Verdict


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A page, once judged. `seq` is t from 1; `request` the number of the request, from 1.

    `record` is (file, offset, length, digest) in the page store, None on a web that is itself a
    record. `telemetry` are the strategy's numbers after this page. `contexts` are the packed link
    contexts (`crawl.link_contexts`), empty if scoring the links again takes the page itself.
    """

    seq: int
    request: int
    number: int
    answer: Answer
    host: str
    title: str
    words: int
    canonical: str
    needs_javascript: bool
    topicality: float | None
    status: float | None
    status_log: float | None
    verdict: Verdict | None
    target: bool
    seed: bool
    priority: float
    parent: int
    depth: int
    record: tuple[str, int, int, str] | None
    outlinks: Ints
    telemetry: dict[str, float]
    contexts: bytes = b""


@dataclass(frozen=True, slots=True)
class FailureRecord:
    """A request that gave no page; `answer.failure` is its kind. Its URL may be asked again."""

    request: int
    number: int
    answer: Answer
    host: str


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """The measures after `pages` pages; `seq` counts samples from 1."""

    seq: int
    pages: int
    metrics: dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class EventRecord:
    """Something that happened, after request `request`."""

    request: int
    pages: int
    kind: str
    payload: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HostState:
    """A host as the last batch left it; `wait` is in seconds from now."""

    host: str
    pages: int
    failures: int
    waiting: int
    delay: float
    wait: float
    blocked: str


@dataclass(frozen=True, slots=True)
class QueueHead:
    """One of the first waiting links, for the screen; `parents` counts the links to it.

    `parent` is the URL number of the page whose link gave the priority, −1 for seeds.
    """

    number: int
    url: str
    priority: float
    parent: int
    parents: int
    wait: float


@dataclass(frozen=True, slots=True)
class Totals:
    """The crawl's counts. discovered = pages + failed + excluded + waiting, exactly.

    `errors` counts requests without a page by kind, those of URLs asked for again too:
    requests = pages + the sum of them.
    """

    pages: int
    requests: int
    discovered: int
    waiting: int
    failed: int
    excluded: dict[str, int]
    errors: dict[str, int]
    reorder_seconds: float


@dataclass(frozen=True, slots=True)
class Batch:
    """One commit's worth. `finished` is set in the last one of a run."""

    pages: tuple[PageRecord, ...]
    failures: tuple[FailureRecord, ...]
    discovered: tuple[Any, ...]
    changed: tuple[Any, ...]
    samples: tuple[SampleRecord, ...]
    events: tuple[EventRecord, ...]
    hosts: tuple[HostState, ...]
    head: tuple[QueueHead, ...] | None
    totals: Totals
    metrics: dict[str, float | int | None]
    finished: StopReason | None = None
