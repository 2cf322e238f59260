"""The same set-up run twice: what differs in pages, and no winner."""

from __future__ import annotations

import pytest

from apps.crawls.models import FailedRequest
from apps.experiments.results.crawls.comparison import compare
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, sampled

FIRST = {"/": "Home", "/a": "One", "/b": "Two", "/c": "Three", "/d": "Four"}
LAST = {"/": "Home, edited", "/a": "One", "/new": "New", "/newer": "Newer"}


@pytest.fixture
def twice(topic, data_dir):
    """Two crawls of one set-up: one page edited, one gone, two not reached again, two new."""
    crawls = []
    for pages, rate in ((FIRST, 0.5), (LAST, 0.6)):
        crawl = made_crawl(topic, state="finished")
        store(
            crawl,
            *[
                {"url": f"http://a.test{path}", "title": text, "text": text}
                for path, text in pages.items()
            ],
        )
        crawls.append(sampled(crawl, {4: rate}))
    now = crawls[1].started_at
    FailedRequest.objects.create(
        crawl=crawls[1],
        request=9,
        number=9,
        url="http://a.test/d",
        final_url="http://a.test/d",
        host="a.test",
        kind="http_404",
        at=now,
    )
    return crawls


def test_a_crawl_again_of_a_changed_site_has_no_winner(twice):
    first, last = (crawl.pk for crawl in twice)
    verdict = compare(twice).verdict
    assert verdict.sentence == (
        f"The same set-up ran twice. #{last} against #{first}: 2 pages only in #{last}, 1 with "
        f"changed content, 1 the same, 1 gone and 2 only in #{first}."
    )
    assert (
        "higher" not in verdict.sentence and "do not show that one is better" in verdict.cannot[0]
    )
    assert compare(twice[::-1]).verdict == verdict


def test_another_random_seed_is_the_same_set_up(twice):
    twice[1].random_seed = 8
    assert compare(twice).verdict.sentence.startswith(
        "The same set-up ran twice, but for the random seed. #"
    )


def test_another_setting_is_compared(twice):
    twice[1].strategy = "full_page"
    assert "10.0 points higher" in compare(twice).verdict.sentence


def test_the_same_pages_are_reported_to_be_the_same(topic, data_dir):
    crawls = [made_crawl(topic, state="finished") for _ in range(2)]
    for crawl in crawls:
        store(crawl, {"url": "http://a.test/", "title": "Home"})
        crawl.refresh_from_db()
    assert compare(crawls).verdict.sentence.startswith(
        "Both crawls fetched exactly the same 1 page"
    )
