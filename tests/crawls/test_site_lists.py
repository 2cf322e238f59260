"""A live crawl of a site most of whose pages only its sitemaps and feeds name."""

from __future__ import annotations

from collections import Counter

import pytest
from django.contrib.auth.models import User

from apps.crawls.left_out.summary import summarise
from apps.crawls.services import create_crawl
from apps.crawls.site_lists import SiteListCounts, listed_in, site_list_counts
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.webs.selectors import live_web
from tests.crawls.run_here import run
from tests.listing_site import ListingSite

pytestmark = pytest.mark.django_db(transaction=True)


def topic_of(owner: User, site: ListingSite) -> Topic:
    definition = Definition(
        name="bread", keywords=("bread", "dough"), language="en", lists={"seeds": f"{site.origin}/"}
    )
    return create_topic(owner, definition).topic


@pytest.mark.parametrize("agents", [0, 1])
def test_all_ten_pages_come_each_asked_for_once(settings, data_dir, agents) -> None:
    owner = User.objects.create_user("analyst")
    settings.ALLOWED_ADDRESSES, settings.AGENTS = ["127.0.0.0/8"], agents
    with ListingSite() as site:
        topic, web = topic_of(owner, site), live_web()
        politeness = {"delay": 0.0}
        crawl = run(
            create_crawl(
                owner, topic, web, strategy="breadth_first", budget=60, politeness=politeness
            )
        )
        asked = Counter(site.log)
    assert set(crawl.pages_fetched.values_list("url", flat=True)) == {
        f"{site.origin}/{name}"
        for name in ("", "linked", "sitemap-1", "sitemap-2", "text-1", "feed-1", "atom-1", "json-1")
    }
    assert set(asked.values()) == {1}
    assert crawl.requests == crawl.pages + 6
    assert crawl.errors == {"site_list": 6}
    assert list(crawl.hosts.values_list("errors", flat=True)) == [{}]
    assert summarise([crawl]).number == 0
    assert site_list_counts(crawl) == SiteListCounts(hosts=1, named=6, taken=6)
    named = listed_in(crawl, f"{site.origin}/feed-1")
    assert named is not None
    assert (named.list_url, named.kind, named.title) == (f"{site.origin}/rss", "feed", "Rye bread")
    dated = listed_in(crawl, f"{site.origin}/sitemap-2")
    assert dated is not None
    assert dated.date == "2026-03-02"
    assert listed_in(crawl, f"{site.origin}/linked") is None
