"""The matrix of an experiment: a row for each topic and repetition, a cell for each crawler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from apps.crawls.measures.estimates import needed_numbers, shown_value
from apps.engine.errors import UnknownStrategy
from apps.engine.evaluation.significance import Estimate, estimate
from apps.engine.intelligence.strategies import strategy
from apps.experiments.design.schema import Design
from apps.experiments.models import Cell, Experiment, ExperimentCrawler, ExperimentTopic
from apps.figures.quantities import NOTHING
from apps.screens.experiment.matrix_measures import MatrixMeasure
from apps.screens.experiment.reasons import short_reason
from apps.screens.stamps import stamp_of

ROWS = 50
State = Cell.State
ENDED = (State.DONE, State.FAILED)


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """A crawler as a column: its title, the tag of its paper, and what tells it from its
    variants."""

    crawler: ExperimentCrawler
    title: str
    paper: str
    variant: str


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell: `state` is `waiting`, `running`, `done` or `failed`; `words` its value, its share
    of pages or its reason; `share` is how long its bar is, 0–1."""

    cell: Cell
    state: str
    words: str
    share: float
    column: MatrixColumn

    @property
    def stamp(self) -> str:
        """Changes whenever the cell looks different."""
        return stamp_of(f"{self.state} {self.words} {self.share:.3f}")


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A topic in one repetition; `under_way` while one of its cells runs."""

    topic: ExperimentTopic
    repetition: int
    cells: tuple[CellView, ...]

    @property
    def key(self) -> str:
        return f"row-{self.topic.pk}-{self.repetition}"

    @property
    def is_first(self) -> bool:
        return self.repetition == 1

    @property
    def under_way(self) -> bool:
        return any(cell.state == "running" for cell in self.cells)

    @property
    def stamp(self) -> str:
        return stamp_of("".join(cell.stamp for cell in self.cells))


@dataclass(frozen=True, slots=True)
class ColumnMean:
    """The mean of a crawler over the topics in which all have a value, in words; `title` is the
    crawler's."""

    title: str
    words: str
    error: str
    share: float


