"""The comparison in the browser's address: what it shows, and what it refuses."""

from __future__ import annotations

import csv
import json
import re
from html import unescape
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share
from apps.crawls.models import Crawl
from apps.experiments.results.crawls.table import SETTLED
from apps.topics.snapshots import snapshot
from tests.collection_fixtures import store
from tests.crawl_rows import grow, made_crawl, made_topic, sampled
from tests.people import person, site_of

pytestmark = pytest.mark.alike

STRATEGIES = (
    "full_page",
    "breadth_first",
    "tag_tree_combo",
    "fish_search",
    "text_window_combo",
    "apprentice",
    "backlink_count",
    "pagerank",
)


@pytest.fixture
def crawls(db) -> list[Crawl]:
    topic = made_topic(person("ada"))
    return [
        grow(made_crawl(topic, strategy=name, parameters={}, state="finished"), 60)
        for name in STRATEGIES
    ]


@pytest.fixture
def site(crawls) -> Client:
    return site_of(crawls[0].owner)


def page(site: Client, crawls: list[Crawl], query: str = "", status: int = 200) -> str:
    numbers = ",".join(str(crawl.pk) for crawl in crawls)
    answer = site.get(f"{reverse('compare:crawls')}?crawls={numbers}{query}")
    assert answer.status_code == status
    return unescape(answer.content.decode())


def figures(text: str) -> dict:
    script = re.search(r'<script id="figures" type="application/json">(.*?)</script>', text, re.S)
    return json.loads(script[1])


def test_the_curves_lie_over_each_other_in_one_colour_a_crawl(site, crawls):
    text = page(site, crawls[:3])
    recall = figures(text)["compared-target_recall"]
    assert [trace["name"] for trace in recall["data"]] == [
        "Full page",
        "Breadth-first",
        "Tag tree combo",
    ]
    assert len({trace["meta"]["colour"] for trace in recall["data"]}) == 3
    assert len({trace["marker"]["symbol"] for trace in recall["data"]}) == 3
    assert recall["layout"]["xaxis"]["title"]["text"] == "pages fetched"
    assert recall["layout"]["yaxis"]["title"]["text"] == "target recall"
    assert recall["layout"]["meta"]["labelled"]


def test_over_active_time_the_same_values_stand_elsewhere(site, crawls):
    by_pages = figures(page(site, crawls[:2]))["compared-harvest_rate"]
    by_time = figures(page(site, crawls[:2], "&x=minutes"))["compared-harvest_rate"]
    assert by_time["data"][0]["y"] == by_pages["data"][0]["y"]
    pages = by_pages["data"][0]["x"]
    assert by_time["data"][0]["x"] == pytest.approx([n / 5 / 60 for n in pages])
    assert by_time["layout"]["xaxis"]["title"]["text"] == "active minutes"


def test_of_eight_crawls_five_are_coloured_and_others_can_be(site, crawls):
    text = page(site, crawls)
    grey = [
        trace["name"]
        for trace in figures(text)["compared-harvest_rate"]["data"]
        if trace["meta"]["colour"] == "ink-3"
    ]
    assert len(grey) == 3 and "Draw 5 of 8" in text
    text = page(site, crawls, f"&drawn={crawls[7].pk},{crawls[6].pk}")
    coloured = [
        trace["name"]
        for trace in figures(text)["compared-harvest_rate"]["data"]
        if trace["meta"]["colour"] != "ink-3"
    ]
    assert len(coloured) == 2 and "Draw 2 of 8" in text


def test_a_measure_is_chosen_by_its_name(site, crawls):
    text = page(site, crawls[:2], "&measure=mean_tau")
    assert next(iter(figures(text))) == "compared-mean_tau"
    assert "<h2>Mean τ, last M pages</h2>" in text
    assert "compared-target_recall" in figures(page(site, crawls[:2], "&measure=nonsense"))


def test_final_best_and_area_stand_in_the_table(site, crawls):
    topic = crawls[0].topic
    one = sampled(
        made_crawl(topic, strategy="full_page", state="finished"), {10: 0.9, 30: 0.5, 50: 0.3}
    )
    other = sampled(
        made_crawl(topic, strategy="breadth_first", state="finished"), {10: 0.2, 30: 0.4, 50: 0.6}
    )
    text = " ".join(page(site, [one, other]).split())
    table = text[text.index('id="by-crawl"') : text.index('id="pages"')]
    assert "Best after page 10" in table and SETTLED * 50 == 10
    cells = re.findall(r'data-word="(?:Final|Best|Area|At 50|Difference)">(.*?)</td>', table)
    plain = [re.sub("<.*?>", "", cell).strip() for cell in cells]
    # Of the first (0.7 × 20 + 0.4 × 20) / 40, of the other (0.3 × 20 + 0.5 × 20) / 40.
    assert plain == [
        "30 %",
        "90 % page 10",
        "55 %",
        "30 %",
        "–",
        "60 %",
        "60 % page 50",
        "40 %",
        "60 %",
        "+30.0",
    ]
    assert "relevant pages" not in table


