"""How long every screen, part of a screen and file takes, asked in this process."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Any, Self

from django.contrib.auth.models import User
from django.test import Client


@dataclass(frozen=True, slots=True)
class Milliseconds:
    """Of one answer: this process's processor time, and by the clock."""

    cpu: float
    wall: float


@dataclass(frozen=True, slots=True)
class ScreenTime:
    """What an address took: its `first` answer, then the median and the 95th percentile of the
    others; `kilobytes` is the size of an answer. A file counts until its first part is
    sent."""

    address: str
    status: int
    kilobytes: float
    first: Milliseconds
    median: Milliseconds
    p95: Milliseconds

    @classmethod
    def of_json(cls, row: Mapping[str, Any]) -> Self:
        times = {name: Milliseconds(**row[name]) for name in ("first", "median", "p95")}
        return cls(**{**row, **times})


def time_screens(owner: User, addresses: Sequence[str], rounds: int) -> list[ScreenTime]:
    """What the addresses take, the slowest first; each is asked once in a round, so that nothing
    between two of its answers favours it."""
    client = Client(headers={"host": "localhost"}, raise_request_exception=False)
    client.force_login(owner)
    taken: dict[str, list[Milliseconds]] = defaultdict(list)
    answers: dict[str, tuple[int, float]] = {}
    for _ in range(rounds + 1):
        for address in addresses:
            cpu, wall = time.process_time(), time.perf_counter()
            answer = client.get(address)
            size = _begin(answer)
            taken[address].append(
                Milliseconds(1e3 * (time.process_time() - cpu), 1e3 * (time.perf_counter() - wall))
            )
            answers[address] = answer.status_code, size / 1024
    timed = (
        ScreenTime(address, *answers[address], first, _each(later, median), _each(later, p95))
        for address, (first, *later) in taken.items()
    )
    return sorted(timed, key=lambda each: -each.p95.cpu)


def _begin(answer: Any) -> int:
    """The bytes of an answer; of a file that is sent while it is written only the first of them."""
    if not answer.streaming:
        return len(answer.content)
    size = len(next(iter(answer), b""))
    answer.close()
    return size


def _each(taken: Sequence[Milliseconds], of: Callable[[Sequence[float]], float]) -> Milliseconds:
    return Milliseconds(of([each.cpu for each in taken]), of([each.wall for each in taken]))


def p95(values: Sequence[float]) -> float:
    """The least of the values that 95 % of them do not exceed."""
    return sorted(values)[ceil(0.95 * len(values)) - 1]
