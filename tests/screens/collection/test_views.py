"""The screens of a collection: what they show, to whom, and what they keep of a hostile page."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.accounts.sharing import share_with_everybody
from apps.collection.indexing.marks import mark_anew
from apps.collection.overview import collections
from apps.crawls.models import Crawl, FrontierEntry, Outlinks
from apps.crawls.packing import pack_numbers
from apps.crawls.pages.folder import crawl_folder
from apps.screens.collection.index import runs
from apps.stored_pages.stored_copy import CONTENT_SECURITY_POLICY
from apps.topics.models import Example
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic

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
    stored = store(
        crawl,
        {"title": "Seed page", "text": "eelgrass meadow in the bay", "seed": True, "parent": -1},
        {
            "title": HOSTILE,
            "url": "http://b.test/<b>?x='\"&y",
            "parent": 0,
            "depth": 1,
            "text": "eelgrass &lt;script&gt;alert(5)&lt;/script&gt; meadow",
        },
        {
            "title": "Third",
            "text": "sand and gravel",
            "parent": 1,
            "depth": 2,
            "relevant": False,
            "votes": 0,
        },
        {"title": "Evil", "html": EVIL_PAGE, "url": "http://evil.test/start", "parent": -1},
    )
    Outlinks.objects.create(crawl=crawl, seq=1, targets=pack_numbers([1, 2, 9]))
    return stored


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


def test_a_row_states_that_its_page_needs_scripts(browser, topic, crawl, pages) -> None:
    address = reverse("collection:list", args=[topic.pk])
    tag = '<span class="tag">needs JavaScript</span>'
    assert tag not in browser.get(address).text
    crawl.pages_fetched.filter(seq=1).update(needs_javascript=True)
    assert browser.get(address).text.count(tag) == 1


def test_similar_pages_share_rare_words(browser, topic, crawl, stranger) -> None:
    store(
        crawl,
        {"title": "One", "text": "posidonia rhizomes anchored in sand"},
        {"title": "Two", "text": "rhizomes of posidonia torn out"},
        {"title": "Three", "text": "rhizomes alone on rock"},
        {"title": "Four", "text": "gravel and stones"},
    )
    address = reverse("page:similar", args=[crawl.pk, 1])
    text = browser.get(address).text
    assert text.index(">Two<") < text.index(">Three<") and ">Four<" not in text
    row = text[text.index(">Two<") : text.index(">Three<")]
    assert re.search(r"shares .*<b>posidonia</b>", row) and "anchored" not in row
    assert "No other page shares" in browser.get(reverse("page:similar", args=[crawl.pk, 4])).text
    eve = Client()
    eve.force_login(stranger)
    assert eve.get(address).status_code == 404


def test_a_row_can_be_labelled_and_explained_by_its_owner(
    browser, topic, pages, crawl, stranger
) -> None:
    listed = reverse("collection:list", args=[topic.pk])
    assert (
        f'data-label-address="{reverse("live:label", args=[crawl.pk, 1])}"'
        in browser.get(listed).text
    )
    page = reverse("page:page", args=[crawl.pk, 2])
    assert "Path from the seed" in browser.get(page, {"view": "why"}).text
    label = f'data-label-address="{reverse("live:label", args=[crawl.pk, 2])}"'
    assert label in browser.get(page).text
    share_with_everybody(topic)
    share_with_everybody(crawl)
    eve = Client()
    eve.force_login(stranger)
    assert "data-label-address" not in eve.get(listed).text + eve.get(page).text


def test_hostile_words_are_text(browser, topic, pages) -> None:
    for address, query in (
        (reverse("collection:list", args=[topic.pk]), {"q": "eelgrass"}),
        (reverse("collection:list", args=[topic.pk]), {"q": HOSTILE, "host": HOSTILE}),
        (reverse("page:page", args=[pages[0].crawl_id, 2]), {}),
        (reverse("page:page", args=[pages[0].crawl_id, 2]), {"view": "text"}),
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


def test_what_is_not_understood_is_reported_at_its_field(browser, topic, pages) -> None:
    address = reverse("collection:list", args=[topic.pk])
    text = browser.get(address, {"since": "soon", "verdict": HOSTILE, "http": "200"}).text
    facet = text[text.index("<legend>Fetched") :]
    assert "“soon” is not a day" in facet[: facet.index("</fieldset>")]
    assert "is not a verdict" in text and "<script>alert" not in text
    assert "4</b> pages" in text and "200 OK" in text


def test_nothing_found_advises_what_to_do(browser, topic, pages, crawl) -> None:
    address = reverse("collection:list", args=[topic.pk])
    assert "try fewer words" in browser.get(address, {"q": "zebra", "host": "b.test"}).text
    assert "No page has these filters" in browser.get(address, {"host": "no.test"}).text
    Crawl.objects.filter(pk=crawl.pk).update(pages=0)
    assert "No page has been fetched yet" in browser.get(address).text


def test_screens_follow_each_other(browser, topic, crawl) -> None:
    store(
        crawl,
        *[
            {
                "title": f"T{i}",
                "text": " ".join(f"w{i}v{j}" for j in range(30)),
                "topicality": 1 - i / 100,
            }
            for i in range(45)
        ],
    )
    address = reverse("collection:list", args=[topic.pk])
    first, last = browser.get(address).text, browser.get(address, {"page": "3"}).text
    assert "1–20 of 45" in first and ">T0<" in first and "?&amp;page=2" in first
    assert "41–45 of 45" in last and ">T44<" in last
    assert browser.get(address, {"page": "9"}).status_code == 302


def test_a_page_shows_how_it_was_reached(browser, pages) -> None:
    text = browser.get(reverse("page:page", args=[pages[0].crawl_id, 3])).text
    path = text[text.index("Path from the seed") :]
    assert path.index("Seed page") < path.index("&lt;script&gt;") < path.index("<b>Third</b>")
    first = browser.get(reverse("page:page", args=[pages[0].crawl_id, 1])).text
    assert re.search(r"Links out</h2><span class=\"secondary\">3: ", first)


def test_a_path_that_turns_in_a_circle_ends(browser, pages, crawl) -> None:
    FrontierEntry.objects.filter(crawl=crawl, number=0).update(parent=2)
    assert browser.get(reverse("page:page", args=[crawl.pk, 3])).status_code == 200


def test_headers_and_text_are_shown(browser, pages) -> None:
    address = reverse("page:page", args=[pages[0].crawl_id, 1])
    assert "text/html; charset=utf-8" in browser.get(address, {"view": "headers"}).text
    assert "eelgrass meadow in the bay" in browser.get(address, {"view": "text"}).text


def test_a_lost_copy_is_reported(browser, pages, crawl) -> None:
    for path in crawl_folder(crawl.pk).iterdir():
        path.unlink()
    assert "cannot be read" in browser.get(reverse("page:page", args=[crawl.pk, 1])).text
    assert browser.get(reverse("page:stored", args=[crawl.pk, 1])).status_code == 410
    listed = browser.get(reverse("collection:crawl", args=[crawl.pk]), {"q": "eelgrass"}).text
    assert "<b>2</b> pages" in listed


def test_a_stored_copy_can_do_nothing(browser, pages) -> None:
    answer = browser.get(reverse("page:stored", args=[pages[0].crawl_id, 4]))
    assert answer["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("sandbox; default-src 'none'")
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
    body = answer.text[answer.text.index("<body>") :]
    kept = re.sub(r' title="[^"]*"', "", body)
    assert "evil.test" not in kept
    for word in (
        "script",
        "onclick",
        "onload",
        "style",
        "href",
        "svg",
        "iframe",
        "<form",
        "input",
        "alert",
    ):
        assert word not in kept, word
    assert "Harmless &lt;words&gt;" in kept and "<p>Last</p>" in kept
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in kept
    assert "picture: a &quot;picture&quot;" in kept
    assert 'title="http://evil.test/next?a=1&amp;b=2"' in body
    assert '<td colspan="2" dir="rtl">cell</td>' in kept


def addresses(crawl: Crawl) -> list[str]:
    return [
        reverse("collection:list", args=[crawl.topic_id]),
        reverse("collection:crawl", args=[crawl.pk]),
        reverse("page:page", args=[crawl.pk, 1]),
        reverse("page:stored", args=[crawl.pk, 1]),
        reverse("downloads:topic_search", args=[crawl.topic_id]) + "?format=csv",
        reverse("downloads:topic_count", args=[crawl.topic_id]) + "?format=csv",
        reverse("downloads:crawl_search", args=[crawl.pk]) + "?format=csv",
        reverse("downloads:crawl_count", args=[crawl.pk]) + "?format=csv",
    ]


def test_other_peoples_pages_are_not_there(browser, stranger, pages, crawl) -> None:
    eve = Client()
    for address in addresses(crawl):
        assert browser.get(address).status_code == 200, address
        assert eve.get(address).status_code == 302, address
    eve.force_login(stranger)
    for address in addresses(crawl):
        assert eve.get(address).status_code == 404, address


def test_a_shared_topic_shows_all_its_crawls_and_a_shared_crawl_itself_alone(
    topic, stranger, pages, crawl, other_crawl
) -> None:
    store(other_crawl, {"title": "Theirs", "text": "sandy shore with dunes"})
    share_with_everybody(other_crawl)
    eve = Client()
    eve.force_login(stranger)
    whole = reverse("collection:list", args=[topic.pk])
    assert eve.get(whole).status_code == 404
    text = eve.get(reverse("collection:crawl", args=[other_crawl.pk])).text
    assert "Theirs" in text and "Seed page" not in text
    share_with_everybody(topic)
    text = eve.get(whole).text
    assert "Theirs" in text and "Seed page" in text


def test_the_only_collection_is_opened_at_once(browser, topic, pages) -> None:
    answer = browser.get(reverse("collection:home"))
    assert answer.url == reverse("collection:list", args=[topic.pk])


def test_a_person_without_pages_is_shown_where_to_begin(stranger) -> None:
    eve = Client()
    eve.force_login(stranger)
    assert "Nothing is collected yet" in eve.get(reverse("collection:home")).text


def test_a_crawl_shared_without_its_topic_is_listed_by_itself(topic, stranger, pages, crawl):
    share_with_everybody(crawl)
    Crawl.objects.filter(pk=crawl.pk).update(pages=3)
    eve = Client()
    eve.force_login(stranger)
    text = eve.get(reverse("collection:home")).text
    assert reverse("collection:crawl", args=[crawl.pk]) in text
    assert reverse("collection:list", args=[topic.pk]) not in text


def test_a_page_of_two_crawls_is_one_row_that_leads_to_both(
    browser, topic, crawl, other_crawl
) -> None:
    page = {"url": "http://a.test/reef", "title": "Reef", "text": "coral"}
    store(crawl, {"text": "sand"}, {**page, "relevant": True})
    store(other_crawl, {**page, "relevant": False, "votes": 0})
    text = browser.get(reverse("collection:list", args=[topic.pk])).text
    assert "2 different pages, fetched 3 times" in text
    assert text.count('<li class="hit several"') == 2 and text.count(">Reef</a>") == 1
    for each, seq in ((crawl, 2), (other_crawl, 1)):
        assert reverse("page:page", args=[each.pk, seq]) in text
    assert "crawls differ" in text
    alone = browser.get(reverse("collection:crawl", args=[crawl.pk])).text
    assert "crawls differ" not in alone and "2 pages fetched" in alone
    detail = browser.get(reverse("page:page", args=[crawl.pk, 2])).text
    assert reverse("page:page", args=[other_crawl.pk, 1]) in detail


def test_pages_of_other_crawls_are_read_whole_only_where_verdicts_differ(
    browser, topic, crawl, other_crawl
) -> None:
    pages = [{"url": f"http://a.test/{n}", "relevant": True} for n in range(3)]
    store(crawl, *pages)
    store(other_crawl, *pages[:2], {**pages[2], "relevant": False, "votes": 0, "votes_of": 3})
    with CaptureQueriesContext(connection) as asked:
        text = browser.get(reverse("collection:list", args=[topic.pk])).text
    read = [q["sql"] for q in asked.captured_queries if '"crawls_page"."telemetry"' in q["sql"]]
    numbers = [sql.rpartition(" IN (")[2].partition(")")[0].split(",") for sql in read]
    assert sorted(map(len, numbers)) == [2, 3]
    for seq in (1, 2, 3):
        assert f'<a href="{reverse("page:page", args=[crawl.pk, seq])}"><b>#' in text
    assert 'aria-label="0 of 3 votes"' in text


def test_a_label_is_reported_in_ones_own_crawl(topic, owner, stranger, crawl, other_crawl) -> None:
    Crawl.objects.filter(pk=other_crawl.pk).update(owner=stranger)
    share_with_everybody(other_crawl)
    for each in (crawl, other_crawl):
        store(each, {"url": "http://a.test/reef", "title": "Reef"})
    client = Client()
    client.force_login(owner)
    text = client.get(reverse("collection:list", args=[topic.pk])).text
    assert f'data-label-address="{reverse("live:label", args=[crawl.pk, 1])}"' in text


def test_collections_are_listed_with_what_they_hold(
    browser, owner, topic, crawl, other_crawl
) -> None:
    reef = {"url": "http://a.test/reef", "text": "coral"}
    store(crawl, {**reef, "target": True}, {"text": "sand", "relevant": False})
    store(other_crawl, {**reef, "target": True})
    Example.objects.create(topic=topic, url="http://a.test/reef", relevant=True, source="label")
    mark_anew(topic)
    empty = made_topic(owner, "Urban heat")
    (held,) = collections(owner, [topic.pk])
    assert (held.pages, held.fetched, held.relevant, held.target_pages) == (2, 3, 1, 1)
    assert (held.targets, held.yes, held.no, held.newness) == (4, 1, 0, (1.0, 0.0))
    text = browser.get(reverse("collection:home")).text
    assert "2 different pages, fetched 3 times by 2 crawls" in text
    assert "<span>1 topic</span>" in text and "/collection/#download" in text
    assert "1 of 4" in text and "fetched 3 times" in text
    assert "no crawl yet" in text and reverse("new_crawl:form", args=[empty.pk]) in text
    assert "0 of 4" in text and "no targets" not in text
    empty.targets.all().delete()
    assert "no targets" in browser.get(reverse("collection:home")).text


def test_collections_are_searched_and_ordered_by_the_address(browser, owner, topic, crawl) -> None:
    other = made_crawl(made_topic(owner, "Aardvarks"), state="finished")
    store(crawl, {"text": "coral"}, {"text": "coral"}, {"text": "sand"})
    store(other, {"text": "termites"})

    def names(**query: str) -> list[str]:
        text = browser.get(reverse("collection:home"), query).text
        return re.findall(r'<td class="name"><a href="[^"]*">([^<]*)</a>', text)

    assert names(order="name") == ["Aardvarks", "Seagrass"]
    assert names(order="pages") == ["Seagrass", "Aardvarks"]
    assert names(q="coral") == ["Seagrass"]
    assert names(q="termites", order="name") == ["Aardvarks"]
    assert names(q="zeppelin") == []
    assert "No page of any collection" in browser.get(reverse("collection:home"), {"q": "x1"}).text


def test_collections_are_paged_and_searched_over_all_pages(browser, owner, topic, crawl) -> None:
    for number in range(29):
        made_topic(owner, f"Empty {number:02}")
    store(crawl, {"text": "coral"}, index=False)

    def names(query: str) -> list[str]:
        text = browser.get(f"{reverse('collection:home')}?{query}").text
        return re.findall(r'<td class="name"><a href="[^"]*">([^<]*)</a>', text)

    assert len(names("order=name")) == 25 and names("order=")[0] == "Seagrass"
    assert names("order=name&page=2")[-1] == "Seagrass" and len(names("order=name&page=2")) == 5
    assert names("q=coral&order=name") == ["Seagrass"] and names("q=-coral") == []
    assert "not an order" in browser.get(f"{reverse('collection:home')}?order=zzz").text


def test_of_many_crawls_the_list_reads_only_what_it_counts(owner, topic, crawl, pages) -> None:
    def statements() -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            assert len(collections(owner, [topic.pk])) == 1
        return [query["sql"] for query in captured.captured_queries]

    with_one = statements()
    for _ in range(3):
        store(made_crawl(topic), {"text": "eelgrass in the bay"})
    with_four = statements()
    assert len(with_four) == len(with_one)
    assert not [sql for sql in with_four if "queue_head" in sql or "accounts_share" in sql[:200]]


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([4], "#4"),
        ([4, 5], "#4, #5"),
        ([4, 5, 6, 7, 30], "#4–7, #30"),
        ([1, 3], "#1, #3"),
    ],
)
def test_crawls_in_a_row_are_named_as_a_run(numbers: list[int], words: str) -> None:
    assert runs(numbers) == words


def test_who_fetched_what_stands_above_several_crawls_and_its_rows_filter(
    client: Client, owner, topic, crawl, other_crawl
) -> None:
    store(crawl, {"url": "http://a.test/a"}, {"url": "http://a.test/b"})
    client.force_login(owner)
    here = reverse("collection:list", args=[topic.pk])
    assert "Who fetched what" not in client.get(here).content.decode()
    store(other_crawl, {"url": "http://a.test/b", "target": True}, {"url": "http://a.test/d"})
    seen = client.get(here)
    assert "Who fetched what" in seen.content.decode()
    assert (seen.context["different"], seen.context["labelled"]) == (3, 0)
    rows = {row.words: row for row in seen.context["overlap"].sets}
    assert list(rows) == ["in both", f"only in #{crawl.pk}", f"only in #{other_crawl.pk}"]
    for words, urls in (
        ("in both", ["http://a.test/b"]),
        (f"only in #{crawl.pk}", ["http://a.test/a"]),
        (f"only in #{other_crawl.pk}", ["http://a.test/d"]),
    ):
        chosen = client.get(f"{here}?{rows[words].query}")
        assert [row.page.final_url for row in chosen.context["rows"]] == urls
        (again,) = [row for row in chosen.context["overlap"].sets if row.chosen]
        # The numbers stay those of the whole collection, and a second click takes the filter away.
        assert (again.words, again.tally.pages, again.query) == (words, 1, "")


def test_of_many_crawls_the_largest_sets_are_shown_without_dots(
    client: Client, owner, topic, crawl
) -> None:
    crawls = [crawl, *(made_crawl(topic) for _ in range(9))]
    for number, one in enumerate(crawls):
        store(
            one,
            {"url": "http://a.test/all"},
            *({"url": f"http://a.test/{number}/{page}"} for page in range(number)),
        )
    client.force_login(owner)
    overlap = client.get(reverse("collection:list", args=[topic.pk])).context["overlap"]
    assert [row.words for row in overlap.sets] == [
        *(f"only in #{one.pk}" for one in reversed(crawls[2:])),
        "2 other combinations",
    ]
    assert overlap.dotted == () and overlap.sets[-1].tally.pages == 2
    assert overlap.sets[-1].query is None and len(overlap.crawls) == 10


def test_a_prefix_that_no_search_has_is_named_in_the_list_of_collections(
    browser, topic, crawl
) -> None:
    store(crawl, {"text": "coral"})
    home = reverse("collection:home")
    assert "With these words" in browser.get(home, {"q": "coral"}).text
    text = browser.get(home, {"q": "inurl:en coral"}).text
    assert (
        "“inurl:” is not a prefix of this search;"
        " give title:, url:, site:, lang:, before: or after:" in text
    )
    assert "With these words" not in text and topic.name in text
