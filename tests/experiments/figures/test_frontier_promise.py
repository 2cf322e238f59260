from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from apps.experiments.figures.asked import Asked, asked_of
from apps.experiments.figures.frontier_promise import WINDOW, FrontierPromise, recent_loss
from tests.experiments.made_outcomes import made, made_pages, with_reports

CRAWLERS = ("full_page", ("apprentice", {"first_reorder": 100}))
REPORT = {
    "promise_before": [1, 0, 0, 0, 0, 0, 0, 0, 0, 3],
    "promise_after": [3, 0, 0, 0, 0, 0, 0, 0, 0, 1],
}
SIZE = 200


def crawled(probability: list[float]):
    return made_pages(
        [f"http://made.test/{n}" for n in range(len(probability))], probability=probability
    )


def asked(report: Mapping[str, Sequence[float]] = REPORT, crawlers=CRAWLERS) -> Asked:
    """The baseline goes on with a loss of .6; the apprentice's falls from .6 to .2 after page
    100."""
    pages = {
        (topic, crawler): crawled([0.4] * 100 + [0.8 if crawler else 0.4] * 100)
        for topic in range(2)
        for crawler in range(2)
    }
    results = made(crawlers, pages=pages, budget=SIZE)
    return asked_of(with_reports(results, {(0, 1): report, (1, 1): report}))


def test_promises_of_all_topics_are_counted_before_and_after() -> None:
    figure = FrontierPromise().figure(asked())
    before, after = figure.traces
    assert ([*before.y], [*after.y]) == ([2, *[0] * 8, 6], [6, *[0] * 8, 2])
    assert "25\u202f% promised less than 0.5 before" in figure.reading
    assert "75\u202f% afterwards" in figure.reading


def test_the_loss_falls_at_the_switch() -> None:
    figure = FrontierPromise().figure(asked(), "loss")
    base, own = figure.traces
    assert figure.marks == ((100, "switch"),)
    by_page = dict(zip(own.x, own.y, strict=True))
    # Up to page 100 .6; at 125 half of the last 50 pages have .2; from 150 on all.
    values = [by_page[n] for n in (50, 100, 125, 150, 200)]
    assert values == pytest.approx([0.6, 0.6, 0.4, 0.2, 0.2])
    assert [*base.y] == pytest.approx([0.6] * len(base.y))
    assert "At page 200: Full page 60\u202f%, Apprentice, first_reorder 100 20\u202f%." in (
        figure.reading
    )


def test_a_crawl_that_ended_before_has_no_loss_there() -> None:
    rated = np.full(60, 0.5)
    assert recent_loss(rated, [WINDOW, 60]) == [0.5, 0.5]
    assert np.isnan(recent_loss(rated, [61])).all()


def test_without_a_judge_the_critic_gives_the_loss() -> None:
    request = asked()
    for (cell,) in request.outcomes.cells.values():
        numbers = cell.result.pages.numbers
        numbers["topicality"][:] = 0.75
        numbers["probability"][:] = np.nan
    figure = FrontierPromise().figure(request, "loss")
    assert figure.y.title == "1 − critic’s P(c|v), last 50 pages"
    assert figure.traces[0].y[-1] == pytest.approx(0.25)
    for (cell,) in request.outcomes.cells.values():
        cell.result.pages.numbers["topicality"][:] = np.nan
    bare = FrontierPromise().figure(request, "loss")
    assert "rated" in bare.empty and not bare.marks


def test_what_is_missing_is_reported() -> None:
    early = asked(report={})
    for view in ("promise", "loss"):
        figure = FrontierPromise().figure(early, view)
        assert not figure.has_values
        assert figure.empty == (
            "The apprentice learns first after 100 pages; the crawls ended before"
        )
    off_line = asked(crawlers=("full_page", ("apprentice", {"mode": "offline"})))
    figure = FrontierPromise().figure(off_line)
    assert not figure.has_values and "on line" in figure.empty
    assert FrontierPromise().figure(off_line, "loss").as_plotly()
