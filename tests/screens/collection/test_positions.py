"""Previous and Next of a page follow the search that one came from."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.collection_fixtures import crawl, owner, store, topic  # noqa: F401
from tests.people import person, site_of

LINK = re.compile(r'rel="(prev|next)" href="([^"]+)"')


@pytest.fixture
def site(crawl, owner) -> Client:
    pages = [{"text": f"bread w{i}", "topicality": (30 - i) / 30} for i in range(30)]
    store(crawl, *pages, {"text": "something else", "topicality": 1.0})
    return site_of(owner)


def neighbours(text: str) -> dict[str, str]:
    return {rel: unescape(address) for rel, address in LINK.findall(text)}


def seq_of(address: str) -> int:
    return int(address.partition("/pages/")[2].partition("/")[0])


def test_one_goes_through_the_whole_search_in_its_order(site, crawl) -> None:
    listed = site.get(f"/crawls/{crawl.pk}/collection/?q=bread&order=topicality").text
    first = unescape(re.findall(r'<a href="(/crawls/\d+/pages/1/\?[^"]+)">', listed)[0])
    address, seen = f"{first}&view=headers", [1]
    assert "prev" not in neighbours(site.get(address).text)
    while following := neighbours(site.get(address).text).get("next"):
        assert "view=headers" in following
        address = following
        seen.append(seq_of(address))
    assert seen == list(range(1, 31))
    last = site.get(address).text
    assert "30 of 30 in the search" in last and "page=2" in last
    assert seq_of(neighbours(last)["prev"]) == 29


def test_a_page_that_moved_leads_back_to_the_list(site, crawl) -> None:
    shown = site.get(f"/crawls/{crawl.pk}/pages/31/?of=crawl&search=q%3Dbread&at=3").text
    assert "Back to the search" in shown and neighbours(shown) == {}
    moved = site.get(f"/crawls/{crawl.pk}/pages/5/?of=crawl&search=q%3Dbread&at=9").text
    assert "5 of 30 in the search" in moved


@pytest.mark.parametrize("query", ["at=0", "at=x", "at=-1", "of=topic&search=q%3D%00&at=1"])
def test_an_odd_position_is_no_error(site, crawl, query) -> None:
    assert site.get(f"/crawls/{crawl.pk}/pages/1/?{query}").status_code == 200
    assert site_of(person("eve")).get(f"/crawls/{crawl.pk}/pages/1/?{query}").status_code == 404
