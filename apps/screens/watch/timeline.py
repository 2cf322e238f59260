"""The visits of a watch as columns, one a day: new and changed above the line, gone below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone

from apps.watches.models import Watch, WatchVisit

DAYS = 60
COLUMN, BAR = 14, 10
TOP, HEIGHT, BELOW = 18, 72, 30
"""Pixels above the columns, of the highest one, and below the line."""
LEFT = 36


@dataclass(frozen=True, slots=True)
class DayColumn:
    """The sums of a day's visits; the rest are pixels."""

    day: date
    visits: int
    new: int
    changed: int
    gone: int
    same: int
    x: int
    new_y: float
    new_height: float
    changed_y: float
    changed_height: float

    @property
    def words(self) -> str:
        """`24 November: 3 new, 1 changed, 0 gone`, or that no page was seen."""
        counts = f"{self.new} new, {self.changed} changed, {self.gone} gone"
        words = counts if self.has_seen else "no page was seen"
        return f"{self.day.day} {self.day:%B}: {words}"

    @property
    def has_seen(self) -> bool:
        """Whether its visits have seen any page; a failed one, or one that nothing answered, has
        not."""
        return bool(self.new or self.changed or self.gone or self.same)


@dataclass(frozen=True, slots=True)
class Timeline:
    """All columns; `seen_x` is where one has looked, `next_x` the next visit, None if outside."""

    columns: tuple[DayColumn, ...]
    most: int
    width: int
    zero: int
    height: int
    seen_x: int | None
    next_x: int | None
    labels: tuple[tuple[int, str], ...]

    @property
    def middle(self) -> float:
        """Where half of the highest column is."""
        return TOP + HEIGHT / 2

    @property
    def with_visits(self) -> list[DayColumn]:
        return [column for column in reversed(self.columns) if column.visits]


def timeline(watch: Watch, seen: datetime, now: datetime) -> Timeline:
    """The last 60 days, or those since the start of the watch, up to today."""
    today = timezone.localtime(now).date()
    first = max(timezone.localtime(watch.created_at).date(), today - timedelta(days=DAYS - 1))
    days = [first + timedelta(days=number) for number in range((today - first).days + 1)]
    since = now - timedelta(days=DAYS + 1)
    visits = watch.visits_made.filter(ended_at__isnull=False, began_at__gte=since)
    by_day: dict[date, list[WatchVisit]] = {day: [] for day in days}
    for visit in visits:
        by_day.setdefault(timezone.localtime(visit.ended_at).date(), []).append(visit)
    sums = [(day, _sums(by_day[day])) for day in days]
    most = max([5, *(counts[1] + counts[2] for _, counts in sums)])
    columns = tuple(_column(day, counts, number, most) for number, (day, counts) in enumerate(sums))
    upcoming = watch.next_visit_at
    return Timeline(
        columns,
        most,
        LEFT + COLUMN * (len(days) + 4),
        TOP + HEIGHT,
        TOP + HEIGHT + BELOW,
        _x_of(seen, days),
        LEFT + COLUMN * len(days) if upcoming and not watch.is_paused else None,
        _labels(days),
    )


def _sums(visits: Iterable[WatchVisit]) -> tuple[int, int, int, int, int]:
    rows = list(visits)
    return (
        len(rows),
        sum(row.new_pages for row in rows),
        sum(row.changed_pages for row in rows),
        sum(row.gone_pages for row in rows),
        sum(row.same_pages for row in rows),
    )


def _column(day: date, counts: tuple[int, int, int, int, int], number: int, most: int) -> DayColumn:
    visits, new, changed, gone, same = counts
    unit, zero = HEIGHT / most, TOP + HEIGHT
    return DayColumn(
        day,
        visits,
        new,
        changed,
        gone,
        same,
        LEFT + COLUMN * number,
        zero - unit * new,
        unit * new,
        zero - unit * (new + changed),
        unit * changed,
    )


def _x_of(seen: datetime, days: Sequence[date]) -> int | None:
    day = timezone.localtime(seen).date()
    return LEFT + COLUMN * (days.index(day) + 1) - 2 if day in days[1:] else None


def _labels(days: Sequence[date]) -> tuple[tuple[int, str], ...]:
    """A label every ten days; the first one and those of a new month name it."""
    labels = []
    for number in range(0, len(days), 10):
        day = days[number]
        is_named = number == 0 or day.month != days[number - 10].month
        words = f"{day.day} {day:%b}" if is_named else str(day.day)
        labels.append((LEFT + COLUMN * number, words))
    return tuple(labels)
