"""Outcomes of experiments on stdout."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from apps.experiments.models import Experiment
from apps.experiments.results.choice import choose
from apps.experiments.results.outcomes import Outcomes, outcomes
from apps.experiments.results.plain import as_dict
from apps.experiments.summaries import cell_summary, summary
from apps.figures.quantities import NOTHING, probability


def as_json(experiment: Experiment) -> str:
    """Experiment, cells and results as one JSON object."""
    results = outcomes(experiment)
    cells = experiment.cells.select_related("topic", "crawler")
    plain = {
        **summary(experiment),
        "cells": [cell_summary(cell) for cell in cells],
        "results": as_dict(results, choose(results)),
    }
    return json.dumps(plain, ensure_ascii=False, indent=1)


def as_text(experiment: Experiment) -> str:
    """The sentences, a line for each crawler, and the cells that failed."""
    return "\n".join(_lines(experiment, outcomes(experiment)))


def _lines(experiment: Experiment, results: Outcomes) -> Iterator[str]:
    plain = as_dict(results, choose(results))
    yield f"Experiment {experiment.pk}, {experiment.name}: {experiment.state}"
    yield from filter(None, (plain["sentence"], plain["more"]))
    yield ""
    width = max(len(row["crawler"]) for row in plain["crawlers"])
    head = f"{'mean':>8} {'± SE':>7} {'topics':>6} {'difference':>10} {'p, Holm':>8}"
    yield f"{'':{width}} {head}  {plain['measure']}"
    for row in plain["crawlers"]:
        yield f"{row['crawler']:{width}} {_figures(row)}  {row['words']}"
    yield from (f"- {each['claim']}: {each['why']}" for each in plain["limits"])
    yield from (f"- {note}" for note in plain["notes"])
    failed = experiment.cells.filter(job_state="failed").select_related("topic", "crawler")
    yield from (f"- {cell} failed: {cell.job_problem}" for cell in failed)


def _figures(row: dict[str, Any]) -> str:
    value, test = row["value"], row["test"]
    difference = NOTHING if test is None else _number(test["difference"], "+.4f")
    holm = NOTHING if test is None else probability(test["holm"])
    return (
        f"{_number(value['mean'], '.4f'):>8} {_number(value['standard_error'], '.4f'):>7}"
        f" {value['topics']:>6} {difference:>10} {holm:>8}"
    )


def _number(value: float | None, form: str) -> str:
    return NOTHING if value is None else format(value, form)
