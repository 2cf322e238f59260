"""Frontiers for tests, and what a crawl does to them."""

from __future__ import annotations

from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope


def frontier(seeds: int = 1, hosts: int = 1, **options) -> Frontier:
    made = Frontier(options.pop("scope", Scope()), **options)
    for i in range(seeds):
        made.seed(f"http://h{i % hosts}.test/seed{i}", 0.0)
    return made


def offer(f: Frontier, page: int, links: dict[str, float | None], now: float = 0.0) -> None:
    numbers = f.discover(list(links), page)
    f.offer(numbers, list(links.values()), page, now)


def fetch_next(f: Frontier, now: float = 0.0, next_at: float = 0.0) -> str | None:
    number = f.pick(now)
    if number is None:
        return None
    f.fetched(number, now, next_at)
    return f.urls[number]
