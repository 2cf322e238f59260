"""A comparison as files for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from apps.experiments.results.crawls.comparison import CrawlComparison
from apps.exports.csv import CsvLines

CURVES = ("crawl", "label", "measure", "pages", "active_minutes", "value")
MEASURES = (
    "crawl",
    "label",
    "topic",
    "strategy",
    "measure",
    "unit",
    "comparable",
    "final",
    "best",
    "best_at",
    "area",
    "area_from",
    "area_to",
    "axis",
    "common_pages",
    "at_common",
    "difference",
)


def curves(compared: CrawlComparison) -> Iterator[bytes]:
    """Every sample of every measure, one line each, unthinned."""
    lines = CsvLines(CURVES)
    yield lines.heading()
    for crawl, label, course in zip(
        compared.crawls, compared.labels, compared.courses, strict=True
    ):
        for row in compared.rows:
            values = course.values[row.measure.id]
            for sample in np.flatnonzero(~np.isnan(values)):
                minutes = float(course.minutes[sample])
                yield lines.line(
                    {
                        "crawl": crawl.pk,
                        "label": label,
                        "measure": row.measure.id,
                        "pages": int(course.pages[sample]),
                        "value": float(values[sample]),
                        "active_minutes": None if np.isnan(minutes) else round(minutes, 4),
                    }
                )


def measures(compared: CrawlComparison) -> Iterator[bytes]:
    """A line for each measure and crawl, unrounded."""
    lines = CsvLines(MEASURES)
    yield lines.heading()
    for row in compared.rows:
        start, end = row.span or (None, None)
        for crawl, label, cell in zip(compared.crawls, compared.labels, row.cells, strict=True):
            line: Mapping[str, Any] = {
                "crawl": crawl.pk,
                "label": label,
                "topic": crawl.topic.name,
                "strategy": crawl.strategy,
                "measure": row.measure.id,
                "unit": row.measure.unit,
                "comparable": row.comparable,
                "area_from": start,
                "area_to": end,
                "axis": compared.axis.value,
                "common_pages": compared.common,
                "final": cell and cell.final,
                "best": cell and cell.best and cell.best.value,
                "best_at": cell and cell.best and cell.best.at,
                "area": cell and cell.area,
                "at_common": cell and cell.at_common,
                "difference": cell and cell.difference,
            }
            yield lines.line(line)
