"""What a measure is: it is told of each judged page in order and can say its value at any time."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from apps.engine.model import Verdict


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
    host: str
    seed: bool
    verdict: Verdict | None
    label: bool | None
    topicality: float | None
    status_log: float | None
    inlinks: int | None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beforehand, for the measures alone; no strategy sees it.

    `targets` are canonical URLs. `relevant` is how many relevant pages the web has by its labels,
    None where it has none. `directory` holds the registered domains that a directory lists, empty
    where there is no directory; it may be a table on the disk.
    """

    targets: frozenset[str] = frozenset()
    relevant: int | None = None
    directory: Set[str] = frozenset()


class Measure:
    """One number over the pages fetched so far. `unit` is `share`, `score`, `count` or `log`."""

    id: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str]
    paper: ClassVar[str]

    @classmethod
    def given(cls, known: Known) -> Self:
        """A measure at its start; what it needs of `known` it takes."""
        return cls()

    def update(self, page: JudgedPage) -> None:
        """Takes one more page into account."""
        raise NotImplementedError

    def value(self) -> float | int | None:
        """The value now; None while it cannot be said."""
        raise NotImplementedError

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
