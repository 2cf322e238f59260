"""HCLA's protocol: who is told what, and that the part alone is crawled."""

from __future__ import annotations

import pytest

from apps.engine.representation.tokens import Vocabulary
from apps.papers.tables.hcla_protocol import CRAWLERS, QUERIES, run, topic_of
from tests.papers.made_webkb import url

BY_ID = {crawler.id: crawler for crawler in CRAWLERS}


@pytest.fixture(scope="module")
def part(parted):
    return parted.part("south")


def reports(parted, part, crawler: str):
    return topic_of(parted, part, "student", BY_ID[crawler])


def test_the_others_texts_train_and_misc_is_for_hcla_alone(parted, part):
    assert len(reports(parted, part, "ss1").background) == 60
    assert len(reports(parted, part, "ss2").corpus) == 60
    assert len(reports(parted, part, "hcla").corpus) == 89
    hosts = {d.url.split("/")[2] for d in reports(parted, part, "hcla").corpus}
    assert hosts == {"www.north.test", "www.west.test", "www.misc.test"}


def test_crawlers_that_read_links_alone_get_no_text(parted, part):
    for crawler in ("brfs", "bl", "pr"):
        topic = reports(parted, part, crawler)
        assert not (topic.background or topic.corpus or topic.training)
        assert topic.seeds == (url("south", 0),)


def test_the_classifier_learns_from_the_others_labels_with_two_negatives_each(parted, part):
    training = reports(parted, part, "full_page").training
    positive = {example.url for example in training if example.relevant}
    assert positive == {url(name, n) for name in ("north", "west") for n in range(3, 30, 3)}
    assert len(training) == 3 * len(positive)
    assert training == reports(parted, part, "full_page").training


@pytest.mark.parametrize("crawler", CRAWLERS, ids=lambda crawler: crawler.id)
def test_every_crawler_fetches_all_that_is_within_reach_and_nothing_else(parted, part, crawler):
    crawled = run(parted, part, "student", crawler, Vocabulary("en"))
    assert len(crawled.pages) == len(part.reachable) == 29
    assert (crawled.relevant, crawled.reachable, sum(crawled.pages)) == (9, 9, 9)


def test_the_oracle_finds_relevant_pages_before_the_blind_crawler_does(parted, part):
    def pages_to_half(crawler: str) -> int:
        pages = run(parted, part, "student", BY_ID[crawler], Vocabulary("en")).pages
        return next(t for t in range(len(pages)) if 2 * sum(pages[: t + 1]) >= sum(pages))

    assert pages_to_half("oracle") < pages_to_half("brfs")


def test_a_limit_of_pages_holds(parted, part):
    crawled = run(parted, part, "course", BY_ID["brfs"], Vocabulary("en"), pages=7)
    assert len(crawled.pages) == 7


def test_queries_are_those_of_the_papers_table():
    assert set(QUERIES) == {"course", "faculty", "project", "student"}
    assert len(QUERIES["course"]) == 15
