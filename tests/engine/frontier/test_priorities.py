"""The priorities of waiting URLs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.engine.frontier.url_states import UrlState
from apps.engine.frontier.view import FrontierView
from tests.engine.frontier.frontiers import fetch_next, frontier, offer


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


def test_a_link_that_becomes_a_seed_has_priority_one_no_parent_and_no_depth():
    f = frontier()
    fetch_next(f)
    offer(f, 0, {"http://a.test/1": 0.2})
    number = f.number("http://a.test/1")
    assert (f.parent[number], f.depth[number]) == (0, 1)
    f.seed("http://a.test/1", 0.0)
    assert (f.priority[number], f.parent[number], f.depth[number]) == (1.0, -1, 0)


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
    st.lists(st.lists(st.tuples(st.integers(0, 29), st.integers(0, 9)), max_size=24), max_size=8)
)
@settings(max_examples=60, deadline=None)
def test_changing_some_priorities_is_replacing_all_with_these_changed(rounds):
    one, other = (frontier(one_at_a_time=False) for _ in range(2))
    for f in (one, other):
        fetch_next(f)
        offer(f, 0, {f"http://h{i % 2}.test/{i}": (i * 7 % 10) / 10 for i in range(30)})
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
