"""Outcomes of experiments that never ran, made of numbers: no database, no files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from apps.engine.intelligence.strategies import strategy
from apps.experiments.cells.result import (
    FLAGS,
    FLOATS,
    LONGS,
    UNKNOWN,
    CellResult,
    Pages,
    Samples,
)
from apps.experiments.design.schema import Design
from apps.experiments.models import Cell, Experiment, ExperimentCrawler, ExperimentTopic
from apps.experiments.results.outcomes import Outcome, Outcomes

CrawlerGiven = str | tuple[str, Mapping[str, Any]]
Measured = Mapping[str, Sequence[float]]


def made(
    crawlers: Sequence[CrawlerGiven] = ("full_page", "breadth_first"),
    topics: Sequence[str] = ("ants", "bees"),
    values: Mapping[tuple[int, int], Measured | Sequence[Measured]] | None = None,
    pages: Mapping[tuple[int, int], Pages] | None = None,
    *,
    every: int = 10,
    budget: int = 0,
    **design: Any,
) -> Outcomes:
    """Outcomes with a cell for each (topic, crawler) that has values or pages.

    `crawlers` are strategies, or strategies with some of their parameters; their labels are
    “Title” or “Title, parameter value”. `values` has the samples of each measure, one every `every`
    pages; a list of such has one for each repetition. The budget is that of the longest cell,
    unless given.
    """
    pages = pages or {}
    samples = {
        key: [measured] if isinstance(measured, Mapping) else [*measured]
        for key, measured in (values or {}).items()
    }
    longest = max(
        [
            every * len(column)
            for cells in samples.values()
            for measured in cells
            for column in measured.values()
        ]
        + [len(each) for each in pages.values()]
        + [every]
    )
    experiment = Experiment(pk=1, name="made")
    built = [_crawler(position, given) for position, given in enumerate(crawlers, 1)]
    rows = [
        ExperimentTopic(pk=position, position=position, name=name)
        for position, name in enumerate(topics, 1)
    ]
    cells = {
        key: tuple(
            _outcome(key, measured, pages.get(key), every, repetition)
            for repetition, measured in enumerate(samples.get(key, [{}]), 1)
        )
        for key in sorted({*samples, *pages})
    }
    messages = Design.read(
        {
            "name": "made",
            "web": "meadow",
            "topics": [*topics],
            "pages": max(budget or longest, 10),
            "crawlers": [
                {"strategy": each.strategy, "parameters": each.parameters} for each in built
            ],
            **design,
        }
    )
    return Outcomes(experiment, messages, rows, built, cells, [""] * len(rows))


def with_reports(
    results: Outcomes, reports: Mapping[tuple[int, int], Mapping[str, Sequence[float]]]
) -> Outcomes:
    """The outcomes, with what the strategies of some cells noted."""
    for key, noted in reports.items():
        for cell in results.cells[key]:
            arrays = {name: np.array(values, np.float64) for name, values in noted.items()}
            cell.__dict__["result"] = replace(cell.result, report=arrays)
    return results


def made_pages(urls: Sequence[str], **columns: Sequence[float]) -> Pages:
    """The pages of a cell with some of their columns; the others are unknown."""
    size = len(urls)
    unknown = {name: np.full(size, np.nan) for name in FLOATS} | {
        name: np.full(size, UNKNOWN, np.int64) for name in LONGS
    }
    numbers = {name: _column(columns.get(name), array) for name, array in unknown.items()}
    flags = {name: _column(columns.get(name), np.full(size, UNKNOWN, np.int8)) for name in FLAGS}
    return Pages(tuple(urls), numbers, flags)


def _column(given: Sequence[float] | None, unknown: np.ndarray) -> np.ndarray:
    return unknown if given is None else np.array(given, unknown.dtype)


def _crawler(position: int, given: CrawlerGiven) -> ExperimentCrawler:
    id, parameters = (given, {}) if isinstance(given, str) else given
    built = strategy(id).build(dict(parameters))
    label = ", ".join([built.title, *(f"{name} {value}" for name, value in parameters.items())])
    return ExperimentCrawler(
        pk=position, position=position, strategy=id, parameters=built.values(), label=label
    )


def _outcome(
    key: tuple[int, int], values: Measured, pages: Pages | None, every: int, repetition: int
) -> Outcome:
    samples = max((len(column) for column in values.values()), default=0)
    at = np.arange(every, every * samples + 1, every, dtype=np.int64)
    arrays = {name: np.array(column, np.float64) for name, column in values.items()}
    urls = [f"http://made.test/{n}" for n in range(every * samples)]
    topic, crawler = key
    cell = Cell(
        repetition=repetition,
        job_state=Cell.State.DONE,
        random_seed=repetition,
        pages=len(pages) if pages else every * samples,
    )
    outcome = Outcome(cell, topic, crawler)
    # What a cell found is read from its file; here there is none.
    outcome.__dict__["result"] = CellResult(pages or made_pages(urls), at, arrays)
    outcome.__dict__["samples"] = Samples(at, arrays)
    return outcome
