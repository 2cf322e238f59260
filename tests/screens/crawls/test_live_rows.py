"""Live updates of the list of crawls."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.crawls.commands.annotate import annotate
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.screens.crawls.row_state import NO_ANSWER, describe_state, stamp
from tests.crawl_rows import grow, made_crawl, made_topic


@pytest.fixture
def site(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


class Page:
    """A page of the list as the browser holds it."""

    def __init__(self, site: Client, **filters: str) -> None:
        self.site, self.filters = site, filters
        context = site.get(reverse("crawls:list"), filters).context
        self.stamps = {row.crawl.pk: row.stamp for row in context["rows"]}
        self.newest, self.tops = context["newest"], context["tops"]

    def ask(self):
        shown = ",".join(f"{number}:{mark}" for number, mark in self.stamps.items())
        asked = {**self.filters, "shown": shown, "newest": self.newest, "tops": self.tops}
        return self.site.get(reverse("crawls:rows"), asked)


def test_only_rows_that_differ_are_sent_drawn_as_at_load(site: Client, crawl: Crawl) -> None:
    made_crawl(crawl.topic)
    page = Page(site)
    assert page.ask().json()["rows"] == {}
    grow(crawl, 120)
    rows = page.ask().json()["rows"]
    assert list(rows) == [str(crawl.pk)]
    drawn = site.get(reverse("crawls:list")).content.decode()
    assert rows[str(crawl.pk)].strip() in drawn


@pytest.mark.parametrize(
    "change",
    [
        lambda crawl: Crawl.objects.filter(pk=crawl.pk).update(state=State.STOPPING),
        lambda crawl: Crawl.objects.filter(pk=crawl.pk).update(desired=Crawl.Desired.PAUSE),
        lambda crawl: Crawl.objects.filter(pk=crawl.pk).update(reason=StopReason.DISK_FULL),
        lambda crawl: annotate(crawl, "note", "again"),
        lambda crawl: annotate(crawl, "tags", ["night"]),
    ],
)
def test_whatever_a_row_shows_changes_its_stamp(crawl: Crawl, change) -> None:
    now = timezone.now()
    crawl.refresh_from_db()
    before = stamp(crawl, now)
    change(crawl)
    crawl.refresh_from_db()
    assert stamp(crawl, now) != before


def test_new_crawls_are_counted_through_the_filters_and_wait(site: Client, owner, crawl) -> None:
    page = Page(site, topic=str(crawl.topic_id))
    made_crawl(crawl.topic)
    made_crawl(made_topic(owner, "Elsewhere"))
    answer = page.ask().json()
    assert (answer["new"], answer["rows"]) == (1, {})
    assert answer["facts"][0] == "3 crawls"


def test_a_deleted_crawl_is_reported_as_gone(site: Client, crawl: Crawl) -> None:
    page = Page(site)
    number = crawl.pk
    crawl.delete()
    assert page.ask().json()["gone"] == [number]


def test_an_answer_stays_small_however_many_rows_change(site: Client, crawl: Crawl) -> None:
    crawls = [crawl, *(made_crawl(crawl.topic) for _ in range(11))]
    page = Page(site)
    for one in crawls:
        grow(one, 400)
    seen: set[str] = set()
    while len(seen) < len(crawls):
        answer = page.ask()
        assert len(answer.content) <= 10_000
        rows = answer.json()["rows"]
        assert rows and not seen & rows.keys()
        seen |= rows.keys()
        for number in rows:
            del page.stamps[int(number)]


def test_a_row_drawn_again_keeps_the_scale_of_its_column(site: Client, crawl: Crawl) -> None:
    grow(crawl, 100)
    high = grow(made_crawl(crawl.topic), 100, average_status_estimated=9.0)
    page = Page(site)
    assert page.tops.split(",")[-1] == "10"
    grow(crawl, 200)
    assert list(page.ask().json()["rows"]) == [str(crawl.pk)]
    alone = site.get(reverse("crawls:list"), {"q": f"#{crawl.pk}"})
    (row,) = alone.context["rows"]
    assert row.sparklines[-1].top == 4.0 and high.pk in page.stamps
    assert row.sparklines[-1].points not in page.ask().json()["rows"][str(crawl.pk)]


def test_a_silent_worker_is_not_shown_as_running_on(crawl: Crawl) -> None:
    grow(crawl, 100)
    now = timezone.now()
    crawl.runner, crawl.lease_until = "w", now + timedelta(seconds=9)
    assert describe_state(crawl, "learning", now) == "5.0 pages/s, about 3 min left"
    assert describe_state(crawl, "learning", now + timedelta(seconds=10)) == NO_ANSWER
    assert stamp(crawl, now) != stamp(crawl, now + timedelta(seconds=10))


def test_others_crawls_send_no_message(stranger, crawl: Crawl) -> None:
    site = Client()
    site.force_login(stranger)
    asked = {"shown": f"{crawl.pk}:x", "newest": 0, "tops": ""}
    answer = site.get(reverse("crawls:rows"), asked).json()
    assert (answer["rows"], answer["gone"], answer["new"]) == ({}, [crawl.pk], 0)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"newest": "x"},
        {"newest": "1", "shown": "a:b"},
        {"newest": "1", "tops": "nan"},
        {"newest": "1", "tops": "0"},
    ],
)
def test_what_no_page_asks_is_refused(site: Client, asked: dict[str, str]) -> None:
    assert site.get(reverse("crawls:rows"), asked).status_code == 400
