from __future__ import annotations

from apps.experiments.figures.page_scores import CRITIC, JUDGE, scored_by, scores
from tests.experiments.made_outcomes import made, made_pages

URLS = ["http://made.test/1", "http://made.test/2"]


def test_the_judge_rates_if_there_is_one_for_any_topic() -> None:
    pages = {
        (0, 0): made_pages(URLS, topicality=[0.1, 0.2]),
        (1, 0): made_pages(URLS, topicality=[0.3, 0.4], probability=[0.5, 0.6]),
    }
    first, second = made(pages=pages, budget=10).of_crawler(0)
    assert scored_by([first, second]) == JUDGE and scored_by([first]) == CRITIC
    assert scores(second, JUDGE).tolist() == [0.5, 0.6]
    assert scores(first, CRITIC).tolist() == [0.1, 0.2]
