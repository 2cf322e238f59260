from __future__ import annotations

from dataclasses import replace

import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.recall_crawler import GUIDES, RecallCrawler
from apps.engine.intelligence.topic_model import TopicModel
from tests.engine.intelligence.strategies.toy import HOME, ToyCrawl, rich_topic, toy_web, visit_of


def test_links_outside_the_other_crawl_are_not_queued():
    topic = TopicModel(replace(
        rich_topic(), earlier=(), allowed_urls=frozenset({"http://page.test/b"})))
    strategy = RecallCrawler("full_page").fit(topic)
    visit = visit_of("<a href=/a>x</a><a href=/b>x</a>", topic, topicality=0.7)
    assert strategy.score_links(visit) == [None, 0.7]


@pytest.mark.parametrize("guide", GUIDES)
def test_it_ends_with_exactly_the_pages_of_the_other_crawl(guide):
    # A full-page crawl of 12 pages; the recall crawl may only fetch these and fetches all.
    model = TopicModel(rich_topic(), seed=1)
    first = ToyCrawl(FullPage().fit(model), model.vocabulary, toy_web())
    pages = set(first.run(12))
    earlier = tuple(page for page in rich_topic().earlier if page.url in pages)
    model = TopicModel(replace(rich_topic(), earlier=earlier, allowed_urls=frozenset(pages)))
    second = ToyCrawl(RecallCrawler(guide).fit(model), model.vocabulary, toy_web())
    assert set(second.run(100)) == pages
    assert second.order[0] == HOME


def test_it_needs_another_crawl():
    with pytest.raises(NeedsMissing, match="earlier crawl"):
        RecallCrawler().fit(TopicModel(replace(rich_topic(), earlier=())))
