"""The screen of a page: its text, its facts, links and versions."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.indexing.reading import read_pages
from apps.collection.models import MainText, Progress
from apps.crawls.models import Outlinks
from apps.crawls.packing import pack_numbers
from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from tests.collection_fixtures import store

ADDRESS = "http://rathaus.test/a"
SENTENCE = "Die Stadt heizt ihr Rathaus mit zwei Wärmepumpen, die den alten Gaskessel ersetzen. "
PAGE = (
    "<html><head><title>Zwei Winter | Rathaus</title>"
    "<meta property='og:site_name' content='Rathaus'><meta name='author' content='Ada &lt;b&gt;'>"
    "<meta name='date' content='2026-10-14'></head><body><nav><a href='/'>Cookie menu</a></nav>"
    f"<article><h1>Zwei Winter</h1><p>{SENTENCE * 3}</p><h2>Was gemessen wurde</h2>"
    f"<p>Mit &lt;script&gt;. {SENTENCE}</p><ul><li>ein Punkt der Liste</li><li>noch ein Punkt</li>"
    "</ul><table><tr><th>Winter</th><th>MWh</th></tr><tr><td>2024/25</td><td>212</td></tr></table>"
    "</article></body></html>"
)


@pytest.fixture
def browser(owner, topic, crawl, other_crawl, monkeypatch) -> Client:
    monkeypatch.setattr(READER, "read", read_article)
    topic.keywords = ["Wärmepumpe", "Erdsonde"]
    topic.save()
    judged = {"votes": 3, "votes_of": 3, "relevant": True}
    store(
        crawl,
        {"title": "Seed page", "text": "nothing", "seed": True, "parent": -1, **judged},
        {
            "url": "http://rathaus.test/a",
            "html": PAGE,
            "title": "Zwei Winter",
            "parent": 0,
            **judged,
        },
    )
    changed = PAGE.replace("ein Punkt der Liste", "ein ganz anderer langer Punkt")
    store(other_crawl, {"url": ADDRESS, "html": changed})
    Outlinks.objects.create(crawl=crawl, seq=1, targets=pack_numbers([0, 1, 7]))
    for progress in Progress.objects.all():
        read_pages(progress)
    client = Client()
    client.force_login(owner)
    return client


def text_of(browser: Client, crawl, seq: int = 2, **query: str) -> str:
    html = browser.get(reverse("page:page", args=[crawl.pk, seq]), query).text
    return re.sub(r"\s+", " ", html)


def test_it_reads_like_an_article(browser, crawl) -> None:
    text = text_of(browser, crawl)
    assert '<h1 class="page-title">Zwei Winter</h1>' in text
    assert "<b>14 October 2026</b> as the page says" in text
    assert "<b>German</b> from the text" in text and "Ada &lt;b&gt;</b> named as author" in text
    article = text[text.index("<article") : text.index("</article>")]
    assert 'lang="de"' in article and "<h2>Was gemessen wurde</h2>" in article
    assert "<li>ein Punkt der Liste</li><li>noch ein Punkt</li>" in article
    assert '<th scope="col">MWh</th></tr><tr><td>2024/25</td><td>212</td>' in article
    assert "Mit &lt;script&gt;." in article and "Cookie" not in article


def test_keywords_are_marked_or_the_words_of_a_search(browser, crawl) -> None:
    text = text_of(browser, crawl)
    assert text.count("<mark>Wärmepumpen</mark>") == 4 and "<mark>Rathaus</mark>" not in text
    searched = text_of(browser, crawl, q="rathaus lang:de")
    assert searched.count("<mark>Rathaus</mark>") == 4 and "<mark>Wärme" not in searched
    assert "?view=stored&amp;q=rathaus%20lang%3Ade" in searched


def test_it_states_in_one_sentence_why_it_is_judged_so(browser, crawl) -> None:
    assert (
        "3 of 3 judges call it relevant; of the topic’s keywords its text has Wärmepumpe (4);"
        " the page that linked to it is relevant."
    ) in text_of(browser, crawl)
    assert "none of the topic’s keywords is in its text; it is a seed." in text_of(
        browser, crawl, 1
    )


def test_links_in_and_out_are_counted_and_listed(browser, crawl) -> None:
    linked = text_of(browser, crawl, view="links")
    assert re.search(r"Links in <span class=\"secondary\">1</span>.*Seed page", linked)
    first = text_of(browser, crawl, 1)
    assert "2: 1 relevant, 1 fetched" in first and "0</span>" in first
    assert "not fetched" not in first


def test_versions_state_how_the_text_differs(browser, crawl, other_crawl) -> None:
    text = text_of(browser, other_crawl, 1)
    rows = re.findall(r"<li><time.*?</li>", text)
    assert "+5 words −4" in rows[0] and "this" in rows[0]
    assert "first seen" in rows[1] and f"/crawls/{crawl.pk}/pages/2/" in rows[1]


def test_all_text_is_one_press_away(browser, crawl) -> None:
    assert "Cookie menu" in text_of(browser, crawl, view="text", all="")


def test_what_has_not_been_read_is_reported(browser, crawl) -> None:
    Progress.objects.update(read=0)
    MainText.objects.all().delete()
    text = text_of(browser, crawl)
    assert "has not been read yet" in text and "Cookie menu" in text


def test_a_page_without_text_is_reported(browser, crawl) -> None:
    store(crawl, {"html": "<html><body><script>1</script></body></html>", "words": 0})
    read_pages(Progress.objects.get(crawl=crawl))
    assert "No main text found: 0 words in all." in text_of(browser, crawl, 3)
