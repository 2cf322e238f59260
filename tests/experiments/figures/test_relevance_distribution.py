from __future__ import annotations

import numpy as np

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.relevance_distribution import RelevanceDistribution
from tests.experiments.made_outcomes import made, made_pages

URLS = [f"http://made.test/{n}" for n in range(3)]
PAGES = {
    (0, 0): made_pages(URLS, probability=[0.05, 0.95, np.nan]),
    (1, 0): made_pages(URLS, probability=[0.99, 0.4, 0.7]),
    (0, 1): made_pages(URLS, probability=[0.5, 0.5, 0.5]),
    (1, 1): made_pages(URLS, probability=[0.5, 0.5, 0.5]),
}
ASKED = asked_of(made(pages=PAGES, budget=10))


def test_pages_of_all_topics_are_counted_in_tenths() -> None:
    figure = RelevanceDistribution().figure(ASKED)
    assert [*figure.traces[0].y] == [1, 0, 0, 0, 1, 0, 0, 1, 0, 2]
    assert figure.reading == (
        "Full page, 5 pages of 2 topics by the judge’s P(c|v): 3 lie in the lowest or the highest "
        "tenth, 2 below 0.5."
    )
    assert figure.as_data().rows[7] == ("Full page", 0.7, 0.8, 1)
    assert figure.as_table().rows[9] == ("0.9–1.0", "2", "40\u202f%")


def test_each_crawler_has_a_view() -> None:
    views = RelevanceDistribution().views(ASKED)
    assert [(view.id, view.title) for view in views] == [("1", "Full page"), ("2", "Breadth-first")]
    assert RelevanceDistribution().figure(ASKED, "2").traces[0].y[5] == 6


def test_without_a_judge_the_critic_rates() -> None:
    pages = {(0, 0): made_pages(URLS, topicality=[0.15, 0.95, np.nan])}
    figure = RelevanceDistribution().figure(asked_of(made(pages=pages, budget=10)))
    assert figure.x.title == "critic’s P(c|v)" and "2 pages" in figure.reading
    assert [*figure.traces[0].y] == [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
