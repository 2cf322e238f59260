"""The texts of each plot: latest value, legend, summary, and the message if it is empty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from apps.crawls.charts import CHARTS
from apps.crawls.charts.chart import Chart
from apps.crawls.measures.curves import ChartLine
from apps.crawls.measures.estimates import shown_value
from apps.crawls.models import Crawl
from apps.engine.evaluation import BY_ID
from apps.figures.quantities import NOTHING, count
from apps.figures.traces import Curve
from apps.figures.units import UNITS
from apps.screens.live.trajectory import LiveTrajectory


@dataclass(frozen=True, slots=True)
class Caption:
    """The texts of one chart.

    `curves` are those with values; `latest` the newest value, `beside` the text next to it. `empty`
    is the sentence inside the axes while there is nothing to draw, with `empty_more` or a `remedy`
    under it. `summary` is a text alternative for screen readers. `note` says where the values come
    from or are heading; `about` is the address of the help.
    """

    chart: Chart
    title: str
    curves: tuple[Curve, ...]
    latest: str
    beside: str
    empty: str
    empty_more: str
    remedy: str
    summary: str
    note: str
    about: str


def captions(crawl: Crawl, trajectory: LiveTrajectory) -> dict[str, Caption]:
    """The captions by chart id."""
    return {chart.id: _caption(chart, crawl, trajectory) for chart in CHARTS}


def _caption(chart: Chart, crawl: Crawl, trajectory: LiveTrajectory) -> Caption:
    lines = tuple(line for line in chart.lines if trajectory.has(line.key))
    empty, more = ("", "") if lines else _emptiness(chart, crawl, trajectory)
    now = crawl.metrics or trajectory.latest
    title = _title(chart, lines)
    return Caption(
        chart=chart,
        title=title,
        curves=tuple(line.curve() for line in lines or chart.lines[:1]),
        latest=_latest(chart, lines, now),
        beside=chart.beside(now),
        empty=empty,
        empty_more=more,
        remedy=chart.remedy if empty and trajectory.seq else "",
        summary=_summary(chart, title, lines, empty, trajectory),
        note=chart.note(crawl, trajectory),
        about=about(chart),
    )


def _title(chart: Chart, lines: tuple[ChartLine, ...]) -> str:
    """The title for the curves that have values."""
    return chart.titles.get(lines[0].key, chart.title) if lines else chart.title


def about(chart: Chart) -> str:
    """The address of the chart's help: its main measure's, else the vocabulary's."""
    main = chart.main
    if main is not None and main.key in BY_ID:
        return reverse("help:measure", args=[main.key])
    return f"{reverse('help:vocabulary')}#chart-{chart.id}"


def _latest(chart: Chart, lines: tuple[ChartLine, ...], metrics: Mapping[str, Any]) -> str:
    plain = [line for line in lines if line.spec.style != "faint"]
    return UNITS[chart.unit].write(shown_value(metrics, plain[0].key)) if plain else ""


def _emptiness(chart: Chart, crawl: Crawl, trajectory: LiveTrajectory) -> tuple[str, str]:
    if trajectory.seq:
        return chart.empty, ""
    fetched = f"{count(crawl.pages)} fetched" if crawl.pages else "none fetched yet"
    return "First point after 10 pages", fetched


def _summary(
    chart: Chart, title: str, lines: tuple[ChartLine, ...], empty: str, trajectory: LiveTrajectory
) -> str:
    if not lines:
        return f"{title}: {empty}."
    write = UNITS[chart.unit].write
    parts = []
    for line in lines:
        bounds = trajectory.bounds(line.key)
        value = write(shown_value(trajectory.latest, line.key))
        low, high = (write(bound) for bound in bounds) if bounds else (NOTHING, NOTHING)
        parts.append(f"{line.label} {value}, between {low} and {high}")
    return f"{title} after {count(trajectory.pages[-1])} pages: {'; '.join(parts)}."
