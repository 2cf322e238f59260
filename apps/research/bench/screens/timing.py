"""How long every screen, part of a screen and file takes, asked in this process."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Any, Self

from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client

from apps.research.bench.process_time import process_seconds
from apps.screens.loading import load_screens


@dataclass(frozen=True, slots=True)
class Milliseconds:
    """Of one answer: the processor time of this process and of PostgreSQL's for it, and by the
    clock."""

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


def time_screens(
    owner: User, addresses: Sequence[str], rounds: int, report: Callable[[str], None]
) -> list[ScreenTime]:
    """What the addresses take, the slowest first; each is asked once in a round, so that nothing
    between two of its answers favours it. `report` is given a line of each first answer, and of
    each round."""
    load_screens()
    client = Client(headers={"host": "localhost"}, raise_request_exception=False)
    client.force_login(owner)
    taken: dict[str, list[Milliseconds]] = defaultdict(list)
    answers: dict[str, tuple[int, float]] = {}
    for number in range(rounds + 1):
        for address in addresses:
            cpu, wall = cpu_seconds(), time.perf_counter()
            answer = client.get(address)
            size = _begin(answer)
            taken[address].append(
                Milliseconds(1e3 * (cpu_seconds() - cpu), 1e3 * (time.perf_counter() - wall))
            )
            answer.close()  # and the connection with it, as on a site: each request has its own
            answers[address] = answer.status_code, size / 1024
            if number == 0:
                report(f"{taken[address][0].cpu:7.0f} ms of CPU  {address}")
        of_round = sum(each[number].cpu for each in taken.values())
        report(f"round {number} of {rounds}: {of_round:,.0f} ms of CPU")
    timed = (
        ScreenTime(address, *answers[address], first, _each(later, median), _each(later, p95))
        for address, (first, *later) in taken.items()
    )
    return sorted(timed, key=lambda each: -each.p95.cpu)


def cpu_seconds() -> float:
    """The processor time of this process and of the one with which PostgreSQL serves it. Raises
    OSError if that is on another machine."""
    of_server = 0.0
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        of_server = process_seconds(connection.connection.info.backend_pid)
    return time.process_time() + of_server


def _begin(answer: Any) -> int:
    """The bytes of an answer; of a file that is sent while it is written only the first of them."""
    if not answer.streaming:
        return len(answer.content)
    return len(async_to_sync(_first_part)(answer) if answer.is_async else next(iter(answer), b""))


async def _first_part(answer: StreamingHttpResponse) -> bytes:
    async for part in answer:
        return part
    return b""


def _each(taken: Sequence[Milliseconds], of: Callable[[Sequence[float]], float]) -> Milliseconds:
    return Milliseconds(of([each.cpu for each in taken]), of([each.wall for each in taken]))


def p95(values: Sequence[float]) -> float:
    """The least of the values that 95 % of them do not exceed."""
    return sorted(values)[ceil(0.95 * len(values)) - 1]
