"""How many pages two crawlers have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from apps.engine.evaluation.significance import Estimate
from apps.engine.evaluation.url_overlap import url_overlap
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.results.outcomes import Outcome
from apps.figures.axis import Axis
from apps.figures.figure import Data, Figure, FigureTable
from apps.figures.quantities import count, share
from apps.figures.traces import Cells

SHADES = 6
PageSets = Mapping[tuple[int, int], Set[str]]
"""The final URLs of a crawler's cells, by topic and repetition."""


@dataclass(frozen=True, slots=True)
class CrawlerPair:
    """Two crawlers and the share of their pages that both fetched."""

    first: int
    second: int
    share: Estimate


class Overlap(PaperFigure):
    """Which share of the pages that either of two crawlers fetched both have: the mean over topics.

    The darker, the more in common. A crawler that finds more and overlaps little goes its own ways;
    one that overlaps much finds the same pages sooner at best.
    """

    id = "overlap"
    title = "Overlap of pages"
    papers = {"AFC": "11"}
    published = "Baseline and apprentice have few pages in common: the apprentice takes other ways."

    def draw(self, asked: Asked, view: View) -> Figure:
        pairs = tuple(_pairs(asked))
        shown = [index for index in asked.drawn if index in asked.finished]
        row = {index: i for i, index in enumerate(shown)}
        cells = [pair for pair in pairs if pair.first in row and pair.second in row]
        names = tuple(f"{index + 1}  {asked.labels[index]}" for index in shown)
        shares = [pair.share.mean or 0.0 for pair in cells]
        return Figure(
            Axis("", "", names=names[:-1]),
            Axis("", "", names=names[:0:-1]),
            (
                Cells(
                    "pages in common",
                    "count-3",
                    [row[pair.first] for pair in cells],
                    [len(shown) - 1 - row[pair.second] for pair in cells],
                    shades=[min(SHADES - 1, int(SHADES * each)) for each in shares],
                    words=[share(each) for each in shares],
                    about=[f"{asked.labels[p.first]}, {asked.labels[p.second]}" for p in cells],
                ),
            )
            if cells
            else (),
            reading=_reading(asked, pairs),
            empty="Needs two crawlers",
            grouped=False,
            table=_table(asked, pairs),
            data=_data(asked, pairs),
        )


def _pairs(asked: Asked) -> Iterator[CrawlerPair]:
    pages = {
        index: {
            (cell.topic, cell.repetition): {*cell.result.pages.urls[: asked.pages]}
            for cell in asked.outcomes.of_crawler(index)
        }
        for index in asked.finished
    }
    for first, second in combinations(asked.finished, 2):
        shares = partial(_share_of, pages[first], pages[second])
        for mean in asked.over_topics(first, shares):
            yield CrawlerPair(first, second, mean)


def _share_of(first: PageSets, second: PageSets, cell: Outcome) -> list[float] | None:
    """The share in common of a cell of the first crawler and that of the second like it."""
    key = cell.topic, cell.repetition
    common = url_overlap(first[key], second[key]).share if key in second else None
    return None if common is None else [common]


def _reading(asked: Asked, pairs: tuple[CrawlerPair, ...]) -> str:
    if not pairs:
        return ""
    shared = [pair for pair in pairs if pair.share.mean is not None]
    least, most = min(shared, key=_mean), max(shared, key=_mean)
    extremes = [
        f"{asked.labels[each.first]} and {asked.labels[each.second]} ({share(each.share.mean)})"
        for each in (least, most)
    ]
    return (
        f"Pages in common at {count(asked.pages)} pages, mean of "
        f"{asked.over}: fewest {extremes[0]}, most {extremes[1]}."
    )


def _mean(pair: CrawlerPair) -> float:
    assert pair.share.mean is not None
    return pair.share.mean


def _table(asked: Asked, pairs: tuple[CrawlerPair, ...]) -> FigureTable:
    return FigureTable(
        ("Crawlers", "Pages in common"),
        tuple(
            (f"{asked.labels[pair.first]}, {asked.labels[pair.second]}", share(pair.share.mean))
            for pair in pairs
        ),
    )


def _data(asked: Asked, pairs: tuple[CrawlerPair, ...]) -> Data:
    return Data(
        ("first crawler", "second crawler", "share in common", "standard error", "topics"),
        tuple(
            (
                asked.labels[pair.first],
                asked.labels[pair.second],
                pair.share.mean,
                pair.share.error,
                pair.share.n,
            )
            for pair in pairs
        ),
    )
