"""Whether a mixture does much worse than its best member, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.experiments.results.paired_tests import LEVEL
from apps.figures.quantities import number_of, probability, signed
from apps.research.effectiveness.strategies.result import CrawlerRecall, WebResult
from apps.research.markdown import render, table

LEARNER = "Learner"
MEMBERS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "Experts": (
            LEARNER,
            "Breadth-first",
            "Full page, parents max",
            "Text window combo, β 0.25, parents max",
        ),
        "Host Thompson": ("Full page, parents max",),
    }
)
"""The crawlers that a mixture is made of, at the defaults of both."""


def mixtures_section(results: Sequence[WebResult], learner: str) -> str:
    """The section, or nothing if no mixture was run; `learner` is the candidate with the learner's
    own weights."""
    run = [(name, result) for name in MEMBERS for result in results if name in result.crawlers]
    if not run:
        return ""
    pairs = [(result.crawlers[name], *_best(name, result, learner)) for name, result in run]
    corrected = holm([paired_t_test(mine.recall, best.recall).p for mine, _, best in pairs])
    head = [
        "mixture",
        "web",
        "recall",
        "its best member",
        "× it",
        "worst topic",
        "better, worse on topics",
        "p",
    ]
    rows = [
        _row(name, result.web, *pair, p)
        for (name, result), pair, p in zip(run, pairs, corrected, strict=True)
    ]
    return render(
        "effectiveness/mixtures.md",
        table=table(head, rows),
        mixtures=[_over_webs(name, run, pairs, corrected) for name in dict(run)],
    )


def _best(name: str, result: WebResult, learner: str) -> tuple[str, CrawlerRecall]:
    """The member with the highest mean recall, and its recall."""
    members = {
        member: result.crawlers[learner if member == LEARNER else member]
        for member in MEMBERS[name]
    }
    best = max(members, key=lambda member: float(members[member].values.mean()))
    return best, members[best]


def _row(
    name: str, web: str, mine: CrawlerRecall, member: str, best: CrawlerRecall, p: float | None
) -> list[str]:
    better, worse = wins(mine.recall, best.recall)
    loss = float(np.min(mine.values - best.values))
    return [
        name,
        web,
        f"{mine.values.mean():.3f}",
        f"{best.values.mean():.3f} ({member})",
        f"{_ratio(mine, best):.2f}",
        signed(min(loss, 0.0), 3),
        f"{better}, {worse}",
        probability(p),
    ]


def _over_webs(
    name: str,
    run: Sequence[tuple[str, WebResult]],
    pairs: Sequence[tuple[CrawlerRecall, str, CrawlerRecall]],
    corrected: Sequence[float | None],
) -> Mapping[str, Any]:
    """How a mixture did over all webs."""
    mine = [
        (result.web, _ratio(mixed, best), p)
        for (mixture, result), (mixed, _, best), p in zip(run, pairs, corrected, strict=True)
        if mixture == name
    ]
    web, least, _ = min(mine, key=lambda row: row[1])
    worse = [web for web, ratio, p in mine if ratio < 1 and p is not None and p < LEVEL]
    return {
        "name": name,
        "least": least,
        "web": web,
        "worse": worse,
        "webs": number_of(len(mine), "web"),
    }


def _ratio(mine: CrawlerRecall, best: CrawlerRecall) -> float:
    return float(mine.values.mean() / best.values.mean())
