"""The learner's weights, chosen on all webs but the one that they are measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.research.effectiveness.schema import StudyPlan
from apps.research.effectiveness.strategies.result import CrawlerRecall, WebResult
from apps.schemas.refused import Refused

ORACLE = "Oracle"
FEWEST_WEBS = 3


@dataclass(frozen=True, slots=True)
class Chosen:
    """The candidates, and which of them is chosen.

    `shares` has for each web the mean recall of each candidate as a share of the oracle's.
    `without` is the candidate that is best on all other webs, by web; `best` the one on all.
    """

    candidates: tuple[str, ...]
    shares: Mapping[str, tuple[float, ...]]
    without: Mapping[str, str]
    best: str

    def held_out(self, result: WebResult) -> CrawlerRecall:
        """The learner on a web, with the weights chosen on the others."""
        return result.crawlers[self.without[result.web]]


def choose(plan: StudyPlan, results: Sequence[WebResult]) -> Chosen:
    """Leaves out one web after the other; of equal candidates the first of the plan is chosen.

    Raises Refused with fewer than three webs, or if a web lacks a candidate.
    """
    if len(results) < FEWEST_WEBS:
        raise Refused("from", f"Weights are chosen on other webs: {FEWEST_WEBS} are needed.")
    names = tuple(each.name for each in plan.candidates)
    shares = {result.web: _shares(result, names) for result in results}
    table = np.array([*shares.values()])
    without = {web: names[_best(np.delete(table, row, axis=0))] for row, web in enumerate(shares)}
    return Chosen(names, shares, without, names[_best(table)])


def _best(table: np.ndarray) -> int:
    return int(table.mean(axis=0).argmax())


def _shares(result: WebResult, names: Sequence[str]) -> tuple[float, ...]:
    missing = [name for name in (ORACLE, *names) if name not in result.crawlers]
    if missing:
        raise Refused("from", f"{result.web} lacks {missing[0]}: run it again.")
    oracle = result.crawlers[ORACLE].values.mean()
    return tuple(float(result.crawlers[name].values.mean() / oracle) for name in names)
