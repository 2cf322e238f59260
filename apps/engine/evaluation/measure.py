"""What a measure is: it is told of each judged page in order and can say its value at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Literal, Self

from apps.engine.drawing import Drawn
from apps.engine.model import Verdict
from apps.engine.urls import host, registered_domain


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page as the measures see it.

    `label` is the true relevance where the web has labels, `inlinks` the true count where it is
    known, `status_log` the model's prediction of ln(1 + in-links).
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

    @property
    def domain(self) -> str:
        """The registered domain that answered, whatever URL was asked."""
        return registered_domain(host(self.final_url))


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """The true relevant pages of a crawl, for the measures alone; no strategy sees it.

    `targets` are canonical URLs. `relevant` counts the relevant pages of a labelled web (None: the
    web has no labels). `directory` holds the registered domains that a directory lists, empty
    without a directory; it may be a table on the disk.
    """

    targets: frozenset[str] = frozenset()
    relevant: int | None = None
    directory: Set[str] = frozenset()


Unit = Literal["share", "score", "count", "log"]


class Witness(StrEnum):
    """By which judge a measure has its value; CRAWL is what the crawl itself has seen."""

    CRAWL = "crawl"
    JUDGE = "judge"
    CRITIC = "critic"
    LABELS = "labels"
    INLINKS = "inlinks"
    TARGETS = "targets"
    DIRECTORY = "directory"


@dataclass(frozen=True, slots=True)
class Records:
    """What is stored of a crawl, and how many there are of what it looks for.

    `targets` and `relevant` count what could be found, `sites` what was.
    """

    pages: Sequence[JudgedPage]
    targets: int = 0
    relevant: int = 0
    sites: int = 0


class Measure:
    """One number over the pages fetched so far.

    `over` names what `known` counts; `witness` is by which judge the value stands; `drawn` is its
    curve, None where it has none. `less_is_better` is for losses, of which a crawl wants little.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[Unit]
    paper: ClassVar[str]
    over: ClassVar[str] = "pages"
    witness: ClassVar[Witness] = Witness.CRAWL
    drawn: ClassVar[Drawn | None] = None
    less_is_better: ClassVar[bool] = False

    @classmethod
    def from_ground_truth(cls, truth: GroundTruth) -> Self:
        """A new measure with the part of the ground truth that it needs."""
        return cls()

    def update(self, page: JudgedPage) -> None:
        """Takes one more page into account."""
        raise NotImplementedError

    def value(self) -> float | int | None:
        """The value now; None while it cannot be said."""
        raise NotImplementedError

    @classmethod
    def coverage(cls, records: Records) -> int:
        """Over how many of `over` the value is taken."""
        return len(records.pages)

    def state(self) -> dict[str, Any]:
        """All that `update` has gathered."""
        return dict(self.__dict__)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes back what `state` gave."""
        for name, value in state.items():
            setattr(self, name, type(getattr(self, name))(value))


class Mean(Measure):
    """The mean of a quantity over the pages for which it is known."""

    def __init__(self) -> None:
        self.total = 0.0
        self.n = 0

    def quantity(self, page: JudgedPage) -> float | None:
        """What is averaged; None leaves the page out."""
        raise NotImplementedError

    def update(self, page: JudgedPage) -> None:
        amount = self.quantity(page)
        if amount is not None:
            self.total += amount
            self.n += 1

    def value(self) -> float | None:
        return self.total / self.n if self.n else None

    @classmethod
    def coverage(cls, records: Records) -> int:
        quantity = cls().quantity
        return sum(quantity(page) is not None for page in records.pages)


class RecentMean(Mean):
    """The same over the last `window` pages for which it is known."""

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
    def coverage(cls, records: Records) -> int:
        return min(cls.window, super().coverage(records))
