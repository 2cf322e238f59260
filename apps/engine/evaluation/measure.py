"""The interface of measures: updated with each judged page in order, with a value at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Literal, NamedTuple, Self

from apps.engine.curve_spec import CurveSpec
from apps.engine.model import Verdict
from apps.engine.urls import host, registered_domain


class JudgedPage(NamedTuple):
    """A judged page, as passed to the measures.

    `label` is the true relevance if the web has labels, `inlinks` the true count or None,
    `status_log` the model's prediction of ln(1 + in-links). `requests` were made with its own,
    `waiting` URLs wait; 0 in records, which do not have them.
    """

    seq: int
    url: str
    final_url: str
    hops: tuple[str, ...]
    seed: bool
    verdict: Verdict | None
    label: bool | None
    topicality: float | None
    status_log: float | None
    inlinks: int | None
    requests: int = 0
    waiting: int = 0

    @property
    def domain(self) -> str:
        """The registered domain of the final URL."""
        return registered_domain(host(self.final_url))


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """The ground truth of a crawl, for the measures only; hidden from strategies.

    `targets` are canonical URLs. `relevant` is the number of relevant pages of a labelled web
    (None: no labels). `directory` has the registered domains listed in a directory, or is empty; it
    may be stored on disk.
    """

    targets: frozenset[str] = frozenset()
    relevant: int | None = None
    directory: Set[str] = frozenset()


Unit = Literal["share", "score", "count", "log"]


class Witness(StrEnum):
    """The source of a measure's value: a judge, or CRAWL for facts of the crawl itself."""

    CRAWL = "crawl"
    JUDGE = "judge"
    CRITIC = "critic"
    LABELS = "labels"
    INLINKS = "inlinks"
    TARGETS = "targets"
    DIRECTORY = "directory"


@dataclass(frozen=True, slots=True)
class RecordCounts:
    """The counts of a crawl's records and of the pages that it should fetch.

    `targets` and `relevant` count the pages that can be fetched, `sites` the domains fetched.
    """

    pages: Sequence[JudgedPage]
    targets: int = 0
    relevant: int = 0
    sites: int = 0


class Measure:
    """One number over the pages fetched so far.

    `over` names the unit of `coverage`; `witness` is the source of the value; `curve` is how it is
    drawn, or None. `less_is_better` is set for losses. `things` are what a crawl has more of if its
    value is larger by so many per cent, such as `of the targets`; empty for rates and means, whose
    ratio is no ratio of numbers of pages. `accumulates` is set if the value counts what a crawl has
    reached, so that it holds after the crawl's end as well; a rate is undefined from there on.
    `more` names further numbers that each sample has, as `numbers` returns them, and `more_curves`
    has how some of them are drawn.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[Unit]
    paper: ClassVar[str]
    over: ClassVar[str] = "pages"
    witness: ClassVar[Witness] = Witness.CRAWL
    curve: ClassVar[CurveSpec | None] = None
    less_is_better: ClassVar[bool] = False
    things: ClassVar[str] = ""
    accumulates: ClassVar[bool] = False
    more: ClassVar[tuple[str, ...]] = ()
    more_curves: ClassVar[Mapping[str, CurveSpec]] = {}

    @classmethod
    def phrase(cls) -> str:
        """The title within a sentence: `harvest rate`, `α over the crawl`."""
        return cls.title[:1].lower() + cls.title[1:]

    @classmethod
    def from_ground_truth(cls, truth: GroundTruth) -> Self:
        """Builds the measure with the part of the ground truth that it needs."""
        return cls()

    def update(self, page: JudgedPage) -> None:
        """Adds one page."""
        raise NotImplementedError

    def count_label(self, page: int, relevant: bool | None) -> None:
        """Counts a person's label of page `page` of the crawl, whether it has been added yet or
        not; None takes the label back."""

    def value(self) -> float | int | None:
        """The current value; None if it is undefined."""
        raise NotImplementedError

    def numbers(self) -> tuple[float | int | None, ...]:
        """The further numbers, in the order of `more`."""
        return ()

    @classmethod
    def coverage(cls, records: RecordCounts) -> int:
        """The number of items (of the kind `over`) that the value is computed from."""
        return len(records.pages)

    def state(self) -> dict[str, Any]:
        """The state gathered by `update`."""
        return dict(self.__dict__)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        for name, value in state.items():
            setattr(self, name, type(getattr(self, name))(value))


class RunningMean(Measure):
    """The mean of a quantity over the pages that have a value."""

    def __init__(self) -> None:
        self.total = 0.0
        self.n = 0

    def quantity(self, page: JudgedPage) -> float | None:
        """The value to average; None leaves the page out."""
        raise NotImplementedError

    def update(self, page: JudgedPage) -> None:
        amount = self.quantity(page)
        if amount is not None:
            self.total += amount
            self.n += 1

    def value(self) -> float | None:
        return self.total / self.n if self.n else None

    @classmethod
    def coverage(cls, records: RecordCounts) -> int:
        quantity = cls().quantity
        return sum(quantity(page) is not None for page in records.pages)


class RecentMean(RunningMean):
    """The mean over the last `window` pages that have a value."""

    window: ClassVar[int] = 100

    def __init__(self) -> None:
        self.last: list[float] = []

    def update(self, page: JudgedPage) -> None:
        amount = self.quantity(page)
        if amount is not None:
            self.last.append(amount)
            del self.last[: -self.window]

    def value(self) -> float | None:
        return sum(self.last) / len(self.last) if self.last else None

    @classmethod
    def coverage(cls, records: RecordCounts) -> int:
        return min(cls.window, super().coverage(records))
