"""Status at equal topicality, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.figures.quantities import NOTHING, probability, signed
from apps.research.effectiveness.status.result import CrawlerStatus, StatusResult
from apps.research.effectiveness.status.study import FULL_PAGE, ORACLE, STATUS_LEARNER
from apps.research.markdown import render, table

Measure = Literal["harvest", "status"]

LEAST_GAIN, LEAST_HARVEST = 0.1, 0.9
"""What the status learner is held to: so much more mean ln(1 + in-links) than Full Page, at so
large a share of its harvest."""


@dataclass(frozen=True, slots=True)
class _Against:
    """A crawler against Full Page on a web."""

    name: str
    crawler: CrawlerStatus
    base: CrawlerStatus
    p: Mapping[Measure, float | None]

    @property
    def gain(self) -> float:
        """How much higher its status is."""
        return _mean(self.crawler.status) - _mean(self.base.status)

    @property
    def harvest(self) -> float:
        """Its harvest as a share of Full Page's; 0 where that has none."""
        base = _mean(self.base.harvest)
        return _mean(self.crawler.harvest) / base if base else 0.0


def status_section(results: Sequence[StatusResult]) -> str:
    """The section, or nothing without results."""
    if not results:
        return ""
    head = [
        "web",
        "crawler",
        "status",
        "against Full Page",
        "higher on topics",
        "p",
        "harvest",
        "× Full Page",
        "higher, lower on topics",
        "p",
    ]
    return render(
        "effectiveness/status.md",
        pages=" or ".join(map(str, sorted({result.pages for result in results}))),
        table=table(head, [row for result in results for row in _rows(result)]),
        webs=[_against_goals(result) for result in results],
        least_gain=LEAST_GAIN,
        least_harvest=LEAST_HARVEST,
    )


def _rows(result: StatusResult) -> Iterator[list[str]]:
    base = result.crawlers[FULL_PAGE]
    yield [
        _web(result),
        FULL_PAGE,
        f"{_mean(base.status):.3f}",
        NOTHING,
        NOTHING,
        NOTHING,
        f"{_mean(base.harvest):.3f}",
        "1",
        NOTHING,
        NOTHING,
    ]
    for each in _tested(result):
        more, _ = wins(each.crawler.status, base.status)
        better, worse = wins(each.crawler.harvest, base.harvest)
        name = f"**{each.name}**" if each.name == STATUS_LEARNER else each.name
        yield [
            "",
            name,
            f"{_mean(each.crawler.status):.3f}",
            signed(each.gain, 3),
            f"{more} of {len(result.topics)}",
            probability(each.p["status"]),
            f"{_mean(each.crawler.harvest):.3f}",
            f"{each.harvest:.2f}",
            f"{better}, {worse}",
            probability(each.p["harvest"]),
        ]
    if oracle := _oracle(result):
        yield [
            "",
            ORACLE,
            f"{_mean(oracle.crawler.status):.3f}",
            signed(oracle.gain, 3),
            NOTHING,
            NOTHING,
            f"{_mean(oracle.crawler.harvest):.3f}",
            f"{oracle.harvest:.2f}",
            NOTHING,
            NOTHING,
        ]


def _oracle(result: StatusResult) -> _Against | None:
    """The oracle, which is not tested; None where it was not run."""
    crawler = result.crawlers.get(ORACLE)
    return _Against(ORACLE, crawler, result.crawlers[FULL_PAGE], {}) if crawler else None


def _web(result: StatusResult) -> str:
    correlation = NOTHING if result.locality is None else signed(result.locality, 2)
    return f"{result.web}: {len(result.topics)} topics, locality {correlation}"


def _tested(result: StatusResult) -> list[_Against]:
    """Every crawler against Full Page, after Holm."""
    base = result.crawlers[FULL_PAGE]
    others = {
        name: crawler
        for name, crawler in result.crawlers.items()
        if name not in (FULL_PAGE, ORACLE)
    }
    measures: tuple[Measure, ...] = ("status", "harvest")
    raw = {
        (name, measure): paired_t_test(getattr(crawler, measure), getattr(base, measure)).p
        for name, crawler in others.items()
        for measure in measures
    }
    corrected = dict(zip(raw, holm([*raw.values()]), strict=True))
    return [
        _Against(name, crawler, base, {m: corrected[name, m] for m in measures})
        for name, crawler in others.items()
    ]


def _against_goals(result: StatusResult) -> Mapping[str, Any]:
    """How far the status learner reaches its goals on a web."""
    mine = next(each for each in _tested(result) if each.name == STATUS_LEARNER)
    gains = np.subtract(mine.crawler.status, mine.base.status)
    enough = int((gains >= LEAST_GAIN).sum())
    pairs = zip(mine.crawler.harvest, mine.base.harvest, strict=True)
    shares = [ours / full for ours, full in pairs if full]
    return {
        "name": result.web,
        "topics": len(result.topics),
        "enough": enough,
        "harvest": mine.harvest,
        "as_asked": mine.harvest >= LEAST_HARVEST and enough >= np.ceil(7 / 8 * len(gains)),
        "low_shares": sorted(share for share in shares if share < LEAST_HARVEST),
        "oracle": _oracle(result),
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))
