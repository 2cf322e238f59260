"""Turns at hosts, in virtual seconds: who waits how long, and who is sent away."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from apps.engine.crawl.fetching.host_turns import LONGEST_TURN, HostTurns
from apps.engine.frontier.hosts import Hosts
from apps.engine.networking.politeness import Politeness
from tests.engine.crawl.virtual_time import run

HOST = "h.test"
DELAY = 2.0


def now() -> float:
    return asyncio.get_running_loop().time()


def turns_of(one_at_a_time: bool = True) -> HostTurns:
    return HostTurns(Hosts(one_at_a_time), Politeness(delay=DELAY), now)


def times_of(requests: int, seconds: float = 0.0, host_delay: float = 0.0) -> list[float]:
    """When each of so many simultaneous requests began, each of which takes `seconds`."""

    async def all_at_once() -> list[float]:
        turns = turns_of()
        turns._hosts.get_or_create(HOST).delay = host_delay
        begun: list[float] = []

        async def request() -> None:
            assert await turns.take(HOST)
            begun.append(now())
            await asyncio.sleep(seconds)
            turns.end(HOST)

        await asyncio.gather(*(request() for _ in range(requests)))
        return begun

    return run(all_at_once())


def test_the_first_request_is_made_at_once_and_each_after_its_delay():
    assert times_of(1) == [0.0]
    assert times_of(4) == [0.0, 2.0, 4.0, 6.0]


def test_the_longer_of_both_delays_is_kept():
    assert times_of(3, host_delay=7.0) == [0.0, 7.0, 14.0]
    assert times_of(3, host_delay=1.0) == [0.0, 2.0, 4.0]


@pytest.mark.parametrize("seconds", [0.5, 2.0, 11.0])
def test_the_delay_begins_when_the_request_has_ended_and_no_two_are_made_at_a_time(seconds):
    for earlier, later in pairwise(times_of(5, seconds)):
        assert later - earlier >= seconds + DELAY


def test_hosts_do_not_wait_for_each_other():
    async def two() -> float:
        turns = turns_of()
        assert await turns.take(HOST) and await turns.take("other.test")
        return now()

    assert run(two()) == 0.0


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        (0.0, (True, 0.0)),
        (5.0, (True, 5.0)),
        (300.0, (True, 300.0)),
        (300.5, (False, 0.0)),
        (3600.0, (False, 0.0)),
    ],
)
def test_a_host_that_rests_is_waited_for_five_minutes_at_most(rest, expected):
    async def take() -> tuple[bool, float]:
        turns = turns_of()
        turns._hosts.get_or_create(HOST).next_at = rest
        return await turns.take(HOST), now()

    assert LONGEST_TURN == 300.0
    assert run(take()) == expected


def test_who_is_sent_away_takes_no_turn():
    async def twice() -> tuple[bool, bool, float]:
        turns = turns_of()
        turns._hosts.get_or_create(HOST).next_at = 400.0
        first = await turns.take(HOST)
        await asyncio.sleep(200)
        return first, await turns.take(HOST), now()

    assert run(twice()) == (False, True, 400.0)


def test_a_rest_that_is_longer_than_the_delay_is_not_cut_short():
    async def after() -> float:
        turns = turns_of()
        assert await turns.take(HOST)
        turns._hosts.get_or_create(HOST).next_at = 60.0  # Retry-After, say
        turns.end(HOST)
        assert await turns.take(HOST)
        return now()

    assert run(after()) == 60.0


def test_on_a_recorded_web_nobody_waits():
    async def many() -> float:
        turns = turns_of(one_at_a_time=False)
        host = turns._hosts.get_or_create(HOST)
        host.next_at = 3600.0
        for _ in range(5):
            assert await turns.take(HOST)
        turns.end(HOST)
        assert host.next_at == 3600.0 and turns._taken == set()
        return now()

    assert run(many()) == 0.0
