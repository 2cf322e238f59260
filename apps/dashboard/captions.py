"""What stands above, inside and in place of each plot: latest value, legend, summary, emptiness."""

from __future__ import annotations

from dataclasses import dataclass

from apps.crawls.models import Crawl
from apps.dashboard.charts import CHARTS, Chart, Line
from apps.dashboard.quantities import NOTHING, count, score, share
from apps.dashboard.trajectory import Trajectory
from apps.topics.provenance import status_source

FORMATS = {"share": share, "score": score, "log": score}


@dataclass(frozen=True, slots=True)
class Caption:
    """The words of one chart.

    `lines` are the traces with anything to show; `latest` the newest value, `beside` what stands
    by it. `empty` is the sentence inside the axes while there is nothing to draw, with `empty_more`
    under it; `add_targets` asks for a link to the topic. `summary` reads the chart aloud. `source`
    says where the numbers come from, where they are not the crawl's own.
    """

    chart: Chart
    lines: tuple[Line, ...]
    latest: str
    beside: str
    empty: str
    empty_more: str
    add_targets: bool
    summary: str
    source: str = ""


def captions(crawl: Crawl, trajectory: Trajectory) -> dict[str, Caption]:
    """By chart id."""
    return {chart.id: _caption(chart, crawl, trajectory) for chart in CHARTS}


def _caption(chart: Chart, crawl: Crawl, trajectory: Trajectory) -> Caption:
    known = tuple(line for line in chart.lines if trajectory.known(line.key))
    empty, more = ("", "") if known else _emptiness(chart, crawl, trajectory)
    latest = _latest(chart, known, trajectory)
    return Caption(
        chart=chart,
        lines=known or (chart.main,),
        latest=latest,
        beside=_beside(chart, trajectory),
        empty=empty,
        empty_more=more,
        add_targets=chart.id == "recall" and bool(empty) and trajectory.seq > 0,
        summary=_summary(chart, known, latest, empty, trajectory),
        source=status_source(crawl.sources) if chart.id == "status" else "",
    )


def _latest(chart: Chart, known: tuple[Line, ...], trajectory: Trajectory) -> str:
    solid = [line for line in known if line.style != "faint" and line.key != "delta"]
    if not solid:
        return ""
    return FORMATS[chart.unit](trajectory.latest.get(solid[0].key))


def _beside(chart: Chart, trajectory: Trajectory) -> str:
    latest = trajectory.latest
    if chart.id == "recall" and latest.get("targets"):
        return f"{count(latest.get('targets_found'))} of {count(latest['targets'])}"
    if chart.id == "alpha" and trajectory.seq and not trajectory.known("alpha"):
        return "this strategy has no α"
    return ""


def _emptiness(chart: Chart, crawl: Crawl, trajectory: Trajectory) -> tuple[str, str]:
    if trajectory.seq == 0:
        fetched = f"{count(crawl.pages)} fetched" if crawl.pages else "none fetched yet"
        return "First point after 10 pages", fetched
    return {
        "harvest": ("No judge: the topic has no examples", "Add examples to measure it"),
        "recall": ("No targets on this topic", ""),
        "status": ("No status: no in-link counts and no status model", ""),
        "alpha": ("This strategy has no α", ""),
    }[chart.id]


def _summary(
    chart: Chart, known: tuple[Line, ...], latest: str, empty: str, trajectory: Trajectory
) -> str:
    if not known:
        return f"{chart.title}: {empty}."
    say = FORMATS[chart.unit]
    parts = []
    for line in known:
        bounds = trajectory.bounds(line.key)
        value = say(trajectory.latest.get(line.key))
        low, high = (say(bound) for bound in bounds) if bounds else (NOTHING, NOTHING)
        parts.append(f"{line.label} {value}, between {low} and {high}")
    return f"{chart.title} after {count(trajectory.pages[-1])} pages: {'; '.join(parts)}."
