"""Near pages on the screens: the filter, the similarity, and what readers may do."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share
from apps.crawls.models import Crawl
from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from tests.near_pages import add_pages


@pytest.fixture(autouse=True)
def read_here(monkeypatch) -> None:
    """Pages are read in this process: another one takes seconds to start."""
    monkeypatch.setattr(READER, "read", read_article)


def screen(client: Client, crawl: Crawl, query: str) -> str:
    return client.get(f"{reverse('collection:list', args=[crawl.topic_id])}?{query}").text


def test_the_list_shows_the_similarity_and_by_what_pages_are_compared(crawl, owner, client) -> None:
    add_pages(crawl, bread=6, sea=6)
    client.force_login(owner)
    page = screen(client, crawl, "near=loaf&nearest=4")
    assert len(re.findall(r"similarity <b>[01]\.\d\d</b>", page)) == 4
    assert "near “loaf”" in page and 'name="near" value="loaf"' in page
    assert "latent semantic analysis" in page
    assert "Nearest</a>" in page
    plain = screen(client, crawl, "q=flour")
    assert "similarity <b>" not in plain and "Nearest</a>" not in plain
    wrong = screen(client, crawl, "near=zeppelin")
    assert "None of these words is among" in wrong


def test_a_reader_selects_pages_for_more_like_them_and_cannot_label(
    crawl, owner, stranger, client
) -> None:
    add_pages(crawl, bread=6, sea=6)
    share(crawl.topic, stranger.username)
    client.force_login(stranger)
    page = screen(client, crawl, "q=flour&order=newest&near=loaf")
    assert "More like these" in page and f'data-page="{crawl.pk}-1"' in page
    assert f'data-more-like="/topics/{crawl.topic_id}/collection/?q=flour"' in page
    assert "data-bulk-label" not in page
    like = screen(client, crawl, f"like={crawl.pk}-1&like={crawl.pk}-2")
    assert "like 2 pages" in like and "similarity <b>" in like


def test_a_pages_screen_leads_to_more_like_it(crawl, owner, client) -> None:
    (first, _) = add_pages(crawl, bread=2)
    client.force_login(owner)
    address = reverse("page:page", args=[crawl.pk, first.seq])
    page = client.get(address).text
    assert f"/topics/{crawl.topic_id}/collection/?like={crawl.pk}-1" in page
    assert "No page can be compared yet" in screen(client, crawl, f"like={crawl.pk}-1")
