"""The map of topicality and status: pages counted by both (SL Fig. 14)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from apps.crawls.heat import BINS, Heat
from apps.figures.quantities import count, score

# The lowest count of each of the five darker steps; below the first a cell is empty.
STEPS = (1, 5, 20, 75, 250)
CELL_WIDTH, CELL_HEIGHT = 32, 18
BAR = 22


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One cell: its position in the picture, its step from 0, and its count."""

    x: int
    y: int
    step: int
    number: int


@dataclass(frozen=True, slots=True)
class HeatBar:
    """All pages along one axis: a bar beside the map."""

    x: float
    y: float
    width: float
    height: float
    number: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The picture: cells, bars of τ above and of σ to the right, legend, and the table's rows.

    `rows` are (σ from, counts by τ, total), highest σ first.
    """

    cells: tuple[HeatCell, ...]
    of_tau: tuple[HeatBar, ...]
    of_sigma: tuple[HeatBar, ...]
    legend: tuple[tuple[int, str], ...]
    rows: tuple[tuple[str, tuple[int, ...], int], ...]
    totals: tuple[int, ...]
    judged_pages: int
    unknown: int
    summary: str


def heat_map(heat: Heat) -> HeatMap:
    """The picture of the counts."""
    by_tau = tuple(sum(row[t] for row in heat.counts) for t in range(BINS))
    by_sigma = tuple(sum(row) for row in heat.counts)
    return HeatMap(
        cells=tuple(_cell(s, t, heat.counts[s][t]) for s in range(BINS) for t in range(BINS)),
        of_tau=_bars_above(by_tau),
        of_sigma=_bars_beside(by_sigma),
        legend=_legend(),
        rows=tuple(
            (f"{s / BINS:.1f}", tuple(heat.counts[s]), by_sigma[s]) for s in reversed(range(BINS))
        ),
        totals=by_tau,
        judged_pages=heat.judged_pages,
        unknown=heat.unknown,
        summary=_summary(heat),
    )


def step(number: int) -> int:
    """Which of the six shades a count has, 0 for none."""
    return sum(number >= least for least in STEPS)


def _cell(s: int, t: int, number: int) -> HeatCell:
    return HeatCell(t * CELL_WIDTH, BAR + (BINS - 1 - s) * CELL_HEIGHT, step(number), number)


def _bars_above(numbers: tuple[int, ...]) -> tuple[HeatBar, ...]:
    most = max(*numbers, 1)
    heights = [round((BAR - 2) * number / most, 1) for number in numbers]
    return tuple(
        HeatBar(t * CELL_WIDTH, BAR - 1 - height, CELL_WIDTH - 1, height, number)
        for t, (height, number) in enumerate(zip(heights, numbers, strict=True))
    )


def _bars_beside(numbers: tuple[int, ...]) -> tuple[HeatBar, ...]:
    most = max(*numbers, 1)
    left = BINS * CELL_WIDTH + 2
    return tuple(
        HeatBar(
            left,
            BAR + (BINS - 1 - s) * CELL_HEIGHT,
            round((BAR - 2) * number / most, 1),
            CELL_HEIGHT - 1,
            number,
        )
        for s, number in enumerate(numbers)
    )


def _legend() -> tuple[tuple[int, str], ...]:
    """(step, its counts in words)."""
    ends = [f"{a}–{b - 1}" for a, b in pairwise(STEPS)]
    return tuple(enumerate(["0", *ends, f"{STEPS[-1]}+"]))


def _summary(heat: Heat) -> str:
    """The map in a sentence, as a text alternative."""
    if not heat.judged_pages:
        return "No page with topicality and status yet."
    number, s, t = max((heat.counts[s][t], s, t) for s in range(BINS) for t in range(BINS))
    return (
        f"{count(heat.judged_pages)} pages by topicality and status; most of them, {count(number)},"
        " at τ "
        f"{score(t / BINS)} to {score((t + 1) / BINS)} and σ {score(s / BINS)} to "
        f"{score((s + 1) / BINS)}."
    )