@dataclass(frozen=True, slots=True)
class Means:
    """The last row: in `topics` of them every crawler has finished with a value."""

    topics: int
    cells: tuple[ColumnMean, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A page of the matrix for one measure."""

    measure: MatrixMeasure
    columns: tuple[MatrixColumn, ...]
    page: Page[tuple[ExperimentTopic, int]]
    rows: tuple[MatrixRow, ...]
    means: Means
    repetitions: int


def matrix(
    experiment: Experiment, design: Design, measure: MatrixMeasure, number: str | None = None
) -> Matrix:
    """The matrix of an experiment; of many topics the page of that number."""
    columns = columns_of(experiment)
    topics = list(experiment.topics.defer("inputs"))
    lines = [(topic, r) for topic in topics for r in range(1, design.repetitions + 1)]
    page = Paginator(lines, ROWS).get_page(number)
    values = _values(experiment, measure)
    largest = max((v for row in values.values() for v in row), default=0.0)
    scale = _ValueScale(design, measure, largest)
    shown = {topic.pk for topic, _ in page.object_list}
    cells = {
        (cell.topic_id, cell.repetition, cell.crawler_id): cell
        for cell in experiment.cells.filter(topic__in=shown)
    }
    rows = tuple(
        MatrixRow(
            topic,
            repetition,
            tuple(
                _view(cells[topic.pk, repetition, column.crawler.pk], column, scale)
                for column in columns
                if (topic.pk, repetition, column.crawler.pk) in cells
            ),
        )
        for topic, repetition in page.object_list
    )
    return Matrix(
        measure, columns, page, rows, _means(values, topics, columns, scale), design.repetitions
    )


def columns_of(experiment: Experiment) -> tuple[MatrixColumn, ...]:
    """The crawlers in their order."""
    return tuple(_column(crawler) for crawler in experiment.crawlers.all())


def _column(crawler: ExperimentCrawler) -> MatrixColumn:
    try:
        cls = strategy(crawler.strategy)
    except UnknownStrategy:
        return MatrixColumn(crawler, crawler.label, "", "")
    variant = crawler.label.removeprefix(cls.title).removeprefix(", ")
    return MatrixColumn(crawler, cls.title, cls.paper, variant)


@dataclass(frozen=True, slots=True)
class _ValueScale:
    """How values become words and bars."""

    design: Design
    measure: MatrixMeasure
    largest: float

    def share(self, value: float | None) -> float:
        if value is None:
            return 0.0
        if self.measure.measure is None:
            return value / self.design.pages
        top = 1.0 if self.measure.measure.unit in ("share", "score") else self.largest
        return value / top if top else 0.0


def _view(cell: Cell, column: MatrixColumn, scale: _ValueScale) -> CellView:
    match cell.job_state:
        case State.DONE:
            value = _value(cell, scale.measure)
            return CellView(cell, "done", scale.measure.write(value), scale.share(value), column)
        case State.FAILED:
            return CellView(cell, "failed", short_reason(cell.reason), 0.0, column)
        case State.WORKING:
            share = min(1.0, cell.pages / scale.design.pages)
            return CellView(cell, "running", f"{100 * share:.0f}\u202f%", share, column)
        case _ if cell.pages:
            share = min(1.0, cell.pages / scale.design.pages)
            return CellView(cell, "waiting", f"waiting at {100 * share:.0f}\u202f%", share, column)
        case _:
            return CellView(cell, "waiting", "waiting", 0.0, column)


def _value(cell: Cell, measure: MatrixMeasure) -> float | None:
    return cell.pages if measure.measure is None else shown_value(cell.metrics, measure.key)


def _values(
    experiment: Experiment, measure: MatrixMeasure
) -> Mapping[tuple[int, int], list[float]]:
    """The values of ended cells by topic and crawler, over repetitions; an empty list where
    one has ended without a value."""
    is_measured = measure.measure is not None
    needed = needed_numbers(measure.key)
    columns = [f"metrics__{name}" if is_measured else name for name in needed]
    done = experiment.cells.filter(job_state=State.DONE).order_by()
    values: dict[tuple[int, int], list[float]] = {}
    for topic, crawler, *numbers in done.values_list("topic_id", "crawler_id", *columns):
        value = shown_value(dict(zip(needed, numbers, strict=True)), measure.key)
        values.setdefault((topic, crawler), []).extend([] if value is None else [float(value)])
    return values


def _means(
    values: Mapping[tuple[int, int], list[float]],
    topics: Sequence[ExperimentTopic],
    columns: Sequence[MatrixColumn],
    scale: _ValueScale,
) -> Means:
    wanted = scale.design.repetitions
    full = [
        topic.pk
        for topic in topics
        if all(len(values.get((topic.pk, column.crawler.pk), ())) == wanted for column in columns)
    ]
    return Means(
        len(full),
        tuple(
            _mean(
                f"{column.title} {column.variant}".strip(),
                estimate(
                    [
                        sum(own) / len(own)
                        for topic in full
                        if (own := values[topic, column.crawler.pk])
                    ]
                ),
                scale,
            )
            for column in columns
        ),
    )


def _mean(title: str, estimate: Estimate, scale: _ValueScale) -> ColumnMean:
    if estimate.mean is None:
        return ColumnMean(title, NOTHING, "", 0.0)
    return ColumnMean(
        title,
        scale.measure.write(estimate.mean),
        error_words(estimate.error, scale.measure),
        scale.share(estimate.mean),
    )


def error_words(error: float | None, measure: MatrixMeasure) -> str:
    """`± 3`: a standard error, of shares in percentage points."""
    if error is None:
        return ""
    unit = measure.measure.unit if measure.measure else "count"
    decimals = {"share": 0, "count": 0}.get(unit, 2)
    return f"± {100 * error if unit == 'share' else error:.{decimals}f}"
