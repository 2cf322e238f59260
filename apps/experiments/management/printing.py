"""Outcomes of experiments and protocols on stdout."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from apps.experiments.answers.choice import choose
from apps.experiments.answers.plain import as_dict
from apps.experiments.models import Experiment
from apps.experiments.outcomes import Outcomes, outcomes
from apps.experiments.protocols.catalogue import quantities
from apps.experiments.protocols.result import ProtocolResult
from apps.experiments.protocols.schema import PaperProtocol
from apps.experiments.protocols.words import (
    compared_words,
    found_words,
    mean_words,
    tested_words,
    verdict_words,
)
from apps.experiments.summaries import cell_summary, summary
from apps.figures.quantities import NOTHING, probability


def as_json(experiment: Experiment) -> str:
    """Experiment, cells and results as one JSON object."""
    found = outcomes(experiment)
    cells = experiment.cells.select_related("topic", "crawler")
    plain = {**summary(experiment), "cells": [cell_summary(cell) for cell in cells],
             "results": as_dict(found, choose(found))}
    return json.dumps(plain, ensure_ascii=False, indent=1)


def as_text(experiment: Experiment) -> str:
    """The sentences, a line for each crawler, and the cells that failed."""
    return "\n".join(_lines(experiment, outcomes(experiment)))


def _lines(experiment: Experiment, found: Outcomes) -> Iterator[str]:
    plain = as_dict(found, choose(found))
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
    return (f"{_number(value['mean'], '.4f'):>8} {_number(value['standard_error'], '.4f'):>7}"
            f" {value['topics']:>6} {difference:>10} {holm:>8}")


def _number(value: float | None, form: str) -> str:
    return NOTHING if value is None else format(value, form)


def protocol_text(protocol: PaperProtocol, result: ProtocolResult) -> str:
    """The means of a protocol's crawlers, then its claims with what was found."""
    return "\n".join([*_means(protocol, result), *_claims(protocol, result)])


def _means(protocol: PaperProtocol, result: ProtocolResult) -> Iterator[str]:
    known = quantities(protocol)
    for name, means in result.means.items():
        yield f"{known[name].title}, mean ± half of its 95 % interval"
        yield from (f"  {mean.crawler:40} {mean_words(mean, known[name])}" for mean in means)
        yield ""


def _claims(protocol: PaperProtocol, result: ProtocolResult) -> Iterator[str]:
    known = quantities(protocol)
    for claim in protocol.claims:
        yield f"{claim.says} ({claim.where}; the paper: {claim.published})"
        for found in (each for each in result.findings if each.claim == claim.id):
            ours = ""
            if found.value is not None:
                quantity = known[found.measure]
                compared = compared_words(found, quantity, claim)
                ours = (f"{compared}: {found_words(found, quantity, claim.relative)}"
                        f"{tested_words(found)}: ")
            yield f"  {ours}{verdict_words(found, result.case)}"
