"""What starts from little should reach: known answers."""

from __future__ import annotations

import pytest

from apps.research.effectiveness.starts.goals import (
    goals_table,
    interval_mean,
    precision_ratio,
    recall_ratio,
)
from apps.research.effectiveness.starts.result import StartResult, StartShares
from apps.research.effectiveness.starts.study import BREADTH_FIRST, BY_VECTORS, BY_WORDS, EXAMPLES


def made(web: str, **crawlers: StartShares) -> StartResult:
    names = {
        "blind": BREADTH_FIRST,
        "words": BY_WORDS,
        "vectors": BY_VECTORS,
        "labels": f"{BY_VECTORS}, 40 labels",
        "examples": EXAMPLES,
    }
    result = StartResult(web=web, command="run", pages=500, topics=("a", "b"))
    for name, shares in crawlers.items():
        result = result.with_crawler("A", names[name], shares)
    return result


DUNE = made(
    "dune",
    blind=StartShares(recall=(0.1, 0.0)),
    words=StartShares(recall=(0.2, 0.02)),
    vectors=StartShares(recall=(0.4, 0.04), interval=(0.5, 1.0), width=(0.2, 0.4)),
    labels=StartShares(recall=(0.4, 0.04), precision=(0.3, 0.6)),
    examples=StartShares(recall=(0.4, 0.05), precision=(0.5, 0.5)),
)


def test_recalls_are_compared_topic_by_topic() -> None:
    # 4 and, of a recall of nothing that counts a hundredth, 4.
    figure = recall_ratio(BY_VECTORS, BREADTH_FIRST)([DUNE], "A")
    assert figure is not None and (figure.value, figure.topics) == (pytest.approx(4), 2)
    assert recall_ratio(BY_VECTORS, BREADTH_FIRST)([DUNE], "C") is None
    only = made("marsh", vectors=StartShares(recall=(0.9, 0.9)))
    assert recall_ratio(BY_VECTORS, BREADTH_FIRST)([DUNE, only], "A") == figure


def test_lists_are_compared_by_their_means() -> None:
    figure = precision_ratio(f"{BY_VECTORS}, 40 labels", EXAMPLES)([DUNE], "A")
    assert figure is not None and figure.value == pytest.approx(0.9)
    assert precision_ratio(BY_WORDS, EXAMPLES)([made("marsh")], "A") is None


def test_intervals_are_a_mean_over_topics() -> None:
    figure = interval_mean(BY_VECTORS)([DUNE, made("marsh")], "A")
    assert figure is not None and (figure.value, figure.topics) == (0.75, 2)
    assert interval_mean(BY_WORDS)([DUNE], "A") is None


def test_a_goal_that_was_not_reached_is_named_and_webkb_is_left_out() -> None:
    webkb = made("webkb", blind=StartShares(recall=(0.9,)), vectors=StartShares(recall=(0.9,)))
    text = goals_table([DUNE, webkb])
    assert "| with vectors, times breadth-first | 1.6 | 4.00 (2 topics) | – | – |" in text
    assert "| without, of the recall of 20 + 40 | 0.75 | 0.45 (2 topics, **short**) |" in text
    assert (
        "| with vectors, intervals that hold the truth | 0.85 | 0.75 (2 topics, 0.30 wide,"
        " **short**)" in text
    )
