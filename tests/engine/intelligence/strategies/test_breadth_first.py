from __future__ import annotations

from apps.engine.intelligence.strategies.breadth_first import BreadthFirst
from tests.engine.intelligence.strategies.toy import HOME, ToyCrawl, toy_web


def test_it_fetches_in_order_of_discovery(topic):
    # Home links to bread 0, rail 0, mixed 0, the list and the page of few words; bread 0 adds
    # bread 1 (1 and 2·0 + 1 are the same), rail 0 rail 1, mixed 0 mixed 1; the list adds the
    # sections' pages 3 and 6.
    crawl = ToyCrawl(BreadthFirst().fit(topic), topic.vocabulary, toy_web())
    paths = [url.removeprefix(HOME) for url in crawl.run(15)]
    assert paths == [
        "",
        "bread/0",
        "rail/0",
        "mixed/0",
        "list",
        "few",
        "bread/1",
        "rail/1",
        "mixed/1",
        "bread/3",
        "rail/3",
        "mixed/3",
        "bread/6",
        "rail/6",
        "mixed/6",
    ]


def test_it_reaches_every_page_of_the_toy_web(topic):
    crawl = ToyCrawl(BreadthFirst().fit(topic), topic.vocabulary, toy_web())
    assert sorted(crawl.run(100)) == sorted(toy_web())
