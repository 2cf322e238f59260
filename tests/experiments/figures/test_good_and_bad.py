from __future__ import annotations

import numpy as np

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.good_and_bad import GoodAndBad
from tests.experiments.made_outcomes import made, made_pages

URLS = [f"http://made.test/{n}" for n in range(4)]
PAGES = {
    (0, 0): made_pages(URLS, probability=[0.05, 0.5, np.nan, 0.9]),
    (1, 0): made_pages(URLS, probability=[0.99, 0.4, 0.2, 0.1]),
    (0, 1): made_pages(URLS, probability=[1.0] * 4),
}


def test_the_pages_of_each_topic_are_counted_at_a_half() -> None:
    figure = GoodAndBad().figure(asked_of(made(pages=PAGES, budget=10)))
    assert {bar.label: [*bar.y] for bar in figure.traces} == {"good": [2, 1], "bad": [1, 3]}
    assert figure.x.names == ("ants", "bees")
    assert figure.reading == (
        "Full page at 10 pages, up to 2 topics by the judge’s P(c|v): 3 good, 4 bad."
    )


def test_a_topic_that_a_crawler_has_not_finished_has_no_bar() -> None:
    figure = GoodAndBad().figure(asked_of(made(pages=PAGES, budget=10)), "2")
    assert {bar.label: [*bar.y] for bar in figure.traces} == {"good": [4, None], "bad": [0, None]}


def test_without_a_judge_the_critic_rates_and_without_both_it_reports_that() -> None:
    pages = {(0, 0): made_pages(URLS, topicality=[0.15, 0.95, np.nan, 0.7])}
    figure = GoodAndBad().figure(asked_of(made(pages=pages, budget=10)))
    assert [[*bar.y] for bar in figure.traces] == [[2], [1]] and "critic" in figure.reading
    unrated = GoodAndBad().figure(asked_of(made(pages={(0, 0): made_pages(URLS)}, budget=10)))
    assert not unrated.has_values and "No page has been rated" in unrated.empty
