"""What an experiment's cells found, as the answers and the figures read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from apps.engine.model import Floats, Longs
from apps.experiments.cells import result
from apps.experiments.cells.result import CellResult, Samples
from apps.experiments.design.schema import Design
from apps.experiments.folder import result_path
from apps.experiments.models import Cell, Experiment, ExperimentCrawler, ExperimentTopic
from apps.stored_files.files import local

ENDED = (Experiment.State.FINISHED, Experiment.State.STOPPED)


@dataclass(frozen=True)
class Outcome:
    """One finished cell. `topic` and `crawler` are places in the lists of `Outcomes`."""

    cell: Cell
    topic: int
    crawler: int

    @property
    def repetition(self) -> int:
        return self.cell.repetition

    @cached_property
    def result(self) -> CellResult:
        """Its arrays. Raises BadCheckpoint if the file is gone or damaged."""
        return result.read(local(result_path(self.cell)))

    @cached_property
    def samples(self) -> Samples:
        """Its course alone, which takes less time and room than `result`. Raises BadCheckpoint."""
        return result.read_samples(local(result_path(self.cell)))

    def at(self, pages: int, name: str) -> float:
        """A measure at a number of pages, as `Samples.on` has it."""
        return float(self.curve(np.array([pages]), name)[0])

    def curve(self, grid: Longs, name: str) -> Floats:
        """`at` for each of the numbers of pages in `grid`."""
        return self.samples.on(grid, name)


@dataclass(frozen=True)
class Outcomes:
    """All finished cells of an experiment, by topic and crawler; the baseline is a place among the
    crawlers."""

    experiment: Experiment
    design: Design
    topics: Sequence[ExperimentTopic]
    crawlers: Sequence[ExperimentCrawler]
    cells: Mapping[tuple[int, int], tuple[Outcome, ...]]

    @property
    def baseline(self) -> int:
        return self.design.baseline - 1

    @property
    def wanted(self) -> int:
        """How many cells there are to be."""
        return len(self.topics) * len(self.crawlers) * self.design.repetitions

    @property
    def finished(self) -> int:
        """How many cells have finished."""
        return sum(map(len, self.cells.values()))

    @property
    def ended(self) -> bool:
        """Whether no further cell will be run: the time for tests has come."""
        return self.experiment.state in ENDED or self.finished == self.wanted > 0

    @cached_property
    def grid(self) -> Longs:
        """The numbers of pages at which every cell has a sample, unless its crawl ended before."""
        every = self.design.sample_every
        return np.arange(every, self.design.pages + 1, every, dtype=np.int64)

    def of_crawler(self, crawler: int) -> Iterator[Outcome]:
        """The finished cells of a crawler, topic by topic."""
        for topic in range(len(self.topics)):
            yield from self.cells.get((topic, crawler), ())

    def values(self, name: str, pages: int) -> Floats:
        """A measure at a number of pages, topics × crawlers: the mean over repetitions, NaN where
        it is unknown or no cell has finished."""
        return self._table(lambda outcome: outcome.at(pages, name))

    def curves(self, name: str) -> Floats:
        """A measure over the crawl, topics × crawlers × grid, like `values`."""
        return self._table(lambda outcome: outcome.curve(self.grid, name), len(self.grid))

    def _table(self, value: Callable[[Outcome], float | Floats], width: int = 0) -> Floats:
        """The mean over repetitions of a value of `width` numbers (0: a single one)."""
        shape = (len(self.topics), len(self.crawlers), *([width] if width else []))
        table = np.full(shape, np.nan)
        for place, found in self.cells.items():
            table[place] = np.mean([value(outcome) for outcome in found], axis=0)
        return table


def outcomes(experiment: Experiment) -> Outcomes:
    """The finished cells of an experiment so far."""
    topics = list(experiment.topics.select_related("topic__category"))
    crawlers = list(experiment.crawlers.all())
    row = {topic.pk: place for place, topic in enumerate(topics)}
    column = {crawler.pk: place for place, crawler in enumerate(crawlers)}
    found: dict[tuple[int, int], list[Outcome]] = {}
    for cell in experiment.cells.filter(job_state=Cell.State.DONE):
        place = row[cell.topic_id], column[cell.crawler_id]
        found.setdefault(place, []).append(Outcome(cell, *place))
    return Outcomes(
        experiment, Design.read(experiment.design), topics, crawlers,
        {place: tuple(cells) for place, cells in found.items()},
    )
