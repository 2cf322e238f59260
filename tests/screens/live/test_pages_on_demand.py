"""Pieces of the live page that are asked for: chosen pages, labels, hosts, failed requests."""

from __future__ import annotations

import re
from unittest.mock import ANY

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.sharing import share_with_everybody
from apps.crawls.commands.labelling import label_effects
from apps.crawls.models import Change, Crawl, FailedRequest, Label, Page
from apps.engine.answers import Answer
from apps.engine.codes import State
from apps.screens.live.feed_pages import chosen_rows
from apps.screens.live.fragments import labels_fragment
from tests.crawl_rows import grow, made_event, made_host


@pytest.fixture
def site(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


def seqs(rows: list[str]) -> list[int]:
    return [int(row.split('data-seq="')[1].split('"')[0]) for row in rows]


def test_unsure_pages_come_by_their_distance_from_a_half_without_labelled_ones(crawl: Crawl):
    grow(crawl, 6)
    for seq, tau in enumerate((0.9, 0.45, 0.5, None, 0.05, 0.52), 1):
        Page.objects.filter(crawl=crawl, seq=seq).update(topicality=tau)
    assert seqs(chosen_rows(crawl, "unsure", crawl.owner)) == [3, 6, 2, 1, 5]
    Label.objects.create(crawl=crawl, seq=3, relevant=True)
    Label.objects.create(crawl=crawl, seq=6, relevant=True, undone_at=timezone.now())
    assert seqs(chosen_rows(crawl, "unsure", crawl.owner)) == [6, 2, 1, 5]
    assert seqs(chosen_rows(crawl, "", crawl.owner)) == [6, 5, 4, 3, 2, 1]
    Page.objects.filter(crawl=crawl, seq__gt=2).update(relevant=False)
    assert seqs(chosen_rows(crawl, "relevant", crawl.owner)) == [2, 1]


def test_a_row_shows_its_label(crawl: Crawl) -> None:
    grow(crawl, 2)
    Label.objects.create(crawl=crawl, seq=2, relevant=False)
    newest, older = chosen_rows(crawl, "", crawl.owner)
    assert 'data-label="n" aria-pressed="true"' in newest
    assert 'aria-pressed="true"' not in older


def test_a_row_shows_the_chance_that_a_judge_alone_goes_by(site: Client, crawl: Crawl) -> None:
    grow(crawl, 2)
    alone = {"relevant": False, "votes": 0, "votes_of": 1, "topicality": 0.78, "probability": 0.42}
    Page.objects.filter(crawl=crawl, seq=2).update(**alone)
    newest, older = chosen_rows(crawl, "", crawl.owner)
    assert '<span class="nothing">not</span><span class="under">P 0.42</span>' in newest
    assert "0.78</td>" in newest and ">P " not in older  # a committee goes by its votes
    page = site.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert "relevant from P 0.50 on" in page


def test_labelling_answers_what_the_label_is_now(
    site: Client, crawl: Crawl, monkeypatch: pytest.MonkeyPatch, data_dir
) -> None:
    grow(crawl, 3)
    body = b"<p>" + b"dough flour yeast oven " * 20
    url, headers = "http://a.test/2", (("Content-Type", "text/html"),)
    answer = Answer(url, url, 200, headers, body)
    monkeypatch.setattr(label_effects, "stored_answer", lambda crawl, page: answer)
    address = reverse("live:label", args=[crawl.pk, 2])
    message = [site.post(address, {"value": value}).json() for value in "yyn"]
    assert [one["label"] for one in message] == ["y", "", "n"]
    assert message[0] == {"ok": True, "label": "y", "labels": ANY, "goal": ANY}
    assert "<b>1</b> label to learn from" in message[0]["labels"]
    for wrong in ({"value": "maybe"}, {}):
        assert not site.post(address, wrong).json()["ok"]
    assert site.get(address).status_code == 405


def test_a_crawl_at_rest_states_when_it_learns_from_its_labels(crawl: Crawl) -> None:
    Change.objects.create(crawl=crawl, kind="labels", payload={"labels": []})
    assert "when it goes on" not in labels_fragment(crawl)
    crawl.state = State.FINISHED
    assert "when it goes on" in labels_fragment(crawl)


def test_only_the_owner_labels_and_others_look(client: Client, stranger, crawl: Crawl) -> None:
    grow(crawl, 3)
    client.force_login(stranger)
    addresses = [
        reverse(f"live:{name}", args=[crawl.pk])
        for name in ("pages", "hosts", "failures", "events")
    ]
    assert {client.get(address).status_code for address in addresses} == {404}
    share_with_everybody(crawl)
    assert {client.get(address).status_code for address in addresses} == {200}
    label = reverse("live:label", args=[crawl.pk, 1])
    assert client.post(label, {"value": "y"}).status_code == 404


def test_hosts_are_found_by_name_and_put_in_order(site: Client, crawl: Crawl) -> None:
    made_host(crawl, "good.test", pages=10, relevant=9)
    made_host(crawl, "poor.test", pages=5, relevant=1)
    made_host(crawl, "blocked.example", pages=1, relevant=1, blocked="http_403", failures=10)
    address = reverse("live:hosts", args=[crawl.pk])

    def order(**query: str) -> list[str]:
        text = site.get(address, query).content.decode()
        return re.findall(r'<td class="name">.*? title="([^"]+)"', text)

    assert order() == ["good.test", "poor.test", "blocked.example"]
    assert order(q="TEST", sort="worst") == ["poor.test", "good.test"]
    assert order(sort="blocking") == ["blocked.example"]
    assert order(q="nothing") == []
    assert order(q="g\0ood") == ["good.test"]


def test_all_events_are_listed_a_hundred_a_page(site: Client, crawl: Crawl) -> None:
    for seq in range(1, 121):
        made_event(crawl, seq, "exclude", seq, pattern=f"*<i>{seq}*")
    address = reverse("live:events", args=[crawl.pk])
    newest, oldest = (site.get(address, {"page": n}).content.decode() for n in (1, 2))
    assert newest.index("*&lt;i&gt;120*") < newest.index("*&lt;i&gt;21*")
    assert "*&lt;i&gt;20*" in oldest and 'form="form-undo"' not in oldest
    live = site.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert f'<a href="{address}">112 before these</a>' in live


def test_what_a_rule_refused_is_no_fetch_error(site: Client, crawl: Crawl) -> None:
    errors = {"http_404": 6, "timeout": 6, "robots": 28, "redirect_to_known": 20}
    Crawl.objects.filter(pk=crawl.pk).update(errors=errors, failed=60, requests=1000)
    live = site.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    figure = live.split('id="figure-failed"')[1].split("</div></div>")[0]
    assert "<b>1.2\u202f%</b> 12" in figure
    section = live.split('id="errors"')[1].split("</section>")[0]
    assert "12 of 1,000 requests" in section and "48 more" in section
    log = site.get(reverse("live:failures", args=[crawl.pk])).content.decode()
    assert "12 of 1,000 requests failed; 48 more" in log


def test_failed_requests_are_listed_by_kind_with_what_happened(site: Client, crawl: Crawl) -> None:
    for n, kind in enumerate(("http_404", "dns", "http_404"), 1):
        FailedRequest.objects.create(
            crawl=crawl,
            request=n,
            number=n,
            url=f"http://a.test/<i>{n}",
            final_url="http://a.test/",
            host="a.test",
            kind=kind,
            detail="",
            at=timezone.now(),
        )
    Crawl.objects.filter(pk=crawl.pk).update(errors={"http_404": 2, "dns": 1}, failed=3)
    address = reverse("live:failures", args=[crawl.pk])
    text = site.get(address).content.decode()
    assert text.index("&lt;i&gt;3") < text.index("&lt;i&gt;1") and "host unknown" in text
    only = site.get(address, {"kind": "dns"}).content.decode()
    assert "&lt;i&gt;2" in only and "&lt;i&gt;1" not in only
    assert "&lt;i&gt;1" in site.get(address, {"kind": "no such kind"}).content.decode()
