"""The screen of what was left out, its buttons and its list."""

from __future__ import annotations

import csv
import io

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.utils.html import strip_tags

from apps.crawls.models import FrontierEntry
from apps.engine.codes import Exclusion
from apps.engine.intelligence.strategies import strategy_title
from tests.crawl_rows import grow, made_crawl
from tests.left_out_fixtures import LEFT_OUT, left  # noqa: F401
from tests.people import Program, person, site_of

pytestmark = pytest.mark.alike


async def joined(answer) -> str:
    return b"".join([piece async for piece in answer.streaming_content]).decode()


def page(crawl, query: str = "") -> str:
    answer = site_of(crawl.owner).get(f"/crawls/{crawl.pk}/left-out/{query}")
    return " ".join(strip_tags(answer.content.decode()).split())


def test_it_names_what_is_worth_a_minute_and_offers_the_remedies(left) -> None:
    text = page(left)
    assert "14 addresses met and not taken" in text and "19 pages taken" in text
    assert f"crawl #{left.pk}, {strategy_title(left.strategy)} " in text
    assert "3 things may be worth a minute: 1 under Host is out" in text
    for button in ("Let 1 host in again", "Remove 1 pattern", "Take 2 all the same"):
        assert button in text


def test_an_opened_reason_lists_its_addresses_and_hosts(left) -> None:
    text = page(left, "?open=certificate")
    assert "the certificate has expired" in text and "Allow c.test" in text


@pytest.mark.parametrize("query", ["?by=host", "?by=priority", "?q=deep&least=0.7", "?q=nothing"])
def test_it_can_be_turned_and_narrowed(left, query) -> None:
    text = page(left, query)
    assert ("deep/1" in text or "a.test" in text) or "No address matches" in text


def test_a_button_acts_and_undo_takes_its_place(left) -> None:
    site = site_of(left.owner)
    answer = site.post(f"/crawls/{left.pk}/left-out/act/", {"reason": "depth"}, follow=True)
    text = " ".join(strip_tags(answer.content.decode()).split())
    assert "2 addresses put back. The crawl is finished: it takes effect at its next start." in text
    assert "Addresses put back: 2 addresses" in text and "Undo" in text
    assert "Take 2 all the same" not in text


def test_only_people_who_may_steer_act(left) -> None:
    path = f"/crawls/{left.pk}/left-out/act/"
    assert site_of(person("eve")).post(path, {"reason": "depth"}).status_code == 404
    assert Client().post(path, {"reason": "depth"}).status_code == 302
    site_of(left.owner).post(path, {"action": "delete"})
    assert not left.changes.exists()


def test_the_list_has_a_line_an_address(left) -> None:
    answer = site_of(left.owner).get(f"/crawls/{left.pk}/left-out/list.csv")
    text = async_to_sync(joined)(answer)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(LEFT_OUT) - 2
    by_address = {row["address"]: row for row in rows}
    assert by_address["http://c.test/"]["detail"].endswith("the certificate has expired")
    assert by_address["http://a.test/3"]["reason"] == "Needs JavaScript"


def test_a_program_reads_the_same(left) -> None:
    program = Program(left.owner)
    summary = program.get(f"crawls/{left.pk}/left-out").json()
    assert (summary["taken"], summary["number"]) == (19, 14)
    listed = program.get(f"crawls/{left.pk}/left-out/addresses", reason="depth", least=0.7).json()
    assert [item["url"] for item in listed["items"]] == ["http://a.test/deep/1"]
    refused = program.get(f"crawls/{left.pk}/left-out/addresses", reason="weather")
    assert refused.status_code in (400, 422)
    assert Program(person("eve")).get(f"crawls/{left.pk}/left-out").status_code == 404


@pytest.fixture
def left_by_two(left):
    """A second crawl of the topic that left out one address of the first, and one of its own."""
    second = grow(made_crawl(left.topic, state="finished", reason="budget_reached"), 2)
    for number, url in enumerate(("http://a.test/shut", "http://g.test/"), 100):
        FrontierEntry.objects.create(
            crawl=second,
            number=number,
            url=url,
            parent=-1,
            depth=0,
            priority=0.95,
            state="e",
            reason="robots",
        )
    return second


def topic_page(crawl, query: str = "") -> str:
    answer = site_of(crawl.owner).get(f"/topics/{crawl.topic_id}/left-out/{query}")
    return " ".join(strip_tags(answer.content.decode()).split())


def test_a_topic_sums_up_its_crawls(left, left_by_two) -> None:
    text = topic_page(left)
    assert "2 crawls of" in text and "16 addresses met and not taken" in text
    assert "21 pages taken" in text and "Show 3" in text
    assert "Let 1 host in again" not in text


def test_an_opened_reason_of_a_topic_leads_to_its_crawls(left, left_by_two) -> None:
    site = site_of(left.owner)
    shown = site.get(f"/topics/{left.topic_id}/left-out/?open=robots").content.decode()
    for crawl in (left, left_by_two):
        assert f'href="/crawls/{crawl.pk}/left-out/?open=robots#robots"' in shown
    assert "http://g.test/" in shown


@pytest.mark.parametrize("query", ["?by=host", "?by=priority", "?by=crawl", "?open=certificate"])
def test_the_page_of_a_topic_can_be_turned(left, left_by_two, query) -> None:
    text = topic_page(left, query)
    assert "c.test" in text or f"#{left_by_two.pk}" in text


def test_the_list_of_a_topic_names_the_crawl_in_each_line(left, left_by_two) -> None:
    answer = site_of(left.owner).get(f"/topics/{left.topic_id}/left-out/list.csv?reason=robots")
    rows = list(csv.DictReader(io.StringIO(async_to_sync(joined)(answer))))
    assert sorted((row["address"], row["crawl"]) for row in rows) == [
        ("http://a.test/shut", str(left.pk)),
        ("http://a.test/shut", str(left_by_two.pk)),
        ("http://g.test/", str(left_by_two.pk)),
    ]


def test_a_program_reads_a_topic_and_only_crawls_that_it_may_see_count(left, left_by_two) -> None:
    program = Program(left.owner)
    path = f"topics/{left.topic_id}/left-out"
    counts = program.get(path).json()
    assert (counts["taken"], counts["number"]) == (21, 16)
    assert {reason["remedy"] for reason in counts["reasons"]} == {""}
    addresses = program.get(f"{path}/addresses", reason="robots").json()["items"]
    assert [item["crawl"] for item in addresses] == [left_by_two.pk, left_by_two.pk, left.pk]
    eve = person("eve")
    assert Program(eve).get(path).status_code == 404
    assert site_of(eve).get(f"/topics/{left.topic_id}/left-out/").status_code == 404


def test_hosts_that_are_out_in_the_topic_are_one_click_away(left) -> None:
    entry = left.frontier.filter(state=FrontierEntry.State.EXCLUDED).first()
    assert entry is not None
    left.frontier.filter(pk=entry.pk).update(reason=Exclusion.HOST_OUT)
    for screen in (f"/crawls/{left.pk}/left-out/", f"/topics/{left.topic_id}/left-out/"):
        html = site_of(left.owner).get(screen).content.decode()
        assert f'href="/topics/{left.topic_id}/hosts/?state=out">Hosts that are out' in html
