"""What the experiment of a protocol observed."""

from __future__ import annotations

import numpy as np

from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.difficulty import quarters
from apps.engine.evaluation.target_recall import TargetRecall
from apps.engine.model import Floats
from apps.experiments.answers.values import table
from apps.experiments.outcomes import Outcomes
from apps.experiments.paired_tests import ENOUGH_TOPICS
from apps.experiments.protocols.catalogue import PAGES, TELEMETRY
from apps.experiments.protocols.facts import facts_of
from apps.experiments.protocols.schema import PaperProtocol
from apps.experiments.reproduce.observed import Observed, Part


def observed_of(found: Outcomes, protocol: PaperProtocol) -> Observed:
    """The measures of all cells, and the facts that the protocol asks for, under the paper's names
    of the crawlers. Raises BadCheckpoint, EngineError."""
    assert protocol.experiment is not None
    names = [each.id for each in (*MEASURES, *TELEMETRY)]
    wanted = {*protocol.shows, *(name for claim in protocol.claims for name in claim.measures)}
    end = {name: table(found, name, found.design.moment) for name in names}
    return Observed(
        "topic", len(found.topics), tuple(each.name for each in protocol.experiment.crawlers),
        {**end, PAGES.id: _pages(found), **facts_of(found, wanted)}, ENOUGH_TOPICS,
        course={name: table(found, name, None) for name in names},
        parts=_quarters(end[TargetRecall.id][:, found.baseline]),
    )


def _pages(found: Outcomes) -> Floats:
    """How many pages each crawl fetched; one may end before its budget."""
    lengths = np.full((len(found.topics), len(found.crawlers)), np.nan)
    for place, cells in found.cells.items():
        lengths[place] = np.mean([outcome.cell.pages for outcome in cells])
    return lengths


def _quarters(recall: Floats) -> dict[Part, tuple[int, ...]]:
    """The topics in which the first crawler, Full Page, finds fewest and most targets (LC §10.2);
    none if a topic has no targets."""
    if not np.isfinite(recall).all():
        return {}
    hardest, *_, easiest = quarters({f"{place:06}": value for place, value in enumerate(recall)})
    return {"hardest": tuple(map(int, hardest)), "easiest": tuple(map(int, easiest))}
