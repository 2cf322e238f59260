"""The rate limit of a whole crawl: it delays requests and changes nothing else."""

from __future__ import annotations

from itertools import count

import pytest

from apps.engine.codes import StopReason
from apps.engine.crawl.fetching.pace import Pace
from tests.engine.crawl.crawls import batches_of, recorded_crawl, requests_of
from tests.made_web import MadeWeb

WEB = MadeWeb()
ONCE_AN_HOUR = {"pages_per_second": 1 / 3600}


class Moments:
    """A clock that stands until it is set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_requests_are_spaced_evenly_and_a_late_one_does_not_slow_the_rest():
    clock = Moments()
    pace = Pace(4.0, clock)
    assert pace.is_open()
    pace.start()
    assert (pace.is_open(), pace.next_time()) == (False, 100.25)
    clock.now = 100.3
    pace.start()
    assert pace.next_time() == 100.5


def test_one_that_is_late_by_a_whole_interval_counts_from_itself():
    clock = Moments()
    pace = Pace(4.0, clock)
    pace.start()
    clock.now = 100.5
    pace.start()
    assert pace.next_time() == 100.75


def test_a_long_wait_is_not_made_up_for():
    clock = Moments()
    pace = Pace(4.0, clock)
    pace.start()
    clock.now = 160.0
    pace.start()
    assert pace.next_time() == 160.25


def test_without_a_limit_it_is_always_open():
    pace = Pace(None, Moments())
    pace.start()
    assert pace.is_open()


@pytest.mark.parametrize("recorded", [True, False])
async def test_a_crawl_keeps_to_its_pace_until_that_is_lifted(recorded):
    crawl = recorded_crawl(WEB, budget=20, batch_seconds=0.01, recorded=recorded)
    crawl.start()
    crawl.change("pace", ONCE_AN_HOUR)
    paced = []

    def lift(batch):
        if paced.count(1) < 5:
            paced.append(batch.totals.requests)
            if paced.count(1) == 5:
                crawl.change("pace", {"pages_per_second": None})

    batches = await batches_of(crawl, lift)
    # On a busy machine a batch may end before its first request has.
    assert max(paced) == 1
    assert batches[-1].finished is StopReason.BUDGET_REACHED


async def test_a_halt_ends_the_wait_for_the_pace():
    crawl = recorded_crawl(WEB, budget=20, batch_requests=1)
    crawl.start()
    crawl.change("pace", ONCE_AN_HOUR)
    batches = await batches_of(crawl, lambda batch: crawl.halt(StopReason.STOPPED_BY_USER))
    assert [batch.totals.requests for batch in batches] == [1, 1]
    assert batches[-1].finished is StopReason.STOPPED_BY_USER


async def test_the_pace_changes_nothing_of_what_is_fetched():
    fast, slow = (recorded_crawl(WEB, "full_page", budget=20) for _ in range(2))
    fast.start()
    slow.start()
    slow.change("pace", {"pages_per_second": 500.0})
    assert requests_of(await batches_of(fast)) == requests_of(await batches_of(slow))


@pytest.mark.parametrize("recorded", [True, False])
async def test_a_pace_that_opens_between_two_looks_at_the_clock_ends_no_crawl(recorded):
    ticks = count(1)
    # Each look is later by a fifth of the interval, so that it opens at every place in turn.
    crawl = recorded_crawl(WEB, budget=20, recorded=recorded, clock=lambda: next(ticks) * 0.0004)
    crawl.start()
    crawl.change("pace", {"pages_per_second": 500.0})
    assert (await batches_of(crawl))[-1].finished is StopReason.BUDGET_REACHED
