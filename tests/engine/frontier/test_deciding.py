"""A frontier obeys changes of the decisions on hosts."""

from __future__ import annotations

from apps.engine.codes import Exclusion
from apps.engine.frontier.deciding import decide_hosts
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from tests.engine.frontier.test_queue import fetch_next, frontier, offer

A, B, C = (f"http://{name}.test/1" for name in "abc")


def waiting(f: Frontier) -> set[str]:
    return {f.urls[number] for number in f.waiting_numbers().tolist()}


def test_a_host_that_is_out_waits_no_more_until_it_is_undecided_again():
    f = frontier(one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {A: 0.9, B: 0.5})
    decide_hosts(f, {"a.test": False}, 0.0)
    offer(f, 0, {"http://a.test/2": 0.8})
    assert waiting(f) == {B}
    assert f.excluded[Exclusion.HOST_OUT] == 2
    decide_hosts(f, {"a.test": None}, 0.0)
    assert [fetch_next(f) for _ in range(3)] == [A, "http://a.test/2", B]
    assert f.excluded[Exclusion.HOST_OUT] == 0


def test_a_seed_of_a_host_that_is_out_is_not_fetched():
    f = frontier(scope=Scope(hosts_out=("h0.test",)))
    assert fetch_next(f) is None
    decide_hosts(f, {"h0.test": None}, 0.0)
    assert fetch_next(f) == "http://h0.test/seed0"


def test_only_hosts_that_are_in_are_followed_but_every_seed_is_fetched():
    f = frontier(scope=Scope(hosts_in=("a.test",), reach="in"), one_at_a_time=False)
    assert fetch_next(f) == "http://h0.test/seed0"
    offer(f, 0, {A: 0.1, B: 0.9})
    assert waiting(f) == {A}
    decide_hosts(f, {"b.test": True, "a.test": None}, 0.0)
    assert waiting(f) == {B}


def test_one_link_beyond_a_host_that_is_in_is_followed_and_not_two():
    f = frontier(scope=Scope(hosts_in=("h0.test",), reach="one_link"), one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {B: 0.9})
    assert fetch_next(f) == B
    offer(f, f.number(B), {C: 0.9, "http://h0.test/2": 0.8})
    assert waiting(f) == {"http://h0.test/2"}
    fetch_next(f)
    offer(f, f.number("http://h0.test/2"), {C: 0.7})
    assert waiting(f) == {C}


def test_what_is_beyond_is_stored_and_follows_the_decisions():
    f = frontier(scope=Scope(reach="one_link"), one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {A: 0.9, B: 0.8})
    assert waiting(f) == set()
    decide_hosts(f, {"h0.test": True}, 0.0)
    again = Frontier(Scope(), one_at_a_time=False)
    again.restore(f.snapshot(0.0), f.urls, 0.0)
    assert waiting(again) == {A, B}
    decide_hosts(again, {"h0.test": None}, 0.0)
    assert waiting(again) == set()