def test_pages_are_counted_with_links_to_the_collection_that_counts_the_same(db, data_dir):
    topic = made_topic(person("ada"))
    one, other = (made_crawl(topic, strategy=s, state="finished") for s in STRATEGIES[:2])
    for crawl, pages in ((one, (1, 2, 3)), (other, (1, 4))):
        store(crawl, *[{"url": f"http://a.test/{n}"} for n in pages])
        crawl.refresh_from_db()
    site = site_of(topic.owner)
    text = page(site, [one, other])
    links = re.findall(
        r'<a href="(/topics/[^"]*crawl=[^"]*)">(.*?)</a></td>'
        r'<td class="number">(\d+)</td>',
        text,
    )
    assert [(words, int(pages)) for _, words, pages in links] == [
        ("in both", 1),
        ("only Full page", 2),
        ("only Breadth-first", 1),
    ]
    for link, _, pages in links:
        listed = site.get(link).content.decode()
        assert f"<b>{pages}</b> of 4 pages" in listed
    assert "The first page is the same in both." in text


def test_who_may_not_see_the_topic_gets_counts_without_links(crawls):
    eve = person("eve")
    for crawl in crawls[:2]:
        share(crawl, "eve")
    text = page(site_of(eve), crawls[:2])
    assert "in both" in text and "/collection/?" not in text


def test_only_what_differs_is_shown_of_settings(site, crawls):
    text = page(site, crawls[:2])
    settings = text[text.index('id="settings"') : text.index('id="measures"')]
    assert "Full page" in settings and "Breadth-first" in settings
    assert "Parameters of its own" in settings and "Random seed" not in settings


def test_crawls_that_are_not_alike_are_called_not_comparable(site, crawls):
    Crawl.objects.filter(pk=crawls[1].pk).update(judged_by="held_out_svm")
    Crawl.objects.update(snapshot=snapshot(crawls[0].topic))
    text = page(site, crawls[:2], "&measure=harvest_rate")
    assert "They were judged by different judges" in text
    assert "not comparable: see above" in text
    assert "same web, seeds, targets and judge" not in text


@pytest.mark.parametrize("query", ["", "?crawls=", "?crawls=7"])
def test_without_two_crawls_there_is_a_choice(site, crawls, query):
    answer = site.get(reverse("compare:crawls") + query)
    text = answer.content.decode()
    assert answer.status_code == 200 and 'name="crawls"' in text
    assert all(f"#{crawl.pk}</b>" in text for crawl in crawls)


def test_without_any_crawl_it_advises_where_to_start(db):
    text = site_of(person("new")).get(reverse("compare:crawls")).content.decode()
    assert "No crawl has any pages yet" in text


def test_anothers_crawl_is_as_if_it_were_not_there(site, crawls):
    eve = site_of(person("eve"))
    assert "There is no crawl #" in page(eve, crawls[:2], status=404)
    missing = eve.get(reverse("compare:crawls") + "?crawls=1,999999")
    assert missing.status_code == 404
    for name in ("curves", "measures"):
        address = f"{reverse(f'compare:{name}')}?crawls={crawls[0].pk},{crawls[1].pk}"
        assert eve.get(address).status_code == 404
        assert site.get(address).status_code == 200


@pytest.mark.parametrize("asked", ["1,x", ",".join(map(str, range(1, 10)))])
def test_what_is_asked_wrongly_is_reported_and_kept(site, asked):
    answer = site.get(f"{reverse('compare:crawls')}?crawls={asked}")
    text = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert f"Asked for: {asked}" in text
    assert "“x” is not the number" in text or "you gave 9" in text
    assert site.get(f"{reverse('compare:curves')}?crawls={asked}").status_code == 400


def lines(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(b"".join(answer.streaming_content).decode())))


def test_the_files_have_every_sample_and_every_figure_unrounded(site, crawls):
    asked = f"?crawls={crawls[0].pk},{crawls[1].pk}"
    answer = site.get(reverse("compare:curves") + asked)
    assert answer["Content-Disposition"].endswith(
        f'"compare-{crawls[0].pk}-{crawls[1].pk}-curves.csv"'
    )
    rows = [row for row in lines(answer) if row["measure"] == "harvest_rate"]
    assert len(rows) == 12 and rows[5]["pages"] == "60"
    assert float(rows[5]["value"]) == crawls[0].metrics["harvest_rate"]
    rows = lines(site.get(reverse("compare:measures") + asked))
    (one, other) = (row for row in rows if row["measure"] == "harvest_rate")
    assert float(one["final"]) == crawls[0].metrics["harvest_rate"]
    assert (one["area_from"], one["area_to"], one["axis"]) == ("10.0", "60.0", "pages")
    assert (one["difference"], float(other["difference"])) == ("", 0.0)


def test_it_is_reached_from_the_list_the_topic_and_the_collection(site, crawls, data_dir):
    topic = crawls[0].topic
    listed = site.get(reverse("crawls:list")).content.decode()
    assert f'data-compare="{reverse("compare:crawls")}"' in listed
    for name in ("topic:detail", "collection:list"):
        text = unescape(site.get(reverse(name, args=[topic.pk])).content.decode())
        link = re.search(r'href="(/compare/\?crawls=[\d,]+)"', text)
        assert link is not None and site.get(link[1]).status_code == 200
