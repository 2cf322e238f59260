"""Observations of a protocol's experiment."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.difficulty import quarters
from apps.engine.evaluation.target_recall import TargetRecall
from apps.engine.model import Floats
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import ENOUGH_TOPICS
from apps.experiments.results.values import table, values_at
from apps.papers.catalogue import PAGES, SWINGS, TELEMETRY
from apps.papers.facts import facts_of
from apps.papers.schema import PaperProtocol
from apps.papers.swings import swing_and_return
from apps.papers.tables.observed import Observed, Part, Span


def observed_of(results: Outcomes, protocol: PaperProtocol) -> Observed:
    """The measures of all cells, and the facts that the protocol asks for, under the paper's names
    of the crawlers. Raises BadCheckpoint, EngineError."""
    assert protocol.experiment is not None
    names = [*(measure.id for measure in MEASURES), *(number.id for number in TELEMETRY)]
    wanted = {*protocol.shows, *(name for claim in protocol.claims for name in claim.measures)}
    spans = {claim.during for claim in protocol.claims if claim.during}
    end = {name: table(results, name, results.design.moment) for name in names}
    return Observed(
        "topic",
        len(results.topics),
        tuple(each.name for each in protocol.experiment.crawlers),
        {**end, **_swings(results), PAGES.id: _pages(results), **facts_of(results, wanted)},
        ENOUGH_TOPICS,
        during={span: {name: _means(results, name, span) for name in names} for span in spans},
        parts=_quarters(end[TargetRecall.id][:, results.baseline]),
    )


def _means(results: Outcomes, name: str, span: Span) -> Floats:
    """The means over a stretch of the crawls, topics × crawlers."""
    grid = results.grid
    first, last = (share * results.design.pages for share in span)
    within = (grid > first) & (grid <= last)
    return values_at(results.curves(name)[:, :, within], grid[within], None).table


def _swings(results: Outcomes) -> Mapping[str, Floats]:
    swings = swing_and_return(results.curves("alpha"), results.grid)
    return {quantity.id: values for quantity, values in zip(SWINGS, swings, strict=True)}


def _pages(results: Outcomes) -> Floats:
    """How many pages each crawl fetched; one may end before its budget."""
    lengths = np.full((len(results.topics), len(results.crawlers)), np.nan)
    for index, cells in results.cells.items():
        lengths[index] = np.mean([outcome.cell.pages for outcome in cells])
    return lengths


def _quarters(recall: Floats) -> dict[Part, tuple[int, ...]]:
    """The topics in which the first crawler, Full Page, finds fewest and most targets (LC §10.2);
    none if a topic has no targets."""
    if not np.isfinite(recall).all():
        return {}
    hardest, *_, easiest = quarters({f"{index:06}": value for index, value in enumerate(recall)})
    return {"hardest": tuple(map(int, hardest)), "easiest": tuple(map(int, easiest))}
