"""Everything the live page of a crawl shows, read at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from apps.crawls.commands.catalogue import letters
from apps.crawls.measures.samples import read_samples
from apps.crawls.models import Crawl, Event, HostRecord, Page, Sample
from apps.screens.live.trajectory import LiveTrajectory

PAGES_SHOWN = 20
EVENTS_SHOWN = 8
HOSTS_SHOWN = 10
QUEUE_SHOWN = 12
# Columns of a crawl that change when there is anything new; the first grows with every commit.
SIGNATURE = (
    "commits",
    "state",
    "reason",
    "reason_details",
    "desired",
    "budget",
    "parameters",
    "runner",
)


@dataclass(frozen=True, slots=True)
class HostCounts:
    """The hosts with the most pages, and the number of hosts in each state."""

    most: Sequence[HostRecord] = ()
    total: int = 0
    free: int = 0
    blocking: int = 0


@dataclass(frozen=True, slots=True)
class LiveState:
    """A crawl as last read. `pages` and `events` are the newest ones, newest first."""

    crawl: Crawl
    at: datetime
    trajectory: LiveTrajectory = field(default_factory=LiveTrajectory)
    pages: Sequence[Page] = ()
    events: Sequence[Event] = ()
    marks: Sequence[Event] = ()
    events_count: int = 0
    hosts: HostCounts = HostCounts()

    @property
    def newest_page(self) -> int:
        return self.pages[0].seq if self.pages else 0


def signature(crawl_id: int) -> tuple[object, ...] | None:
    """A value that changes whenever the page has something new to show; None if the crawl is
    gone."""
    return Crawl.objects.filter(pk=crawl_id).values_list(*SIGNATURE).first()


def read(crawl_id: int, earlier: LiveState | None = None) -> LiveState | None:
    """The crawl now, or None if it is gone; only what `earlier` lacks is fetched."""
    crawl = Crawl.objects.select_related("topic", "web", "owner").filter(pk=crawl_id).first()
    return None if crawl is None else read_state(crawl, earlier)


def read_state(crawl: Crawl, earlier: LiveState | None = None) -> LiveState:
    """The state of a crawl whose own row has just been read, so that everything its last commit
    wrote is there; only what `earlier` lacks is fetched."""
    now = timezone.now()
    events = list(_events(crawl)[:EVENTS_SHOWN])
    return LiveState(
        crawl=crawl,
        at=now,
        trajectory=_trajectory(crawl, earlier),
        pages=_pages(crawl, earlier),
        events=events,
        marks=_marks(crawl),
        events_count=events[0].seq if events else 0,
        hosts=_hosts(crawl, now),
    )


def _trajectory(crawl: Crawl, earlier: LiveState | None) -> LiveTrajectory:
    trajectory = earlier.trajectory if earlier else LiveTrajectory()
    samples = Sample.objects.filter(crawl=crawl, seq__gt=trajectory.seq).order_by("seq")
    trajectory.extend(read_samples(samples, "seq", "pages"))
    return trajectory


def _pages(crawl: Crawl, earlier: LiveState | None) -> Sequence[Page]:
    last = earlier.newest_page if earlier else 0
    new = list(Page.objects.filter(crawl=crawl, seq__gt=last).order_by("-seq")[:PAGES_SHOWN])
    shown_before = list(earlier.pages) if earlier else []
    return (new + shown_before)[:PAGES_SHOWN]


def _events(crawl: Crawl) -> QuerySet[Event]:
    return Event.objects.filter(crawl=crawl).select_related("by").order_by("-seq")


def _marks(crawl: Crawl) -> Sequence[Event]:
    return list(_events(crawl).filter(kind__in=letters()).order_by("seq"))


def _hosts(crawl: Crawl, now: datetime) -> HostCounts:
    records = HostRecord.objects.filter(crawl=crawl)
    free = Q(next_allowed__isnull=True) | Q(next_allowed__lte=now)
    counts = records.aggregate(
        total=Count("pk"),
        free=Count("pk", filter=Q(free, waiting__gt=0, excluded=False, blocked="")),
        blocking=Count("pk", filter=~Q(blocked="")),
    )
    most = records.order_by("-pages", F("waiting").desc(), "host")[:HOSTS_SHOWN]
    return HostCounts(list(most), **counts)
