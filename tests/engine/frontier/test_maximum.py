"""The frontier maximum against a slow and obvious twin."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.engine.codes import Exclusion
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from tests.engine.frontier.frontiers import fetch_next, frontier, offer


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
