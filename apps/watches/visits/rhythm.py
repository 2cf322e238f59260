"""When a watch is visited next."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from croniter import croniter

from apps.watches.models import Watch

SPANS = (168, 72, 48, 24, 12, 6)
"""Hours between two visits of the adaptive rhythm."""
EVENTS = 2.0
"""New and changed pages that a visit should be worth."""


def adaptive_hours(events_a_day: float) -> int:
    """The longest span in which no more new and changed pages are expected than a visit is worth;
    six hours at least."""
    hours = 24 * EVENTS / events_a_day if events_a_day > 0 else SPANS[0]
    return next((span for span in SPANS if span <= hours), SPANS[-1])


def next_visit(watch: Watch, after: datetime) -> datetime | None:
    """The first moment of the schedule later than `after`, outside the quiet hours; None if the
    watch has ended by then."""
    return next(iter(next_visits(watch, after, 1)), None)


def next_visits(watch: Watch, after: datetime, count: int) -> list[datetime]:
    """The next `count` moments of the schedule, fewer if the watch ends before."""
    begin = max(after, watch.starts_at - timedelta(microseconds=1)) if watch.starts_at else after
    moments: list[datetime] = []
    for moment in _moments(watch, begin):
        loud = end_of_quiet(watch, moment)
        if watch.ends_at and loud > watch.ends_at:
            break
        # Several moments of the quiet hours become one visit at their end.
        if not moments or loud > moments[-1]:
            moments.append(loud)
        if len(moments) >= count:
            break
    return moments


def end_of_quiet(watch: Watch, moment: datetime) -> datetime:
    """The moment itself, or the end of the quiet hours that it lies in."""
    begin, end = watch.quiet_from, watch.quiet_until
    if begin is None or end is None or begin == end:
        return moment
    local = moment.astimezone(ZoneInfo(watch.time_zone))
    if not _is_within(local.time(), begin, end):
        return moment
    until = local.replace(
        hour=end.hour, minute=end.minute, second=end.second, microsecond=0, fold=0
    )
    if until <= local:
        until += timedelta(days=1)
    return until.astimezone(UTC)


def _is_within(moment: time, begin: time, end: time) -> bool:
    return begin <= moment < end if begin < end else moment >= begin or moment < end


def _moments(watch: Watch, after: datetime) -> Iterator[datetime]:
    if watch.rhythm == Watch.Rhythm.CRON and watch.cron:
        yield from _cron_moments(watch.cron, after.astimezone(ZoneInfo(watch.time_zone)))
        return
    step = timedelta(hours=watch.hours)
    moment = after + step
    while True:
        yield moment
        moment += step


def _cron_moments(cron: str, after: datetime) -> Iterator[datetime]:
    """The moments of an expression. Where clocks go back, a time of day that comes twice counts
    once, unless the expression is for every hour."""
    is_hourly = "*" in cron.split()[1]
    last: datetime | None = None
    for moment in croniter(cron, after, ret_type=datetime):
        wall = moment.replace(tzinfo=None)
        if is_hourly or wall != last:
            yield moment.astimezone(UTC)
        last = wall
