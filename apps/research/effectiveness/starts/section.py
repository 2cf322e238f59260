"""Crawls that start from little, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from apps.figures.quantities import NOTHING
from apps.research.effectiveness.starts.goals import (
    APART,
    LEAST,
    better_and_worse,
    goals_table,
    recall_ratio,
    without_apart,
)
from apps.research.effectiveness.starts.intervals import ASKED_AT
from apps.research.effectiveness.starts.result import StartResult
from apps.research.effectiveness.starts.study import ARMS, BREADTH_FIRST, EXAMPLES, LIST, STARTS
from apps.research.markdown import render, table


def starts_section(results: Sequence[StartResult]) -> str:
    """The section, or nothing without results."""
    if not results:
        return ""
    return render(
        "effectiveness/starts.md",
        pages=f"{results[0].pages:,}",
        webs=[f"{each.web} ({len(each.topics)} topics)" for each in results],
        starts=[
            (start, words, _recalls(results, start), _shares(results, start))
            for start, words in STARTS.items()
        ],
        list=LIST,
        first=ASKED_AT[0],
        goals=goals_table(results),
        apart=[each.web for each in results if each.web in APART],
        least=f"{LEAST:g}",
        commands=[each.command for each in results],
    )


def _recalls(results: Sequence[StartResult], start: str) -> str:
    """Crawlers × webs: mean recall, and mean precision of the first hundred."""
    head = ["crawler", *(each.web for each in results)]
    return table(
        head,
        ([arm.name, *(_cell(each, start, arm.name) for each in results)] for arm in ARMS),
    )


def _cell(result: StartResult, start: str, name: str) -> str:
    shares = result.starts.get(start, {}).get(name)
    if shares is None:
        return NOTHING
    precision = f" ({fmean(shares.precision):.2f})" if shares.precision else ""
    return f"{fmean(shares.recall):.3f}{precision}"


def _shares(results: Sequence[StartResult], start: str) -> str:
    """Crawlers × (times breadth-first, share of the recall of all examples): geometric means over
    all topics of the webs that are taken together."""
    together, rows = without_apart(results), []
    for arm in ARMS:
        if arm.name != BREADTH_FIRST:
            by = [_over(together, start, arm.name, other) for other in (BREADTH_FIRST, EXAMPLES)]
            rows.append([arm.name, *by])
    return table(["crawler", "times breadth-first", "of 20 + 40 examples"], rows)


def _over(results: Sequence[StartResult], start: str, name: str, other: str) -> str:
    """The geometric mean of the ratios of two crawlers' recalls, and on how many topics the first
    is better and worse."""
    figure = None if name == other else recall_ratio(name, other)(results, start)
    if figure is None:
        return NOTHING
    better, worse = better_and_worse(results, start, name, other)
    return f"{figure.value:.2f} (better on {better}, worse on {worse} of {figure.topics})"
