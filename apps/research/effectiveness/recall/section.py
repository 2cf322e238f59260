"""How well recall is estimated, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean, median

from apps.engine.evaluation.estimated_recall import (
    WIDER_BY_JUDGES,
    WIDER_BY_LABELS,
    RecallEstimate,
)
from apps.figures.quantities import NOTHING, signed
from apps.research.effectiveness.recall.calibration import factor_of, holds
from apps.research.effectiveness.recall.result import RecallResult
from apps.research.effectiveness.recall.study import BY_JUDGES, BY_LABELS, BY_TRUTH, LABELS
from apps.research.markdown import render, table

GOAL = 0.85
WAYS = (BY_TRUTH, BY_JUDGES, BY_LABELS)
SOURCE = "source of the verdicts"
AHEAD = (
    "estimated, mean",
    "added, mean",
    "estimated, median",
    "added, median",
    "at most twice or half",
    "cases",
)


@dataclass(frozen=True, slots=True)
class _Case:
    """One estimate and the truth."""

    truth: float
    at: int
    added: int | None
    estimate: RecallEstimate

    @property
    def width(self) -> float:
        low, _, high = self.estimate.recall()
        return high - low

    @property
    def error(self) -> float:
        return self.estimate.recall()[1] - self.truth


def recall_section(results: Sequence[RecallResult]) -> str:
    """The section, or nothing without results."""
    if not results:
        return ""
    webs = [f"{each.web} ({len(each.topics)} topics)" for each in results]
    several = results if len(results) > 1 else []
    widened = [_wider_row(several, way) for way in (BY_JUDGES, BY_LABELS) if several]
    moments = sorted({case.at for case in _cases(results, BY_TRUTH)})
    return render(
        "effectiveness/recall.md",
        pages=f"{results[0].pages:,}",
        by_truth=BY_TRUTH,
        labels=LABELS,
        intervals=table(
            [SOURCE, *webs, "all", "estimated − true", "cases"],
            [_row(results, way) for way in WAYS],
        ),
        widened=table([SOURCE, *webs, "all"], widened) if widened else "",
        by_moment=table(
            [SOURCE, *(f"{at:,}" for at in moments)],
            [_by_moment(results, way, moments) for way in WAYS],
        ),
        ahead=table([SOURCE, *AHEAD], [_ahead(results, way) for way in WAYS]),
        ways=[(way, _percent(_share(_cases(results, way)))) for way in WAYS],
        goal=_percent(GOAL),
        wider_by_judges=f"{WIDER_BY_JUDGES:g}",
        wider_by_labels=f"{WIDER_BY_LABELS:g}",
    )


def _cases(results: Sequence[RecallResult], way: str, factor: float = 1.0) -> list[_Case]:
    """The estimates, with intervals so many times wider."""
    return [
        _Case(
            moment.fetched / topic.reachable,
            moment.at,
            moment.added,
            moment.estimates[way].estimate().wider(factor),
        )
        for each in results
        for topic, moment in each.cases()
    ]


def _row(results: Sequence[RecallResult], way: str) -> list[str]:
    every = _cases(results, way)
    error = 100 * fmean(case.error for case in every)
    return [
        way,
        *(_coverage(_cases([each], way)) for each in results),
        _coverage(every),
        f"{signed(error, 0)} points",
        f"{len(every)}",
    ]


def _others(results: Sequence[RecallResult], web: RecallResult, way: str) -> float:
    """The factor that the other webs ask for."""
    return factor_of([each for each in results if each is not web], way)


def _wider_row(results: Sequence[RecallResult], way: str) -> list[str]:
    wider = [_cases([each], way, _others(results, each, way)) for each in results]
    cells = [
        f"{_coverage(cases)}, × {_others(results, each, way):.1f}"
        for each, cases in zip(results, wider, strict=True)
    ]
    return [way, *cells, _coverage([*chain(*wider)])]


def _by_moment(results: Sequence[RecallResult], way: str, moments: Sequence[int]) -> list[str]:
    every = _cases(results, way)
    return [way, *(_coverage([case for case in every if case.at == at]) for at in moments)]


def _coverage(cases: Sequence[_Case]) -> str:
    if not cases:
        return NOTHING
    return f"{_percent(_share(cases))} ({fmean(case.width for case in cases):.2f})"


def _share(cases: Sequence[_Case]) -> float:
    return fmean(holds(case.estimate, case.truth) for case in cases)


def _ahead(results: Sequence[RecallResult], way: str) -> list[str]:
    pairs = [(case.estimate.soon, case.added) for case in _cases(results, way)]
    finished = [(soon, added) for soon, added in pairs if added is not None]
    if not finished:
        return [way, *[NOTHING] * 5, "0"]
    soon, added = zip(*finished, strict=True)
    near = fmean((a + 1) / 2 <= s + 1 <= 2 * (a + 1) for s, a in finished)
    return [
        way,
        f"{fmean(soon):.1f}",
        f"{fmean(added):.1f}",
        f"{median(soon):.1f}",
        f"{median(added):.1f}",
        _percent(near),
        f"{len(finished)}",
    ]


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"
