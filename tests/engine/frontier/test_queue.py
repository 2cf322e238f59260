"""The frontier against a slow and obvious twin, and its rules one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.engine.codes import Exclusion
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.url_states import UrlState
from apps.engine.frontier.view import FrontierView


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


@pytest.mark.parametrize(
    ("policy", "expected"), [("max", 0.6), ("first", 0.2), ("mean", 0.4), ("sum", 0.8)]
)
def test_it_combines_many_parents_by_the_policy(policy, expected):
    f = frontier(seeds=2, policy=policy, one_at_a_time=False)
    fetch_next(f)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.2})
    offer(f, 1, {"http://a.test/1": 0.6})
    assert f.priority[f.number("http://a.test/1")] == pytest.approx(expected)
    view = FrontierView(f)
    _, pages = view.edges()
    scores = np.where(pages == 0, 0.2, 0.6)
    assert view.combine(scores).tolist() == pytest.approx([expected])


def test_the_parent_is_the_page_whose_link_raised_the_priority():
    f, parents = frontier(seeds=3), []
    for page, score in enumerate((0.3, 0.6, 0.4)):
        offer(f, page, {"http://a.test/": score})
        parents.append(f.parent[3])
    assert parents == [0, 1, 1]


def test_a_score_of_a_url_replaces_the_earlier_one():
    f = frontier(seeds=2, replaces=True, one_at_a_time=False)
    fetch_next(f)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.9})
    offer(f, 1, {"http://a.test/1": 0.3})
    assert f.priority[f.number("http://a.test/1")] == 0.3


def test_a_rejected_link_may_come_back():
    f = frontier(seeds=2, one_at_a_time=False)
    fetch_next(f)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": None})
    assert f.pick(0.0) is None
    assert f.excluded == {"rejected_by_strategy": 1}
    offer(f, 1, {"http://a.test/1": 0.4})
    assert fetch_next(f) == "http://a.test/1"
    assert +f.excluded == {}


def test_scope_excludes_by_the_first_rule_and_depth_can_be_mended():
    scope = Scope(deny_hosts=("bad.test",), deny_patterns=("*/calendar/*",), depth=1)
    f = frontier(seeds=2, scope=scope, one_at_a_time=False)
    fetch_next(f)
    offer(
        f,
        0,
        {
            "http://www.bad.test/calendar/": 1.0,
            "http://a.test/calendar/1": 1.0,
            "http://a.test/x.pdf": 1.0,
            "http://a.test/near": 0.5,
        },
    )
    assert f.excluded == {"host_denied": 1, "pattern": 1, "extension": 1}
    near = f.number("http://a.test/near")
    assert f.state_of(near) is UrlState.WAITING
    fetch_next(f)
    fetch_next(f)
    offer(f, near, {"http://a.test/far": 0.5})
    assert f.excluded["depth"] == 1
    offer(f, 1, {"http://a.test/far": 0.5})
    assert f.excluded["depth"] == 0
    assert fetch_next(f) == "http://a.test/far"


def test_a_host_closes_when_it_has_given_enough_pages():
    f = frontier(scope=Scope(pages_per_host=2), one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://h0.test/1": 0.9, "http://h0.test/2": 0.8, "http://a.test/3": 0.1})
    assert fetch_next(f) == "http://h0.test/1"
    assert f.excluded == {"host_limit": 1}
    assert fetch_next(f) == "http://a.test/3"


def full(cap: int, **options) -> Frontier:
    """A frontier of that maximum whose one seed has been fetched."""
    f = frontier(scope=Scope(frontier_cap=cap), one_at_a_time=False, **options)
    fetch_next(f)
    return f


def test_a_full_frontier_counts_what_it_puts_out():
    f = full(2)
    offer(f, 0, {f"http://a.test/{i}": 0.5 for i in range(5)})
    assert f.waiting == 2
    assert f.excluded == {"frontier_cap": 3}
    assert [fetch_next(f), fetch_next(f)] == ["http://a.test/0", "http://a.test/1"]


def test_a_better_link_takes_the_place_of_the_weakest():
    f = full(2)
    for i, score in enumerate((0.1, 0.1, 0.99)):
        offer(f, 0, {f"http://a.test/{i}": score})
    assert [f.urls[n] for n in f.head(9)] == ["http://a.test/2", "http://a.test/0"]
    assert f.excluded == {"frontier_cap": 1}


def test_what_was_put_out_comes_back_when_there_is_room():
    f = full(2)
    offer(f, 0, {f"http://a.test/{i}": i / 10 for i in range(5)})
    assert [fetch_next(f) for _ in range(6)] == [
        *(f"http://a.test/{i}" for i in (4, 3, 2, 1, 0)),
        None,
    ]
    assert +f.excluded == {}


def test_a_further_link_takes_in_what_was_put_out_and_a_worse_score_puts_out():
    f = full(1, replaces=True)
    offer(f, 0, {"http://a.test/1": 0.5, "http://a.test/2": 0.4})
    offer(f, 0, {"http://a.test/2": 0.6})
    assert [f.urls[n] for n in f.head(9)] == ["http://a.test/2"]
    offer(f, 0, {"http://a.test/2": 0.2})
    assert [f.urls[n] for n in f.head(9)] == ["http://a.test/1"]


def test_a_rejected_link_that_comes_back_may_be_put_out_first():
    f = full(1)
    offer(f, 0, {"http://a.test/1": 0.5, "http://a.test/2": None})
    offer(f, 0, {"http://a.test/2": 0.4})
    assert f.excluded == {"frontier_cap": 1, "rejected_by_strategy": 0}
    assert [fetch_next(f), fetch_next(f)] == ["http://a.test/1", "http://a.test/2"]


def test_seeds_are_never_put_out():
    f = frontier(seeds=3, scope=Scope(frontier_cap=2), one_at_a_time=False)
    assert f.waiting == 3
    f.fetched(f.pick(0.0), 0.0)
    offer(f, 0, {"http://a.test/1": 1.0})
    assert [fetch_next(f) for _ in range(3)] == [
        "http://h0.test/seed1",
        "http://h0.test/seed2",
        "http://a.test/1",
    ]


def test_what_was_put_out_does_not_come_back_to_a_host_that_has_given_enough():
    f = frontier(scope=Scope(frontier_cap=1, pages_per_host=1), one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.9, "http://a.test/2": 0.8, "http://b.test/3": 0.1})
    assert [fetch_next(f) for _ in range(3)] == ["http://a.test/1", "http://b.test/3", None]
    assert +f.excluded == {"host_limit": 1}


def test_the_maximum_survives_a_checkpoint():
    f = full(3)
    offer(f, 0, {f"http://h{i % 3}.test/{i}": (i * 7 % 10) / 10 for i in range(20)})
    again = Frontier(Scope(), one_at_a_time=False)
    again.restore(f.snapshot(0.0), f.urls, 0.0)
    expected = [fetch_next(f) for _ in range(21)]
    assert [fetch_next(again) for _ in range(21)] == expected
    assert expected[-2:] != [None, None]


LINKS = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 20), st.floats(0, 1)),
        st.just("pick"),
        st.just("keep"),
        st.just("rebuild"),
    ),
    max_size=60,
)


@settings(max_examples=300, deadline=None)
@given(links=LINKS, cap=st.integers(1, 4), policy=st.sampled_from(["max", "mean", "first"]))
def test_those_that_wait_are_always_the_best_of_all(links, cap, policy):
    """The twin sorts everything that has a score and was not picked."""
    f = full(cap, policy=policy)
    for link in links:
        if link == "pick":
            if (number := f.pick(0.0)) is not None:
                f.fetched(number, 0.0)
        elif link == "rebuild":
            f.rebuild(0.0)
        elif link == "keep":
            again = Frontier(Scope(), policy, one_at_a_time=False)
            again.restore(f.snapshot(0.0), f.urls, 0.0)
            f = again
        else:
            offer(f, 0, {f"http://h{link[0] % 3}.test/{link[0]}": link[1]})
        out = f.excluded_for(Exclusion.FRONTIER_CAP)
        everything = sorted(
            [*f.waiting_numbers().tolist(), *out], key=lambda number: (-f.priority[number], number)
        )
        assert f.head(99) == everything[:cap]


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


def test_of_some_urls_it_tells_which_wait():
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


def test_drain_tells_each_url_once_and_each_change_once():
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


def test_new_priorities_reorder_the_whole_queue_but_not_the_seeds():
    f = frontier(seeds=2, one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.9, "http://b.test/2": 0.1})
    view = FrontierView(f)
    f.replace_priorities(view.numbers, np.array([0.0, 0.2, 0.8]), 0.0)
    assert [fetch_next(f) for _ in range(3)] == [
        "http://h0.test/seed1",
        "http://b.test/2",
        "http://a.test/1",
    ]


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


def test_a_link_that_becomes_a_seed_has_priority_one_no_parent_and_no_depth():
    f = frontier()
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.2})
    number = f.number("http://a.test/1")
    assert (f.parent[number], f.depth[number]) == (0, 1)
    f.seed("http://a.test/1", 0.0)
    assert (f.priority[number], f.parent[number], f.depth[number]) == (1.0, -1, 0)


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


def test_a_seed_is_counted_by_its_canonical_url_and_requested_as_written():
    f = frontier(seeds=0)
    f.seed("http://a.test/~owl", 0.0, "http://a.test/%7Eowl")
    assert f.urls[f.pick(0.0)] == "http://a.test/~owl"
    assert f.spelling("http://a.test/~owl") == "http://a.test/%7Eowl"


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


@pytest.mark.parametrize("returns", [True, False])
def test_a_link_readmits_what_a_trap_alone_kept_out_and_nothing_else(monkeypatch, returns):
    f = frontier(seeds=2, scope=Scope(deny_hosts=("bad.test",)), one_at_a_time=False)
    fetch_next(f)
    links = {"http://a.test/trap": 0.5, "http://a.test/waits": 0.5, "http://bad.test/": 0.5}
    offer(f, 0, links)
    f.exclude(f.number("http://a.test/trap"), Exclusion.TRAP)
    monkeypatch.setattr(f.traps, "returns", lambda url: returns)
    numbers = f.discover([*links, "http://h0.test/seed0"], 1)
    assert [f.state_of(number) for number in numbers] == [
        UrlState.NEW if returns else UrlState.EXCLUDED,
        UrlState.WAITING,
        UrlState.EXCLUDED,
        UrlState.FETCHED,
    ]
    assert +f.excluded == {"host_denied": 1, **({} if returns else {"trap": 1})}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("link"), st.integers(0, 30), st.integers(0, 4), st.floats(0, 1)),
        st.tuples(st.just("pick"), st.floats(0, 3)),
        st.tuples(st.just("later"), st.floats(0.01, 2)),
        st.tuples(st.just("rank"), st.integers(0, 99)),
    ),
    max_size=80,
)


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


def test_some_priorities_change_and_only_their_places():
    f = frontier(one_at_a_time=False)
    fetch_next(f)
    f.seed("http://s.test/", 0.0)
    offer(f, 0, {f"http://{host}.test/{i}": 0.1 * i for host in "ab" for i in range(1, 6)})
    f.rebuild(0.0)
    number = {url: f.number(url) for url in f.urls}
    changed = ["http://a.test/1", "http://a.test/5", "http://b.test/3", "http://s.test/"]
    f.change_priorities(
        np.array([number[url] for url in changed]), np.array([0.9, 0.05, 0.3, 0.0]), 0.0
    )
    order = [fetch_next(f) for _ in range(12)]
    assert order == [
        "http://s.test/",
        "http://a.test/1",
        "http://b.test/5",
        "http://a.test/4",
        "http://b.test/4",
        "http://a.test/3",
        "http://b.test/3",
        "http://a.test/2",
        "http://b.test/2",
        "http://b.test/1",
        "http://a.test/5",
        None,
    ]


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 29), st.integers(0, 9)), max_size=12), max_size=8)
)
@settings(max_examples=60, deadline=None)
def test_changing_some_priorities_is_replacing_all_with_these_changed(rounds):
    one, other = (frontier(one_at_a_time=False) for _ in range(2))
    for f in (one, other):
        fetch_next(f)
        offer(f, 0, {f"http://h{i % 4}.test/{i}": (i * 7 % 10) / 10 for i in range(30)})
    for changes in rounds:
        latest = {i + 1: score / 10 for i, score in changes}
        waiting = one.waiting_numbers()
        numbers = np.array([n for n in waiting if n in latest], np.int64)
        one.change_priorities(numbers, np.array([latest[n] for n in numbers.tolist()]), 0.0)
        column = np.array(other.priority)[waiting]
        replaced = [latest.get(n, old) for n, old in zip(waiting.tolist(), column, strict=True)]
        other.replace_priorities(waiting, np.array(replaced), 0.0)
        assert fetch_next(one) == fetch_next(other)
    assert [fetch_next(one) for _ in range(31)] == [fetch_next(other) for _ in range(31)]


def test_the_links_of_a_page_that_is_not_collected_inherit_its_priority():
    f = frontier(one_at_a_time=False)
    fetch_next(f)
    offer(f, 0, {"http://a.test/list": 0.6, "http://a.test/best": 0.9, "http://a.test/last": 0.1})
    page = f.number("http://a.test/list")
    f.follow(("http://a.test/item", "http://a.test/last", "http://a.test/i.pdf"), page, 0.0)
    item = f.number("http://a.test/item")
    assert (f.priority[item], f.parent[item], f.depth[item]) == (0.6, page, 2)
    assert f.state_of(f.number("http://a.test/i.pdf")) == UrlState.EXCLUDED
    f.replace_priorities(f.waiting_numbers(), np.zeros(f.waiting), 0.0)
    assert fetch_next(f) == "http://a.test/item"  # no score replaces what has none
