"""Crawls as rows of a table, with a sparkline for each column of the charts.

Sparklines of one column share one scale, so that they can be compared down the page; a row that is
updated later keeps the scale of its column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Max, Q
from django.utils import timezone

from apps.crawls.charts import CHARTS
from apps.crawls.charts.chart import Chart, SparklineColumn
from apps.crawls.labels.requests import ASKING, ROUNDS, answer_request
from apps.crawls.measures.estimates import shown_values
from apps.crawls.measures.samples import read_samples
from apps.crawls.models import Crawl, Sample
from apps.crawls.selectors import editable_among
from apps.engine.codes import State
from apps.figures.units import UNITS
from apps.screens.crawls.row_state import describe_state, stamp
from apps.screens.crawls.verbs import verbs_for
from apps.screens.live.page_header import PageHeader, page_header
from apps.screens.live.state_badge import StateBadge, state_badge
from apps.screens.sparkline import Sparkline, sparkline
from apps.topics.selectors import editable_topics

POINTS = 32
MOST_ASKING = 3
"""Crawls of a list whose questions are counted."""


@dataclass(frozen=True, slots=True)
class CrawlRow:
    """One crawl in a list; `sparklines` has one for each column of the charts.

    `state_words` stand beside the state; `stamp` changes whenever the row does. `verbs` are
    those of the bar that the viewer may use on it; `asks` is which answers would help now.
    """

    crawl: Crawl
    badge: StateBadge
    header: PageHeader
    sparklines: tuple[Sparkline, ...]
    state_words: str
    stamp: str
    verbs: tuple[str, ...]
    mine: bool
    may_edit: bool
    may_edit_topic: bool
    asks: str = ""

    @property
    def progress(self) -> float:
        """The share of the budget that has been fetched."""
        return self.crawl.pages / self.crawl.budget

    @property
    def under_way(self) -> bool:
        """Whether more pages will be fetched, so that a progress bar is shown."""
        return self.crawl.state in (State.RUNNING, State.STOPPING, State.PAUSED)


def crawl_rows(crawls: Sequence[Crawl], person: User, tops: Sequence[float] = ()) -> list[CrawlRow]:
    """The rows of some crawls (with topic and web), in their order; at most four queries, and
    some for the first crawls that ask for answers.

    `tops` are the upper ends of the columns' scales; without them they are computed for these
    crawls.
    """
    samples, now = _samples(crawls), timezone.now()
    listed = [(chart, column) for chart in CHARTS for column in chart.columns]
    columns = [
        _column(chart, column, crawls, samples, top)
        for (chart, column), top in zip_longest(listed, tops[: len(listed)])
    ]
    editable = editable_among(crawls, person)
    topics = _editable_topics(crawls, person)
    asks = _asks([crawl for crawl in crawls if crawl.pk in editable])
    return [
        CrawlRow(
            crawl,
            pill := state_badge(crawl),
            page_header(crawl),
            tuple(column[i] for column in columns),
            state_words=describe_state(crawl, pill.reason, now),
            stamp=stamp(crawl, now),
            verbs=verbs_for(crawl, mine=crawl.owner_id == person.pk, may_edit=crawl.pk in editable),
            mine=crawl.owner_id == person.pk,
            may_edit=crawl.pk in editable,
            may_edit_topic=crawl.topic_id in topics,
            asks=asks.get(crawl.pk, ""),
        )
        for i, crawl in enumerate(crawls)
    ]


def _asks(crawls: Sequence[Crawl]) -> dict[int, str]:
    """The label requests of the first crawls that may have one, by key."""
    asking = [crawl for crawl in crawls if crawl.state in ASKING and crawl.pages >= ROUNDS[0]]
    requests = ((crawl.pk, answer_request(crawl)) for crawl in asking[:MOST_ASKING])
    return {pk: request.words() for pk, request in requests if request}


def _editable_topics(crawls: Sequence[Crawl], person: User) -> set[int]:
    """The keys of the crawls' topics that the person may change."""
    own = {crawl.topic_id for crawl in crawls if crawl.topic.owner_id == person.pk}
    others = {crawl.topic_id for crawl in crawls} - own
    if not others:
        return own
    return own | set(editable_topics(person).filter(pk__in=others).values_list("pk", flat=True))


def tops_of(rows: Sequence[CrawlRow]) -> list[float]:
    """The upper end of each column's scale."""
    return [line.top for line in rows[0].sparklines] if rows else []


def _column(
    chart: Chart,
    column: SparklineColumn,
    crawls: Sequence[Crawl],
    samples: Mapping[int, list[Mapping[str, Any]]],
    top: float | None,
) -> list[Sparkline]:
    """One sparkline a crawl, on one scale up to `top`, or up to their maximum."""
    values = [_values(samples.get(crawl.pk, []), column) for crawl in crawls]
    largest = max((v for row in values for v in row if v), default=0.0)
    end = top or UNITS[chart.unit].ceiling(largest)
    return [_sparkline(row, end, chart, column) for row in values]


def _values(samples: Sequence[Mapping[str, Any]], column: SparklineColumn) -> list[float | None]:
    """The first value that each sample has for the column."""
    values, *others = (shown_values(samples, key) for key in column.keys)
    for further in others:
        values = [b if a is None else a for a, b in zip(values, further, strict=True)]
    return values


def _samples(crawls: Sequence[Crawl]) -> dict[int, list[Mapping[str, Any]]]:
    """About thirty samples a crawl, evenly spaced, including the last, and its measures now."""
    ids = [crawl.pk for crawl in crawls]
    counted = Sample.objects.filter(crawl__in=ids).values_list("crawl").annotate(end=Max("seq"))
    ends = dict(counted)
    wanted = Q(crawl__in=[crawl_id for crawl_id, end in ends.items() if end <= POINTS])
    for crawl_id, end in ends.items():
        if end > POINTS:
            wanted |= Q(crawl_id=crawl_id, seq__in=spaced(end))
    samples: dict[int, list[Mapping[str, Any]]] = {}
    if ends:
        rows = Sample.objects.filter(wanted).order_by("crawl_id", "seq")
        for crawl_id, metrics in read_samples(rows, "crawl_id"):
            samples.setdefault(crawl_id, []).append(metrics)
    for crawl in crawls:
        if crawl.pk in samples and crawl.metrics:
            samples[crawl.pk].append(crawl.metrics)
    return samples


def spaced(end: int, points: int = POINTS) -> list[int]:
    """Up to `points` whole numbers from 1 to `end`, evenly spaced, including both ends."""
    if end <= points:
        return list(range(1, end + 1))
    return sorted({1 + round(i * (end - 1) / (points - 1)) for i in range(points)})


def _sparkline(
    values: Sequence[float | None], top: float, chart: Chart, column: SparklineColumn
) -> Sparkline:
    latest = next((value for value in reversed(values) if value is not None), None)
    return sparkline(column.title, chart.colour, values, top, UNITS[chart.unit].write(latest))
