"""The records that the crawl loop hands out to be stored, in batches.

A batch is one transaction. After any crash, the rows of a crawl are in the state between two
batches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from apps.engine.answers import Answer, SentHop
from apps.engine.codes import SentFor, StopReason
from apps.engine.model import Ints, Verdict


@dataclass(slots=True)
class PageRecord:
    """A page. `verdict` and `target` are set when it is judged, at the end of its batch, which is
    why it is not frozen; a replay gives the verdict at once.

    `seq` is t, from 1; `request` is the number of the request, from 1.

    `record` is (file, offset, length, digest) in the page store, None on a recorded web.
    `telemetry` are the strategy's numbers after this page. `contexts` are the packed link contexts
    (`representation.link_contexts`), empty if re-scoring the links needs the page itself.
    `site_lists` are the addresses of sitemaps and feeds that were queued with it.
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
    seed: bool
    priority: float
    parent: int
    depth: int
    record: tuple[str, int, int, str] | None
    outlinks: Ints
    telemetry: dict[str, float]
    contexts: bytes = b""
    site_lists: tuple[str, ...] = ()
    verdict: Verdict | None = None
    target: bool = False
    has_no_text: bool = False


@dataclass(frozen=True, slots=True)
class FailureRecord:
    """A request that gave no page; `answer.failure` is its kind. Its URL may be retried.

    `links` are those of a page that asks not to be indexed, which are followed nevertheless.
    `site_list` are the entries taken from a sitemap or a feed, as plain values.
    """

    request: int
    number: int
    answer: Answer
    host: str
    links: tuple[str, ...] = ()
    site_list: dict[str, Any] | None = None


class SiteSign(NamedTuple):
    """A sign of an opt-out in a file of a site: the id of its form, the file's path, its wording,
    whether it reserves something, and for which addresses: rules as in robots.txt, which disallow
    those."""

    form: str
    path: str
    text: str
    reserves: bool
    rules: str = ""


class SiteFileRecord(NamedTuple):
    """A file of an origin in which a site may reserve uses: its path, when it was read (Unix
    seconds), the status of the answer, 0 without one, and its signs."""

    origin: str
    path: str
    read_at: float
    status: int
    signs: tuple[SiteSign, ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether the file was read, or is not there; after other answers nobody can tell."""
        return 200 <= self.status < 300 or (400 <= self.status < 500 and self.status != 429)


@dataclass(frozen=True, slots=True)
class SideRequest:
    """A request that no page and no failure stands for, and what it was sent for."""

    purpose: SentFor
    hop: SentHop


@dataclass(frozen=True, slots=True)
class RobotsReading:
    """An answer to /robots.txt. `text` is the stored part, `digest` that of all that was read and
    empty without a text; `at` is in Unix seconds, `size` in bytes."""

    origin: str
    at: float
    status: int | None
    failure: str
    digest: str
    text: bytes
    size: int


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """The measures after `pages` pages."""

    pages: int
    metrics: dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event after request `request`."""

    request: int
    pages: int
    kind: str
    payload: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HostState:
    """The state of a host at the end of a batch; `wait` is in seconds from then."""

    host: str
    pages: int
    failures: int
    waiting: int
    delay: float
    wait: float
    blocked: str


@dataclass(frozen=True, slots=True)
class QueueHead:
    """One of the best waiting links, for the screen; `parents` is the number of links to it.

    `parent` is the URL number of the page whose link gave the priority, −1 for seeds.
    `leading_term` is the term of the strategy that raises it most, empty without one.
    """

    number: int
    url: str
    priority: float
    parent: int
    parents: int
    wait: float
    leading_term: str = ""


@dataclass(frozen=True, slots=True)
class Totals:
    """The crawl's counts. discovered = pages + failed + excluded + waiting, exactly.

    `errors` counts requests without a page by kind, including those retried: requests = pages + sum
    of `errors`.
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
class LoopLoad:
    """The time of a crawl's loop over the last ten seconds by use, and what it waits for now.

    `worked` and `committed` are shares of `seconds`, and so are those of `waited`, by what kept the
    next request from starting (`bottleneck.Hindrance`). `under_way` requests of `allowed` are out;
    `robots` hosts have to give their robots.txt first. `resting` hosts with links wait for the end
    of their delay, which is from `least_delay` to `most_delay` seconds.
    """

    seconds: float
    worked: float
    committed: float
    waited: Mapping[str, float]
    under_way: int
    allowed: int
    robots: int
    resting: int
    least_delay: float
    most_delay: float


@dataclass(frozen=True, slots=True)
class Batch:
    """The records of one transaction. `finished` is set in the last batch of a run; `load` every
    two seconds."""

    pages: tuple[PageRecord, ...]
    failures: tuple[FailureRecord, ...]
    discovered: tuple[Any, ...]
    changed: tuple[Any, ...]
    samples: tuple[SampleRecord, ...]
    events: tuple[EventRecord, ...]
    site_files: tuple[SiteFileRecord, ...]
    hosts: tuple[HostState, ...]
    head: tuple[QueueHead, ...] | None
    totals: Totals
    metrics: dict[str, float | int | None]
    finished: StopReason | None = None
    load: LoopLoad | None = None
    requests: tuple[SideRequest, ...] = ()
    robots: tuple[RobotsReading, ...] = ()
