"""Views of figures that show one crawler at a time."""

from __future__ import annotations

from collections.abc import Callable

from apps.experiments.figures.asked import Asked
from apps.experiments.figures.paper_figure import View
from apps.experiments.models import ExperimentCrawler

NOBODY = View("", "No crawler")


def crawler_views(
    asked: Asked, wanted: Callable[[ExperimentCrawler], bool] = lambda crawler: True
) -> tuple[View, ...]:
    """A view for each crawler with a finished cell, the baseline first; `NOBODY` without any.

    Its id is the crawler's number, from 1, as in a design.
    """
    base = asked.baseline
    indexes = [index for index in asked.finished if wanted(asked.outcomes.crawlers[index])]
    views = [
        View(str(index + 1), asked.labels[index])
        for index in sorted(indexes, key=lambda index: index != base)
    ]
    return tuple(views) or (NOBODY,)


def crawler_of(view: View) -> int | None:
    """The index of a view's crawler, from 0; None for `NOBODY`."""
    return int(view.id) - 1 if view.id else None
