"""A million waiting URLs: their cost in memory and time hardly grows with their number."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import count

import numpy as np
import pytest

from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from tests.memory import resident

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not os.environ.get("CRAWLSITE_SOAK"), reason="a million URLs: make soak"),
]

WAITING, LINKS, HOSTS = 1_000_000, 50, 5_000
STEP = 200_000
MOST_MEGABYTES = 1_000
MOST_GROWTH = 1.6


def test_a_million_waiting_urls_fit_in_a_gigabyte_and_each_costs_as_before():
    before, frontier = resident(), Frontier(Scope())
    frontier.seed("http://h0.test/", 0.0)
    costs = list(filled(frontier))
    used = (resident() - before) / 2**20
    for waiting, link, pick in costs:
        print(f"{waiting:,} waiting: {link:.1f} µs a link, {pick:.1f} µs to end a page and pick")
    print(f"{used:.0f} MB for {frontier.waiting:,} waiting URLs")
    assert used < MOST_MEGABYTES
    first, last = costs[0], costs[-1]
    assert last[1] < MOST_GROWTH * first[1] and last[2] < MOST_GROWTH * first[2]


def filled(frontier: Frontier) -> Iterator[tuple[int, float, float]]:
    """Fetches pages of fifty new links each until a million wait. At each step (waiting,
    microseconds of CPU a link found and offered, microseconds a page ended and the next picked)."""
    draw, numbers, now = np.random.default_rng(1), count(1), 0.0
    page, pages, links_cost, picks_cost = frontier.pick(now), 0, 0.0, 0.0
    while frontier.waiting < WAITING:
        now += 0.001
        urls = [address(next(numbers)) for _ in range(LINKS)]
        scores = draw.random(LINKS)
        began = time.process_time()
        frontier.offer(frontier.discover(urls, page), scores, page, now)
        offered = time.process_time()
        frontier.fetched(page, now, now + 0.0005)
        page = frontier.pick(now)
        picks_cost += time.process_time() - offered
        links_cost += offered - began
        pages += 1
        if pages * LINKS % STEP == 0:
            yield frontier.waiting, 1e6 * links_cost / STEP, 1e6 * picks_cost * LINKS / STEP
            links_cost = picks_cost = 0.0


def address(number: int) -> str:
    return f"http://h{number * 7919 % HOSTS}.test/folder/of/pages/{number}-an-article.html"
