"""Crawls as rows of a table, with a sparkline for each listed chart.

Sparklines of one column share one scale, so that they can be compared down the page; a row that is
updated later keeps the scale of its column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from apps.crawls.charts import CHARTS
from apps.crawls.charts.chart import Chart
from apps.crawls.models import Crawl, Sample
from apps.crawls.selectors import editable_crawls
from apps.engine.codes import State
from apps.figures.units import UNITS
from apps.screens.crawls.row_state import said, stamp
from apps.screens.crawls.verbs import verbs_for
from apps.screens.live.page_header import PageHeader, page_header
from apps.screens.live.state_badge import StateBadge, state_badge
from apps.screens.sparkline import Sparkline, sparkline
from apps.topics.selectors import editable_topics

POINTS = 32


@dataclass(frozen=True, slots=True)
class CrawlRow:
    """One crawl in a list; `sparklines` has one for each listed chart.

    `said` are the words beside the state; `stamp` changes whenever the row does. `verbs` are those
    of the bar that the viewer may use on it.
    """

    crawl: Crawl
    badge: StateBadge
    header: PageHeader
    sparklines: tuple[Sparkline, ...]
    said: str
    stamp: str
    verbs: tuple[str, ...]
    mine: bool
    may_edit: bool
    may_edit_topic: bool

    @property
    def done(self) -> float:
        """The share of the budget that has been fetched."""
        return self.crawl.pages / self.crawl.budget

    @property
    def under_way(self) -> bool:
        """Whether more pages will be fetched, so that a progress bar is shown."""
        return self.crawl.state in (State.RUNNING, State.STOPPING, State.PAUSED)


def crawl_rows(
    crawls: Sequence[Crawl], person: AbstractUser, tops: Sequence[float] = ()
) -> list[CrawlRow]:
    """The rows of some crawls (with topic and web), in their order; four queries in all.

    `tops` are the upper ends of the columns' scales; without them they are computed for these
    crawls.
    """
    samples, now = _samples(crawls), timezone.now()
    charts = [chart for chart in CHARTS if chart.listed]
    columns = [_column(chart, crawls, samples, top)
               for chart, top in zip_longest(charts, tops[: len(charts)])]
    editable = _keys(editable_crawls(person).filter(pk__in=[crawl.pk for crawl in crawls]))
    topics = _keys(editable_topics(person).filter(pk__in={crawl.topic_id for crawl in crawls}))
    return [
        CrawlRow(
            crawl, pill := state_badge(crawl), page_header(crawl),
            tuple(column[i] for column in columns),
            said=said(crawl, pill.reason, now), stamp=stamp(crawl, now),
            verbs=verbs_for(crawl, mine=crawl.owner_id == person.pk, may_edit=crawl.pk in editable),
            mine=crawl.owner_id == person.pk, may_edit=crawl.pk in editable,
            may_edit_topic=crawl.topic_id in topics,
        )
        for i, crawl in enumerate(crawls)
    ]  # fmt: skip


def _keys(rows: QuerySet[Any]) -> set[int]:
    return set(rows.values_list("pk", flat=True))


def tops_of(rows: Sequence[CrawlRow]) -> list[float]:
    """The upper end of each column's scale."""
    return [line.top for line in rows[0].sparklines] if rows else []


def _column(
    chart: Chart,
    crawls: Sequence[Crawl],
    samples: Mapping[int, list[Mapping[str, Any]]],
    top: float | None,
) -> list[Sparkline]:
    """One sparkline a crawl, on one scale up to `top`, or up to their maximum."""
    keys = [line.key for line in chart.lines if line.spec.style != "faint"]
    values = [[_first(metrics, keys) for metrics in samples.get(crawl.pk, [])] for crawl in crawls]
    largest = max((v for row in values for v in row if v), default=0.0)
    end = top or UNITS[chart.unit].ceiling(largest)
    return [_sparkline(row, end, chart) for row in values]


def _first(metrics: Mapping[str, Any], keys: Sequence[str]) -> float | None:
    """The first known value of the chart."""
    return next((metrics[key] for key in keys if metrics.get(key) is not None), None)


def _samples(crawls: Sequence[Crawl]) -> dict[int, list[Mapping[str, Any]]]:
    """About thirty samples a crawl, evenly spaced, including the last, and its measures now."""
    ids = [crawl.pk for crawl in crawls]
    ends = Sample.objects.filter(crawl__in=ids).values_list("crawl").annotate(end=Max("seq"))
    wanted = Q()
    for crawl_id, end in ends:
        wanted |= Q(crawl_id=crawl_id, seq__in=spaced(end))
    found: dict[int, list[Mapping[str, Any]]] = {}
    if wanted:
        rows = Sample.objects.filter(wanted).order_by("crawl_id", "seq")
        for crawl_id, metrics in rows.values_list("crawl_id", "metrics"):
            found.setdefault(crawl_id, []).append(metrics)
    for crawl in crawls:
        if crawl.pk in found and crawl.metrics:
            found[crawl.pk].append(crawl.metrics)
    return found


def spaced(end: int, points: int = POINTS) -> list[int]:
    """Up to `points` whole numbers from 1 to `end`, evenly spaced, including both ends."""
    if end <= points:
        return list(range(1, end + 1))
    return sorted({1 + round(i * (end - 1) / (points - 1)) for i in range(points)})


def _sparkline(values: Sequence[float | None], top: float, chart: Chart) -> Sparkline:
    latest = next((value for value in reversed(values) if value is not None), None)
    return sparkline(chart.title, chart.colour, values, top, UNITS[chart.unit].say(latest))
