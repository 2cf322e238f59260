"""How many pages of a crawl are good and how many are bad, topic by topic."""

from __future__ import annotations

import numpy as np

from apps.experiments.cells.result import finite
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.crawler_views import crawler_of, crawler_views
from apps.experiments.figures.page_scores import UNRATED, scored_by, scores
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.results.outcomes import Outcome
from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.quantities import count
from apps.figures.traces import Bars

GOOD = 0.5
"""The probability from which a page is good."""


class GoodAndBad(PaperFigure):
    """How many of the fetched pages have a probability of 0.5 or more by the judge, and how many
    less, topic by topic.

    A topic with many bad pages is hard for the crawler. Of several repetitions it is the mean.
    Without a judge it is the critic’s probability, as in AFC.
    """

    id = "good_and_bad"
    title = "Good and bad pages"
    papers = {"AFC": "4"}
    published = (
        "Of fifteen topics the baseline fetched some thousand good and some thousand bad pages "
        "each: none is so easy or so hard that nothing could be improved."
    )
    by_crawler = False

    def views(self, asked: Asked) -> tuple[View, ...]:
        return crawler_views(asked)

    def draw(self, asked: Asked, view: View) -> Figure:
        crawler = crawler_of(view)
        by = scored_by([] if crawler is None else [*asked.outcomes.of_crawler(crawler)])
        counts = [_counts(asked, topic, crawler, by) for topic in asked.topics]
        bars = tuple(
            Bars(label, colour, [*range(len(counts))], [each[i] for each in counts])
            for i, (label, colour) in enumerate((("good", "harvest"), ("bad", "status")))
            if any(each[i] is not None for each in counts)
        )
        names = tuple(asked.outcomes.topics[topic].name for topic in asked.topics)
        numbers = tuple(str(number) for number in range(1, len(names) + 1))
        return Figure(
            Axis("topic", "", names=names, ticks=numbers),
            Axis("pages", "count"),
            bars,
            reading=_reading(asked, view, by, bars),
            empty=UNRATED,
            grouped=False,
        )


def _counts(
    asked: Asked, topic: int, crawler: int | None, by: str
) -> tuple[float | None, float | None]:
    """The good and the bad pages; None for both if none is rated."""
    cells = () if crawler is None else asked.outcomes.cells.get((topic, crawler), ())
    rated = [each for cell in cells if (each := _split(cell, by, asked.pages))]
    if not rated:
        return None, None
    good, bad = np.mean(np.array(rated, np.float64), axis=0)
    return float(good), float(bad)


def _split(cell: Outcome, by: str, pages: int) -> tuple[int, int] | None:
    rated = finite(scores(cell, by)[:pages])
    good = int((rated >= GOOD).sum())
    return (good, len(rated) - good) if len(rated) else None


def _reading(asked: Asked, view: View, by: str, bars: tuple[Bars, ...]) -> str:
    totals = ", ".join(f"{count(round(sum(n or 0 for n in bar.y)))} {bar.label}" for bar in bars)
    return f"{view.title} at {count(asked.pages)} pages, {asked.over} by the {by}: {totals}."
