"""The declaration of a plot of a crawl's records, read by the screen of measures, the API and the
help."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from apps.crawls.measures.crawl_report import CrawlReport
from apps.figures.figure import Figure


class Plot(ABC):
    """A figure of values computed over a crawl's records.

    The first paragraph of the class's docstring is its sentence in the help and the API;
    the rest is how to read the plot. An `optional` plot is shown only if it has values; any other
    has what is missing inside its axes.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    optional: ClassVar[bool] = False

    @abstractmethod
    def figure(self, report: CrawlReport) -> Figure:
        """The plot of a crawl, with a message in its axes if it has no values."""
