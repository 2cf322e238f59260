"""Crawls as rows of a table, with a sparkline for each measure.

Sparklines of one column share one scale, so that they can be compared down the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Q

from apps.crawls.models import Crawl, Sample
from apps.dashboard.about import About, about
from apps.dashboard.quantities import NOTHING, score, share
from apps.dashboard.standing import Standing, standing

POINTS = 32
WIDTH, HEIGHT = 96.0, 22.0


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A line of `WIDTH` × `HEIGHT`: `points` for an SVG polyline, where it ends, its value."""

    points: str
    end_x: float
    end_y: float
    latest: str
    colour: str


@dataclass(frozen=True, slots=True)
class CrawlRow:
    """One crawl in a list."""

    crawl: Crawl
    standing: Standing
    about: About
    harvest: Sparkline
    recall: Sparkline
    status: Sparkline

    @property
    def done(self) -> float:
        """The share of the budget that has been fetched."""
        return self.crawl.pages / self.crawl.budget


def crawl_rows(crawls: Sequence[Crawl]) -> list[CrawlRow]:
    """The rows of some crawls (with topic and web), in their order; two queries in all."""
    samples = _samples(crawls)
    most = max([4.0, *(v for metrics in samples.values() for m in metrics if (v := _status(m)))])
    return [_row(crawl, samples.get(crawl.pk, []), most) for crawl in crawls]


def _row(crawl: Crawl, metrics: Sequence[Mapping[str, Any]], most_status: float) -> CrawlRow:
    return CrawlRow(
        crawl=crawl,
        standing=standing(crawl),
        about=about(crawl),
        harvest=_sparkline([m.get("harvest_rate") for m in metrics], 1.0, share, "harvest"),
        recall=_sparkline([m.get("target_recall") for m in metrics], 1.0, share, "recall"),
        status=_sparkline([_status(m) for m in metrics], most_status, score, "status"),
    )


def _status(metrics: Mapping[str, Any]) -> float | None:
    """Average status where in-links are counted, else as the model estimates it."""
    counted = metrics.get("average_status")
    return metrics.get("average_status_estimated") if counted is None else counted


def _samples(crawls: Sequence[Crawl]) -> dict[int, list[Mapping[str, Any]]]:
    """Some thirty samples a crawl, evenly spaced, the last one included."""
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
    return found


def spaced(end: int, points: int = POINTS) -> list[int]:
    """Up to `points` whole numbers from 1 to `end`, evenly spaced, both ends among them."""
    if end <= points:
        return list(range(1, end + 1))
    return sorted({1 + round(i * (end - 1) / (points - 1)) for i in range(points)})


def _sparkline(values: Sequence[float | None], top: float, say: Any, colour: str) -> Sparkline:
    known = [(i, v) for i, v in enumerate(values) if v is not None]
    if not known:
        return Sparkline("", 0, 0, NOTHING, colour)
    step = (WIDTH - 4) / max(1, len(values) - 1)
    places = [(2 + i * step, HEIGHT - 3 - (HEIGHT - 6) * min(1.0, v / top)) for i, v in known]
    return Sparkline(
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        end_x=round(places[-1][0], 1),
        end_y=round(places[-1][1], 1),
        latest=say(known[-1][1]),
        colour=colour,
    )
