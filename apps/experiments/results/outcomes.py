"""The results of an experiment's cells, as the answers and the figures read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from apps.engine.evaluation import MEASURES
from apps.engine.model import Floats, Longs
from apps.experiments.cells import result
from apps.experiments.cells.result import CellResult, Samples
from apps.experiments.design.schema import Design
from apps.experiments.folder import result_path
from apps.experiments.hold_out import hold_outs_of
from apps.experiments.models import Cell, Experiment, ExperimentCrawler, ExperimentTopic
from apps.stored_files.files import local

ENDED = (Experiment.State.FINISHED, Experiment.State.STOPPED)
ACCUMULATING = frozenset(
    name for measure in MEASURES if measure.accumulates for name in (measure.id, *measure.more)
)
"""The numbers that hold after a crawl's end."""


@dataclass(frozen=True)
class Outcome:
    """One finished cell. `topic` and `crawler` are indices in the lists of `Outcomes`."""

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
        """A number after so many pages, or at the crawl's end if that came before."""
        return float(self.samples.on(np.array([pages]), name)[0])

    def curve(self, grid: Longs, name: str) -> Floats:
        """A number over the pages in `grid`. After the crawl's end it stays what it was if it
        accumulates, such as recall; a rate or a mean is NaN there."""
        values = self.samples.on(grid, name)
        if name in ACCUMULATING:
            return values
        return np.where(grid > self.samples.at.max(initial=0), np.nan, values)


@dataclass(frozen=True)
class Outcomes:
    """All finished cells of an experiment, by topic and crawler; the baseline is the index of a
    crawler. The topics are without their frozen inputs, of which `hold_outs` has what kept targets
    out of the backgrounds, by topic."""

    experiment: Experiment
    design: Design
    topics: Sequence[ExperimentTopic]
    crawlers: Sequence[ExperimentCrawler]
    cells: Mapping[tuple[int, int], tuple[Outcome, ...]]
    hold_outs: Sequence[str]
    _curves: dict[str, Floats] = field(default_factory=dict, compare=False, repr=False)

    @property
    def baseline(self) -> int:
        return self.design.baseline - 1

    @property
    def planned_cells(self) -> int:
        """How many cells there are to be."""
        return len(self.topics) * len(self.crawlers) * self.design.repetitions

    @property
    def finished(self) -> int:
        """How many cells have finished."""
        return sum(map(len, self.cells.values()))

    @property
    def ended(self) -> bool:
        """Whether no further cell will be run: the time for tests has come."""
        return self.experiment.state in ENDED or self.finished == self.planned_cells > 0

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
        """A number after so many pages, or at each crawl's end if that came before, topics ×
        crawlers: the mean over repetitions, NaN where it is undefined or no cell has finished."""
        return self._table(lambda outcome: outcome.at(pages, name))

    def curves(self, name: str) -> Floats:
        """A number over the crawl, topics × crawlers × grid: the mean over repetitions, as
        `Outcome.curve` has it."""
        if name not in self._curves:
            self._curves[name] = self._table(
                lambda outcome: outcome.curve(self.grid, name), len(self.grid)
            )
        return self._curves[name]

    def _table(self, value: Callable[[Outcome], float | Floats], width: int = 0) -> Floats:
        """The mean over repetitions of a value of `width` numbers (0: a single one)."""
        shape = (len(self.topics), len(self.crawlers), *([width] if width else []))
        table = np.full(shape, np.nan)
        for pair, outcomes in self.cells.items():
            table[pair] = np.mean(np.array([value(outcome) for outcome in outcomes]), axis=0)
        return table


def outcomes(experiment: Experiment) -> Outcomes:
    """The finished cells of an experiment so far."""
    topics = list(experiment.topics.defer("inputs").select_related("topic__category"))
    crawlers = list(experiment.crawlers.all())
    row = {topic.pk: index for index, topic in enumerate(topics)}
    column = {crawler.pk: index for index, crawler in enumerate(crawlers)}
    finished: dict[tuple[int, int], list[Outcome]] = {}
    for cell in experiment.cells.filter(job_state=Cell.State.DONE):
        pair = row[cell.topic_id], column[cell.crawler_id]
        finished.setdefault(pair, []).append(Outcome(cell, *pair))
    return Outcomes(
        experiment,
        Design.read(experiment.design),
        topics,
        crawlers,
        {pair: tuple(cells) for pair, cells in finished.items()},
        hold_outs_of(experiment),
    )
