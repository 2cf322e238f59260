from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from apps.engine.codes import Need
from apps.engine.errors import BadParameter, NeedsMissing
from apps.engine.intelligence.strategies import CATALOGUE, strategy
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.recall_crawler import RecallCrawler
from apps.engine.intelligence.topic_model import TopicModel
from tests.engine.intelligence.strategies.toy import (
    HOME,
    ToyCrawl,
    rich_topic,
    small,
    toy_web,
    visit_of,
)


def test_links_outside_the_other_crawl_are_not_queued():
    topic = TopicModel(
        replace(rich_topic(), earlier=(), allowed_urls=frozenset({"http://page.test/b"}))
    )
    strategy = RecallCrawler(guide="full_page").fit(topic)
    visit = visit_of("<a href=/a>x</a><a href=/b>x</a>", topic, topicality=0.7)
    assert strategy.score_links(visit) == [None, 0.7]


GUIDES = RecallCrawler.parameters()[0].choices


@cache
def after_another_crawl() -> tuple[TopicModel, set[str]]:
    """The topic after a full-page crawl of 12 pages, and these."""
    model = TopicModel(rich_topic(), seed=1)
    pages = set(ToyCrawl(FullPage().fit(model), model.vocabulary, toy_web()).run(12))
    earlier = tuple(page for page in rich_topic().earlier if page.url in pages)
    return TopicModel(replace(rich_topic(), earlier=earlier, allowed_urls=frozenset(pages))), pages


@pytest.mark.parametrize("guide", GUIDES)
def test_it_ends_with_exactly_the_pages_of_the_other_crawl(guide):
    # The recall crawl may only fetch the pages of the other crawl and fetches all.
    model, pages = after_another_crawl()
    model = model.for_another_crawl()
    reports = "rejected=last" if guide == "selective_link_context" else ""
    strategy = RecallCrawler(guide=guide, guide_parameters=reports).fit(model)
    second = ToyCrawl(strategy, model.vocabulary, toy_web())
    assert set(second.run(100)) == pages
    assert second.order[0] == HOME


def test_every_other_strategy_may_be_its_guide():
    assert sorted(GUIDES) == sorted(cls.id for cls in CATALOGUE if cls is not RecallCrawler)


@pytest.mark.parametrize("guide", GUIDES)
def test_it_keeps_the_order_of_its_guide(guide):
    # Kept to all pages there are it fetches what the guide alone fetches, reorders and all.
    values = {"mode": "offline"} if "mode" in names(guide) else {}
    values |= small(strategy(guide))
    model = TopicModel(rich_topic(), seed=1)
    alone = ToyCrawl(strategy(guide).build(values).fit(model), model.vocabulary, toy_web())
    order = list(alone.run(20))
    alone.run(100)
    model = TopicModel(replace(rich_topic(), allowed_urls=frozenset(alone.urls)), seed=1)
    text = " ".join(f"{name}={value}" for name, value in values.items())
    kept = ToyCrawl(
        RecallCrawler.build({"guide": guide, "guide_parameters": text}).fit(model),
        model.vocabulary,
        toy_web(),
    )
    assert kept.run(20) == order


def names(guide: str) -> set[str]:
    return {parameter.name for parameter in strategy(guide).parameters()}


def test_the_guide_has_the_parameters_it_is_given():
    def guiding(text: str):
        return RecallCrawler.build({"guide_parameters": text}).guiding()

    assert (guiding("").mode, guiding("").dmax) == ("offline", 5)
    assert (guiding("dmax=3 offsets=no").dmax, guiding("dmax=3 offsets=no").offsets) == (3, False)
    assert guiding("mode=online").mode == "online"
    assert Need.TAXONOMY in RecallCrawler(guide_parameters="classes=true").needed()
    assert RecallCrawler(guide="hcla").needed() == {Need.KEYWORDS, Need.CORPUS, Need.CRAWL}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dmax", "write dmax as name=value"),
        ("speed=3", "has no parameter speed"),
        ("dmax=99", "between 0 and 20"),
    ],
)
def test_wrong_parameters_of_the_guide_are_reported_at_their_place(text, message):
    with pytest.raises(BadParameter, match=message) as refused:
        RecallCrawler.build({"guide_parameters": text})
    assert refused.value.details["parameter"] == "guide_parameters"


def test_it_needs_another_crawl():
    with pytest.raises(NeedsMissing, match="earlier crawl"):
        RecallCrawler().fit(TopicModel(replace(rich_topic(), earlier=())))
