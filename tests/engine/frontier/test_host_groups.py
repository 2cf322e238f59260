"""Hosts of one domain or address: only a few are asked at once, pauses included."""

from __future__ import annotations

import pytest

from apps.engine.frontier.hosts import GroupLimits
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope


def frontier(hosts: list[str], **limits) -> Frontier:
    made = Frontier(Scope(), limits=GroupLimits(**limits, pause=1.0))
    for host in hosts:
        for page in "ab":
            made.seed(f"http://{host}/{page}", 0.0)
    return made


def picked(f: Frontier, now: float) -> list[str]:
    """The hosts of all URLs that may be asked now, each answered at once; they rest a second."""
    numbers = []
    while (number := f.pick(now)) is not None:
        numbers.append(number)
    for number in numbers:
        f.fetched(number, now, now + 1.0)
    return [f.host_of(number).name for number in numbers]


MANY = [f"u{i}.example.com" for i in range(6)]


def test_two_hosts_of_a_domain_are_asked_in_a_second_and_all_in_the_end():
    f = frontier(MANY, domain=2)
    rounds = [picked(f, float(now)) for now in range(6)]
    assert [len(hosts) for hosts in rounds] == [2] * 6
    assert f.waiting == 0 and f.hosts.next_time(9.0) is None


def test_other_domains_are_not_held_up_and_shared_names_are_domains_of_their_own():
    own = ["a.org", "b.org", "www.c.org", *(f"u{i}.github.io" for i in range(5))]
    assert sorted(picked(frontier([*MANY, *own], domain=2), 0.0)) == sorted([*MANY[:2], *own])


def test_the_next_time_is_the_end_of_the_first_pause():
    f = frontier(MANY, domain=2)
    first, second = f.pick(0.0), f.pick(0.0)
    assert f.pick(0.0) is None and f.hosts.next_time(0.0) is None
    f.fetched(first, 0.5, 1.5)
    assert f.pick(1.4) is None and f.hosts.next_time(1.0) == 1.5
    third = f.pick(1.5)
    assert third is not None and f.pick(1.5) is None
    f.put_back(third, 1.5)
    assert f.pick(1.5) == third
    f.failed(second, 1.6, 900.0)  # a host that is down holds up no others
    assert f.pick(2.5) is None and f.pick(2.6) is not None


def test_an_excluded_host_gives_its_turn_to_the_next():
    f = frontier(MANY[:3], domain=1)
    number = f.pick(0.0)
    for host in MANY[:3]:
        f.hosts.get_or_create(host).excluded = host != MANY[2]
    f.fetched(number, 0.0, 1.0)
    assert picked(f, 1.0) == [MANY[2]]


def test_hosts_of_an_address_are_counted_once_it_is_learned():
    hosts = [f"h{i}.test" for i in range(5)]
    f = frontier(hosts, address=2)
    numbers = [f.pick(0.0) for _ in hosts]
    fits = []
    for number in numbers:
        host = f.host_of(number)
        assert f.hosts.lacks_address(host)
        fits.append(f.hosts.learn_address(host, "192.0.2.1", 0.0))
        assert not f.hosts.lacks_address(host)
    assert fits == [True, True, False, False, False]
    for number, has_room in zip(numbers, fits, strict=True):
        if has_room:
            f.fetched(number, 0.0, 1.0)
        else:
            f.put_back(number, 0.0)
    assert [len(picked(f, float(now))) for now in (1, 2, 3, 4, 5)] == [2, 2, 2, 1, 1]
    assert f.waiting == 0


@pytest.mark.parametrize("one_at_a_time", [True, False])
def test_without_a_limit_and_on_a_recorded_web_all_are_asked(one_at_a_time):
    limits = GroupLimits() if one_at_a_time else GroupLimits(1, 1, 1.0)
    f = Frontier(Scope(), one_at_a_time=one_at_a_time, limits=limits)
    for host in MANY:
        f.seed(f"http://{host}/", 0.0)
    assert all(f.pick(0.0) is not None for _ in MANY)


def test_a_rebuilt_queue_loses_nobody():
    f = frontier(MANY, domain=2)
    picked(f, 0.0)
    assert f.pick(0.5) is None
    f.rebuild(0.5)
    assert [len(picked(f, 1.0 + now)) for now in range(5)] == [2] * 5
