"""The screens of a collection: what they show, to whom, and what of a page survives on them."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.stored_copy import CONTENT_SECURITY_POLICY, safe_copy
from apps.crawls.models import Crawl, FrontierEntry, Outlinks
from apps.crawls.records import packed
from apps.crawls.webs import crawl_folder
from apps.engine.model import Answer
from tests.collection.conftest import store

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
EVIL_PAGE = """<html><head><base href="http://evil.test/"><title>Evil</title>
<meta http-equiv="refresh" content="0;url=http://evil.test/">
<link rel="stylesheet" href="//evil.test/c.css">
<link rel="dns-prefetch" href="//evil.test">
<style>@import "http://evil.test/x.css"; body{background:url(http://evil.test/b)}</style>
<script>top.location="http://evil.test"</script></head>
<body onload="alert(1)" background="http://evil.test/bg" style="background:url(//evil.test/s)">
<p onclick="alert(2)" style="color:red">Harmless &lt;words&gt;</p>
<a href="javascript:alert(3)" ping="//evil.test">link</a>
<a href="/next?a=1&b=2">following</a>
<img src="http://evil.test/i.png" srcset="//evil.test/2x 2x" alt='a "picture"'>
<img src="data:image/png;base64,iVBORw0KGgo="><img src="data:image/svg+xml;base64,PHN2Zz4=">
<form action="http://evil.test/"><input name="q"><button>Send</button></form>
<iframe src="http://evil.test"></iframe>
<object data="//evil.test/o"></object>
<embed src="//evil.test/e">
<svg><script>alert(4)</script><image href="//evil.test/v"/></svg>
<math><mtext><img src=//evil.test/m></mtext></math>
<video src="//evil.test/v" poster="//evil.test/p"></video>
<noscript><img src="//evil.test/n"></noscript>
<table background="//evil.test/t"><tr><td colspan="2" dir="rtl">cell</td></tr></table>
<template><img src="//evil.test/q"></template><p>Last</p></body></html>"""


@pytest.fixture
def pages(crawl: Crawl):
    found = store(
        crawl,
        {"title": "Seed page", "text": "eelgrass meadow in the bay", "seed": True, "parent": -1},
        {"title": HOSTILE, "url": "http://b.test/<b>?x='\"&y", "parent": 0, "depth": 1,
         "text": "eelgrass &lt;script&gt;alert(5)&lt;/script&gt; meadow"},
        {"title": "Third", "text": "sand and gravel", "parent": 1, "depth": 2, "relevant": False,
         "votes": 0},
        {"title": "Evil", "html": EVIL_PAGE, "url": "http://evil.test/start", "parent": -1},
    )
    Outlinks.objects.create(crawl=crawl, seq=1, targets=packed([1, 2, 9]))
    return found


@pytest.fixture
def browser(owner) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def test_a_search_is_listed_with_its_words_marked(browser, topic, pages) -> None:
    text = browser.get(reverse("collection:list", args=[topic.pk]), {"q": "meadows"}).text
    assert "<b>2</b> pages" in text
    assert "eelgrass <mark>meadow</mark> in the bay" in text
    assert "Third" not in text


def test_similar_pages_share_rare_words(browser, topic, crawl, stranger) -> None:
    store(crawl,
          {"title": "One", "text": "posidonia rhizomes anchored in sand"},
          {"title": "Two", "text": "rhizomes of posidonia torn out"},
          {"title": "Three", "text": "rhizomes alone on rock"},
          {"title": "Four", "text": "gravel and stones"})
    address = reverse("collection:similar", args=[crawl.pk, 1])
    text = browser.get(address).text
    assert text.index(">Two<") < text.index(">Three<") and ">Four<" not in text
    row = text[text.index(">Two<"):text.index(">Three<")]
    assert re.search(r"shares .*<b>posidonia</b>", row) and "anchored" not in row
    assert "No other page shares" in browser.get(
        reverse("collection:similar", args=[crawl.pk, 4])).text
    eve = Client()
    eve.force_login(stranger)
    assert eve.get(address).status_code == 404


def test_a_row_can_be_labelled_and_explained_by_its_owner(
    browser, topic, pages, crawl, stranger
) -> None:
    listed = reverse("collection:list", args=[topic.pk])
    assert f'data-label-address="{reverse("crawls:label", args=[crawl.pk, 1])}"' in browser.get(
        listed).text
    why = reverse("collection:page", args=[crawl.pk, 2]) + "?view=why"
    assert "Path from the seed" in browser.get(why).text
    topic.shared = True
    topic.save()
    Crawl.objects.filter(pk=crawl.pk).update(shared=True)
    eve = Client()
    eve.force_login(stranger)
    assert "data-label-address" not in eve.get(listed).text


def test_hostile_words_are_text(browser, topic, pages) -> None:
    for address, query in (
        (reverse("collection:list", args=[topic.pk]), {"q": "eelgrass"}),
        (reverse("collection:list", args=[topic.pk]), {"q": HOSTILE, "host": HOSTILE}),
        (reverse("collection:page", args=[pages[0].crawl_id, 2]), {}),
        (reverse("collection:page", args=[pages[0].crawl_id, 2]), {"view": "text"}),
    ):
        text = browser.get(address, query).text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert not re.search(r"<b>\?x=", text)


def test_a_search_is_kept_in_the_address(browser, topic, pages) -> None:
    text = browser.get(
        reverse("collection:list", args=[topic.pk]),
        {"q": "eelgrass", "verdict": "2of3", "tau_from": "0.50", "host": "b.test"},
    ).text
    assert "?q=eelgrass&amp;verdict=2of3&amp;tau_from=0.50" in text
    assert 'value="b.test" checked' in text
    assert "<b>1</b> page" in text


def test_what_is_not_understood_is_said_at_its_field(browser, topic, pages) -> None:
    address = reverse("collection:list", args=[topic.pk])
    text = browser.get(address, {"since": "soon", "verdict": HOSTILE, "http": "200"}).text
    facet = text[text.index("<legend>Fetched"):]
    assert "“soon” is no day" in facet[:facet.index("</fieldset>")]
    assert "is no verdict" in text and "<script>alert" not in text
    assert "4</b> pages" in text and "200 OK" in text


def test_nothing_found_says_what_to_do(browser, topic, pages, crawl) -> None:
    address = reverse("collection:list", args=[topic.pk])
    assert "try fewer words" in browser.get(address, {"q": "zebra", "host": "b.test"}).text
    assert "No page has these filters" in browser.get(address, {"host": "no.test"}).text
    Crawl.objects.filter(pk=crawl.pk).update(pages=0)
    assert "No page has been fetched yet" in browser.get(address).text


def test_screens_follow_each_other(browser, topic, crawl) -> None:
    store(crawl, *[{"title": f"T{i}", "text": " ".join(f"w{i}v{j}" for j in range(30)),
                    "topicality": 1 - i / 100} for i in range(45)])
    address = reverse("collection:list", args=[topic.pk])
    first, last = browser.get(address).text, browser.get(address, {"page": "3"}).text
    assert "1–20 of 45" in first and ">T0<" in first and "?&amp;page=2" in first
    assert "41–45 of 45" in last and ">T44<" in last
    assert browser.get(address, {"page": "9"}).status_code == 302


def test_a_page_shows_how_it_was_reached(browser, pages) -> None:
    text = browser.get(reverse("collection:page", args=[pages[0].crawl_id, 3])).text
    path = text[text.index("Path from the seed"):]
    assert path.index("Seed page") < path.index("&lt;script&gt;") < path.index("<b>Third</b>")
    first = browser.get(reverse("collection:page", args=[pages[0].crawl_id, 1])).text
    assert re.search(r"<dt>Links on it</dt><dd>3</dd>", first)


def test_a_path_that_turns_in_a_circle_ends(browser, pages, crawl) -> None:
    FrontierEntry.objects.filter(crawl=crawl, number=0).update(parent=2)
    assert browser.get(reverse("collection:page", args=[crawl.pk, 3])).status_code == 200


def test_headers_and_text_are_shown(browser, pages) -> None:
    address = reverse("collection:page", args=[pages[0].crawl_id, 1])
    assert "text/html; charset=utf-8" in browser.get(address, {"view": "headers"}).text
    assert "eelgrass meadow in the bay" in browser.get(address, {"view": "text"}).text


def test_a_lost_copy_is_said(browser, pages, crawl) -> None:
    for path in crawl_folder(crawl.pk).iterdir():
        path.unlink()
    assert "cannot be read" in browser.get(reverse("collection:page", args=[crawl.pk, 1])).text
    assert browser.get(reverse("collection:stored", args=[crawl.pk, 1])).status_code == 410
    listed = browser.get(reverse("collection:crawl", args=[crawl.pk]), {"q": "eelgrass"}).text
    assert "<b>2</b> pages" in listed


def test_a_stored_copy_can_do_nothing(browser, pages) -> None:
    answer = browser.get(reverse("collection:stored", args=[pages[0].crawl_id, 4]))
    assert answer["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("sandbox; default-src 'none'")
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
    body = answer.text[answer.text.index("<body>"):]
    kept = re.sub(r' title="[^"]*"', "", body)
    assert "evil.test" not in kept
    for word in ("script", "onclick", "onload", "style", "href", "svg", "iframe", "<form", "input",
                 "alert"):
        assert word not in kept, word
    assert "Harmless &lt;words&gt;" in kept and "<p>Last</p>" in kept
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in kept
    assert "picture: a &quot;picture&quot;" in kept
    assert 'title="http://evil.test/next?a=1&amp;b=2"' in body
    assert '<td colspan="2" dir="rtl">cell</td>' in kept


@pytest.mark.parametrize("body", [b"", b"\0\0", b"<", b"<p", b"\xff\xfe", b"<a" * 3000])
def test_any_bytes_have_a_copy(body: bytes) -> None:
    headers = (("Content-Type", "text/html"),)
    assert safe_copy(Answer("http://a.test/", "http://a.test/", 200, headers, body))


def test_plain_text_stays_text() -> None:
    headers = (("Content-Type", "text/plain"),)
    body = b"<script>alert(1)</script>"
    copy = safe_copy(Answer("http://a.test/", "http://a.test/", 200, headers, body))
    assert "<pre>&lt;script&gt;alert(1)&lt;/script&gt;</pre>" in copy


def addresses(crawl: Crawl) -> list[str]:
    return [
        reverse("collection:list", args=[crawl.topic_id]),
        reverse("collection:crawl", args=[crawl.pk]),
        reverse("collection:page", args=[crawl.pk, 1]),
        reverse("collection:stored", args=[crawl.pk, 1]),
        reverse("exports:topic_search", args=[crawl.topic_id]) + "?format=csv",
        reverse("exports:topic_count", args=[crawl.topic_id]) + "?format=csv",
        reverse("exports:crawl_search", args=[crawl.pk]) + "?format=csv",
        reverse("exports:crawl_count", args=[crawl.pk]) + "?format=csv",
    ]


def test_other_peoples_pages_are_not_there(browser, stranger, pages, crawl) -> None:
    eve = Client()
    for address in addresses(crawl):
        assert browser.get(address).status_code == 200, address
        assert eve.get(address).status_code == 302, address
    eve.force_login(stranger)
    for address in addresses(crawl):
        assert eve.get(address).status_code == 404, address


def test_a_shared_topic_shows_the_shared_crawls_alone(
    topic, stranger, pages, crawl, other_crawl
) -> None:
    store(other_crawl, {"title": "Theirs", "text": "sandy shore with dunes"})
    topic.shared = True
    topic.save()
    Crawl.objects.filter(pk=other_crawl.pk).update(shared=True)
    eve = Client()
    eve.force_login(stranger)
    text = eve.get(reverse("collection:list", args=[topic.pk])).text
    assert "Theirs" in text and "Seed page" not in text
    assert f"#{crawl.pk} " not in text
    asked = {"crawl": str(crawl.pk)}
    assert "Seed page" not in eve.get(reverse("collection:list", args=[topic.pk]), asked).text


def test_the_only_collection_is_opened_at_once(browser, topic, pages) -> None:
    answer = browser.get(reverse("collection:home"))
    assert answer.url == reverse("collection:list", args=[topic.pk])


def test_a_person_without_pages_is_told_where_to_begin(stranger) -> None:
    eve = Client()
    eve.force_login(stranger)
    assert "Nothing is collected yet" in eve.get(reverse("collection:home")).text


def test_a_crawl_shared_without_its_topic_is_listed_by_itself(topic, stranger, pages, crawl):
    Crawl.objects.filter(pk=crawl.pk).update(shared=True, pages=3)
    eve = Client()
    eve.force_login(stranger)
    text = eve.get(reverse("collection:home")).text
    assert reverse("collection:crawl", args=[crawl.pk]) in text
    assert reverse("collection:list", args=[topic.pk]) not in text
