"""The frontier against a slow and obvious twin, and its rules one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.engine.codes import Exclusion
from apps.engine.frontier import host_queues
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.url_states import UrlState
from apps.engine.frontier.view import FrontierView
from tests.engine.frontier.frontiers import fetch_next, frontier, offer


def test_it_gives_seeds_first_in_their_order_and_then_the_best_link():
    f = frontier(seeds=2, one_at_a_time=False)
    assert fetch_next(f) == "http://h0.test/seed0"
    offer(f, 0, {"http://a.test/1": 0.2, "http://b.test/2": 0.9, "http://a.test/3": 0.9})
    assert [fetch_next(f) for _ in range(5)] == [
        "http://h0.test/seed1",
        "http://b.test/2",
        "http://a.test/3",
        "http://a.test/1",
        None,
    ]


def test_it_leaves_a_host_alone_until_its_time_has_come():
    f = frontier(one_at_a_time=True)
    fetch_next(f, now=0.0, next_at=5.0)
    offer(f, 0, {"http://h0.test/best": 0.9, "http://other.test/worse": 0.1})
    assert fetch_next(f, now=1.0) == "http://other.test/worse"
    assert f.pick(1.0) is None
    assert f.hosts.next_time(1.0) == 5.0
    assert f.hosts.next_time(6.0) == 6.0
    assert fetch_next(f, now=6.0) == "http://h0.test/best"
    assert f.hosts.next_time(6.0) is None


def test_it_asks_a_host_once_at_a_time():
    f = frontier()
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.5, "http://a.test/2": 0.4})
    first = f.pick(0.0)
    assert f.pick(0.0) is None
    f.failed(first, 0.0, 0.0)
    assert f.urls[f.pick(0.0)] == "http://a.test/2"


def test_a_host_closes_when_it_has_given_enough_pages():
    f = frontier(scope=Scope(pages_per_host=2), one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://h0.test/1": 0.9, "http://h0.test/2": 0.8, "http://a.test/3": 0.1})
    assert fetch_next(f) == "http://h0.test/1"
    assert f.excluded == {"host_limit": 1}
    assert fetch_next(f) == "http://a.test/3"


def test_a_page_reached_by_redirect_is_not_fetched_again():
    f = frontier(one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://a.test/old": 0.9, "http://a.test/new": 0.5})
    old = f.pick(0.0)
    f.fetched(old, 0.0)
    f.answered_elsewhere(old, "http://a.test/new")
    assert f.pick(0.0) is None
    assert f.excluded == {"alias": 1}
    assert f.page_at("http://a.test/new") == old


def test_a_page_is_at_a_url_once_it_was_fetched():
    f = frontier(seeds=1)
    assert f.page_at("http://h0.test/seed0") is None
    assert f.page_at("http://h0.test/unknown") is None
    fetch_next(f)
    assert f.page_at("http://h0.test/seed0") == 0


def test_of_some_urls_it_returns_those_that_wait():
    f = frontier(seeds=2, one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.9, "http://a.test/2": None})
    assert f.waiting_numbers().tolist() == [1, 2]
    assert FrontierView(f).waiting_among(np.array([3, 2, 0, 1])).tolist() == [2, 1]


def test_everything_discovered_is_counted_once():
    f = frontier(seeds=3, scope=Scope(depth=1), one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.9, "http://a.test/2": None, "http://a.test/3.pdf": 0.1})
    f.failed(f.pick(0.0), 0.0)
    in_flight = f.pick(0.0)
    assert in_flight is not None
    counts = f.counts
    total = sum(counts[state] for state in UrlState)
    assert total == len(f) == 6
    assert counts[UrlState.NEW] == 0


def test_drain_reports_each_url_once_and_each_change_once():
    f = frontier(one_at_a_time=False)
    new, changed = f.drain()
    assert [entry.url for entry in new] == ["http://h0.test/seed0"]
    assert changed == []
    number = f.pick(0.0)
    assert f.drain()[1][0].state is UrlState.WAITING  # should the process end, it waits
    f.fetched(number, 0.0)
    new, changed = f.drain()
    assert new == []
    assert [(c.number, c.state) for c in changed] == [(0, UrlState.FETCHED)]
    assert f.drain() == ([], [])


def test_a_snapshot_brings_back_the_same_order():
    f = frontier(seeds=2, one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {f"http://h{i % 3}.test/{i}": (i * 7 % 10) / 10 for i in range(20)})
    f.pick(0.0)
    again = Frontier(Scope(), one_at_a_time=False)
    again.restore(f.snapshot(0.0), f.urls, 0.0)
    # What was in flight waits again, and comes first.
    expected = ["http://h0.test/seed1"]
    while (url := fetch_next(f)) is not None:
        expected.append(url)
    assert [fetch_next(again) for _ in expected] == expected
    assert again.pick(0.0) is None


def test_each_link_has_its_page_also_after_a_snapshot():
    f = frontier(one_at_a_time=False)
    for page, links in ((0, "abc"), (1, ""), (2, "ba"), (2, "c"), (3, "d")):
        f.discover([f"http://h0.test/{link}" for link in links], page)
    again = Frontier(Scope(), one_at_a_time=False)
    again.restore(f.snapshot(0.0), f.urls, 0.0)
    for each in (f, again):
        each.discover(["http://h0.test/a"], 3)
        rows, pages = each.edges(np.arange(1, 5))  # the seed has number 0
        assert rows.tolist() == [0, 1, 2, 1, 0, 2, 3, 0]
        assert pages.tolist() == [0, 0, 0, 2, 2, 2, 3, 3]
        assert sorted(each.targets(np.array([2]))) == [1, 2, 3]
    empty = Frontier(Scope())
    empty.restore(Frontier(Scope()).snapshot(0.0), [], 0.0)
    assert empty.edges(np.arange(0))[1].tolist() == []


def test_an_excluded_host_is_not_asked_and_comes_back():
    f = frontier(one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.9, "http://b.test/2": 0.1})
    f.hosts.get_or_create("a.test").excluded = True
    assert fetch_next(f) == "http://b.test/2"
    assert f.pick(0.0) is None
    host = f.hosts.get_or_create("a.test")
    host.excluded = False
    f.hosts.reschedule(host, 0.0)
    assert fetch_next(f) == "http://a.test/1"


def test_an_excluded_pattern_is_readmitted():
    f = frontier(one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.9})
    number = f.number("http://a.test/1")
    f.exclude(number, Exclusion.PATTERN)
    assert f.pick(0.0) is None
    assert f.excluded_for(Exclusion.PATTERN) == [number]
    f.readmit(number, 0.0)
    assert fetch_next(f) == "http://a.test/1"


def test_what_is_readmitted_does_not_come_back_to_a_host_that_has_given_enough():
    f = frontier(scope=Scope(pages_per_host=2), one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://h0.test/1": 0.9, "http://h0.test/2": 0.8})
    number = f.number("http://h0.test/2")
    f.exclude(number, Exclusion.PATTERN)
    fetch_next(f)
    f.readmit(number, 0.0)
    assert f.waiting == 0 and f.excluded["host_limit"] == 1 and f.pick(0.0) is None


def test_retries_are_counted_until_a_url_is_fetched_or_has_failed():
    f = frontier(seeds=2)
    for end in (f.fetched, f.failed):
        number = f.pick(0.0)
        assert f.retries(number) == 0
        for count in (1, 2):
            f.retry(number, 0.0, 0.0)
            assert f.retries(number) == count and f.pick(0.0) == number
        end(number, 0.0)
        assert f.retries(number) == 0
    assert f.pick(9.0) is None


def test_a_failed_url_can_be_tried_again_as_if_it_were_new():
    f = frontier()
    number = f.pick(0.0)
    f.host_of(number).failures = 3
    f.failed(number, 0.0)
    f.drain()
    f.try_again(number, 1.0)
    assert f.host_of(number).failures == 0 and f.retries(number) == 0
    assert [(c.number, c.state) for c in f.drain()[1]] == [(number, UrlState.WAITING)]
    assert f.pick(1.0) == number
    f.fetched(number, 1.0)
    f.try_again(number, 2.0)
    assert f.state_of(number) is UrlState.FETCHED and f.pick(2.0) is None


def test_a_host_rests_before_a_retry():
    f = frontier()
    number = f.pick(0.0)
    f.retry(number, 0.0, 5.0)
    assert f.pick(4.9) is None and f.pick(5.0) == number


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("link"), st.integers(0, 30), st.integers(0, 4), st.floats(0, 1)),
        st.tuples(st.just("pick"), st.floats(0, 3)),
        st.tuples(st.just("later"), st.floats(0.01, 2)),
        st.tuples(st.just("rank"), st.integers(0, 99)),
    ),
    max_size=80,
)


@pytest.mark.usefixtures("fewest_pushed")
@settings(max_examples=300, deadline=None)
@given(steps=STEPS, one_at_a_time=st.booleans(), replaces=st.booleans())
def test_it_picks_what_a_search_through_everything_would_pick(steps, one_at_a_time, replaces):
    """The twin keeps a dictionary and looks at all of it each time."""
    f = Frontier(Scope(), replaces=replaces, one_at_a_time=one_at_a_time)
    f.seed("http://seed.test/", 0.0)
    f.fetched(f.pick(0.0), 0.0)
    now = 0.0
    waiting: dict[int, float] = {}
    free_at: dict[str, float] = {}
    for step in steps:
        if step[0] == "link":
            _, page, host, score = step
            url = f"http://h{host}.test/{page}"
            offer(f, 0, {url: score}, now)
            number = f.number(url)
            if f.state_of(number) is UrlState.WAITING:
                old = 0.0 if replaces else waiting.get(number, 0.0)
                waiting[number] = max(old, score)
        elif step[0] == "later":
            now += step[1]
        elif step[0] == "rank":
            numbers = f.waiting_numbers()
            ranks = np.random.default_rng(step[1]).integers(0, 5, len(numbers)) / 4
            f.replace_priorities(numbers, ranks, now)
            waiting = dict(zip(numbers.tolist(), ranks.tolist(), strict=True))
        else:
            askable = [
                (-priority, number)
                for number, priority in waiting.items()
                if not one_at_a_time or free_at.get(f.host_of(number).name, 0.0) <= now
            ]
            expected = min(askable)[1] if askable else None
            picked = f.pick(now)
            assert picked == expected
            if picked is not None:
                del waiting[picked]
                free_at[f.host_of(picked).name] = now + step[1]
                f.fetched(picked, now, now + step[1])


def test_few_keys_stand_in_the_queues_however_many_wait(monkeypatch):
    monkeypatch.setattr(host_queues, "FEWEST_PUSHED", 100)
    f = Frontier(Scope())
    f.seed("http://seed.test/", 0.0)
    f.fetched(f.pick(0.0), 0.0)
    for page in range(100):
        links = {f"http://h{n % 3}.test/{page}/{n}": (n * 7 % 40) / 40 for n in range(40)}
        offer(f, 0, links, 0.0)
        f.offer(f.discover([*links], 0), [None, *[0.5] * 39], 0, 0.0)  # some priorities change
        queued = sum(len(host.queue) for host in f.hosts.all)
        assert queued <= 100 + f.waiting // 4 + 2 * len(f.hosts.all) + 80
    assert f.waiting == 4_000
