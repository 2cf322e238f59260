"""Crawls that start from little, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, geometric_mean

from apps.figures.quantities import NOTHING
from apps.research.effectiveness.start_result import StartResult, StartShares
from apps.research.effectiveness.starting import ARMS, BREADTH_FIRST, EXAMPLES, LIST, STARTS
from apps.research.markdown import render, table

LEAST = 0.01
"""What a recall of less counts as, so that a topic of which nothing was reached has a share."""


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
    all topics of all webs."""
    rows = []
    for arm in ARMS:
        if arm.name != BREADTH_FIRST:
            by = [_over(results, start, arm.name, other) for other in (BREADTH_FIRST, EXAMPLES)]
            rows.append([arm.name, *by])
    return table(["crawler", "times breadth-first", "of 20 + 40 examples"], rows)


def _over(results: Sequence[StartResult], start: str, name: str, other: str) -> str:
    """The geometric mean of the ratios of two crawlers' recalls."""
    pairs = [
        (max(ours, LEAST), max(theirs, LEAST))
        for crawlers in (each.starts.get(start, {}) for each in results)
        if name in crawlers and other in crawlers
        for ours, theirs in zip(*_recall_of(crawlers[name], crawlers[other]), strict=True)
    ]
    if not pairs or name == other:
        return NOTHING
    return f"{geometric_mean(ours / theirs for ours, theirs in pairs):.2f}"


def _recall_of(*shares: StartShares) -> list[tuple[float, ...]]:
    return [each.recall for each in shares]
