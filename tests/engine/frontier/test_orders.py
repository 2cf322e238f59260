"""Pick orders: link by link as all at once, and a frontier against a search through everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.engine.frontier.ordered import OrderedFrontier, make_frontier
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.orders.base import PickOrder
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope

# (priority, depth) of four links, in the order of discovery.
LINKS = [(0.2, 2), (0.9, 3), (0.5, 1), (0.9, 2)]


@pytest.mark.parametrize("order", ORDERS.values(), ids=lambda order: order.id)
def test_a_link_has_the_same_rank_alone_and_with_others(order: PickOrder) -> None:
    draw = np.random.default_rng(1)
    priorities, depths = draw.random(500) * 3, draw.integers(0, 20, 500)
    alone = [order.rank(*link) for link in zip(priorities.tolist(), depths.tolist(), strict=True)]
    assert order.ranks(priorities, depths).tolist() == alone


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("best_first", [1, 3, 2, 0]),
        ("shallow_first", [2, 3, 0, 1]),
        ("oldest_first", [0, 1, 2, 3]),
    ],
)
def test_each_order_has_its_known_answer(id: str, expected: list[int]) -> None:
    ranks = [ORDERS[id].rank(*link) for link in LINKS]
    assert sorted(range(len(LINKS)), key=lambda i: (ranks[i], i)) == expected


def test_each_has_words_of_its_own() -> None:
    for words in ("title", "__doc__"):
        assert len({getattr(order, words) for order in ORDERS.values()}) == len(ORDERS)


def made(order: str, one_at_a_time: bool = False) -> Frontier:
    return make_frontier(Scope(), "max", False, one_at_a_time, order)


def test_best_first_is_the_plain_frontier() -> None:
    assert type(made("best_first")) is Frontier
    assert type(made("oldest_first")) is OrderedFrontier


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("link"), st.integers(0, 5), st.integers(0, 12), st.floats(0, 1)),
        st.just("pick"),
        st.just("put back"),
        st.just("rebuild"),
        st.just("restore"),
    ),
    max_size=60,
)


@pytest.mark.usefixtures("fewest_pushed")
@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=100, deadline=None)
@given(steps=STEPS)
def test_it_picks_what_a_search_through_everything_would_pick(order: str, steps: list) -> None:
    """Links lead from any fetched page, so that shorter paths to waiting URLs are found."""
    f = made(order)
    f.seed("http://seed.test/", 0.0)
    f.fetched(f.pick(0.0), 0.0)
    fetched = [0]
    for step in steps:
        if step == "rebuild":
            f.rebuild(0.0)
        elif step == "restore":
            again = made(order)
            again.restore(f.snapshot(0.0), f.urls, 0.0)
            f = again
        elif step in ("pick", "put back"):
            ranked = sorted(
                f.waiting_numbers().tolist(),
                key=lambda n: (ORDERS[order].rank(f.priority[n], f.depth[n]), n),
            )
            assert f.head(99) == ranked
            number = f.pick(0.0)
            assert number == (ranked[0] if ranked else None)
            if number is not None and step == "put back":
                f.put_back(number, 0.0)
            elif number is not None:
                f.fetched(number, 0.0)
                fetched.append(number)
        else:
            _, page, url, score = step
            numbers = f.discover([f"http://h{url % 3}.test/{url}"], fetched[page % len(fetched)])
            f.offer(numbers, [score], fetched[page % len(fetched)], 0.0)
