"""The list of topics: filters, orders, and who sees what."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share_with_everybody
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
NAMES = ("Owls", "Bread", "Tides")


@pytest.fixture
def owner(data_dir):
    return person("ada")


@pytest.fixture
def site(owner) -> Client:
    """Of a person with three topics: one crawled, one measured, one of somebody else."""
    owls, bread = made_topic(owner, "Owls"), made_topic(owner, "Bread")
    tides = made_topic(person("bo"), "Tides")
    made_crawl(owls)
    bread.keywords = ["Crumb"]
    bread.quality = {"models": [{"f1": {"mean": 0.5}}]}
    bread.save()
    share_with_everybody(tides)
    return site_of(owner)


def listed(site: Client, query: str = "") -> str:
    answer = site.get(reverse("topics:list") + query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def names(text: str) -> list[str]:
    return sorted((name for name in NAMES if f">{name}</a>" in text), key=text.index)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Tides", "Bread", "Owls"]),
        ("?q=crumb", ["Bread"]),
        ("?q=OWL", ["Owls"]),
        ("?q=bo", ["Tides"]),
        ("?state=crawled", ["Owls"]),
        ("?state=new", ["Bread", "Tides"]),
        ("?owner=ada&order=name", ["Bread", "Owls"]),
        ("?web=live+web&order=crawls", ["Owls", "Tides", "Bread"]),
        ("?order=f1", ["Bread", "Tides", "Owls"]),
    ],
)
def test_the_filters_and_orders_of_the_address(site, query, expected):
    shown = names(listed(site, query))
    assert shown == expected if "order" in query else sorted(shown) == sorted(expected)


def test_the_bar_counts_and_names_what_is_in_use(site):
    text = listed(site, "?state=new")
    assert "3 topics" in text and "2 not crawled" in text
    assert "Crawled <span data-count>1</span>" in text
    assert "state not crawled yet" in text and "Clear all" in text


def test_nothing_found_names_what_was_asked(site):
    text = listed(site, "?q=granite&state=crawled")
    assert "No topic has “granite” and state crawled." in text and names(text) == []


def test_an_unshared_topic_of_others_is_neither_listed_nor_counted(site):
    made_topic(person("cy"), "Secret")
    text = listed(site, "?q=secret")
    assert ">Secret</a>" not in text and "3 topics" in text
