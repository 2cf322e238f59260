"""What files of sites reserve is stored with the day since which they do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.crawls.models import SiteFile, SiteFileClaim, SiteOptOut
from apps.crawls.opt_outs.selectors import SiteReservations, files_of_today, host_opt_outs
from apps.crawls.opt_outs.services import claim_site_file, write_site_files
from apps.engine.events import SiteFileRecord, SiteSign
from apps.topics.models import Topic
from tests.crawl_rows import made_topic
from tests.people import person

pytestmark = pytest.mark.django_db

ORIGIN, HOST, ROBOTS = "https://a.test", "a.test", "/robots.txt"
SIGNAL = SiteSign("content_signal", ROBOTS, "Content-Signal: ai-train=no", True, "Disallow: /")
LICENCE = SiteSign("rsl", ROBOTS, "License: /l.xml", True, "Disallow: /art")
DAY = 86_400.0
NOW = datetime.now(UTC).timestamp()


@pytest.fixture
def topic() -> Topic:
    return made_topic(person("ada"))


def read(topic: Topic, at: float, *signs: SiteSign, status: int = 200) -> None:
    write_site_files(topic.pk, [SiteFileRecord(ORIGIN, ROBOTS, at, status, signs)])


def test_a_sign_stands_since_it_was_first_read(topic: Topic) -> None:
    read(topic, NOW - 2 * DAY, SIGNAL)
    read(topic, NOW, SIGNAL, LICENCE)
    signs = {sign.title: sign for sign in host_opt_outs(topic, HOST).signs}
    assert signs["Content-Signal"].since.timestamp() == pytest.approx(NOW - 2 * DAY)
    assert signs["Content-Signal"].read_at.timestamp() == pytest.approx(NOW)
    assert signs["RSL"].since.timestamp() == pytest.approx(NOW)
    (file,) = host_opt_outs(topic, HOST).files
    assert (file.path, file.status, file.read_at.timestamp()) == (ROBOTS, 200, pytest.approx(NOW))


def test_a_sign_ends_with_a_file_that_lacks_it_and_not_with_an_error(topic: Topic) -> None:
    read(topic, NOW - 2 * DAY, SIGNAL)
    read(topic, NOW - DAY, status=503)
    assert host_opt_outs(topic, HOST).signs[0].ended_at is None
    read(topic, NOW, status=404)
    ended = host_opt_outs(topic, HOST).signs[0].ended_at
    assert ended is not None
    assert ended.timestamp() == pytest.approx(NOW)
    read(topic, NOW + DAY, SIGNAL)
    assert [sign.ended_at is None for sign in host_opt_outs(topic, HOST).signs].count(True) == 1


def test_reservations_are_those_that_cover_the_address_and_stand(topic: Topic) -> None:
    read(topic, NOW, LICENCE)
    of_sites = SiteReservations(topic.pk, [HOST])
    assert of_sites.text(HOST, f"{ORIGIN}/art/1") == "robots.txt: License: /l.xml"
    assert of_sites.text(HOST, f"{ORIGIN}/news") == ""
    assert of_sites.text("b.test", "https://b.test/art") == ""
    read(topic, NOW, SIGNAL._replace(reserves=False))
    assert SiteReservations(topic.pk, [HOST]).text(HOST, f"{ORIGIN}/art/1") == ""


def test_files_read_today_for_another_topic_are_recalled_and_older_ones_not(topic: Topic) -> None:
    read(topic, NOW - 2 * DAY, SIGNAL)
    assert files_of_today(ORIGIN) == []
    other = Topic.objects.create(owner=topic.owner, name="another topic")
    read(other, NOW - 60, SIGNAL)
    (file,) = files_of_today(ORIGIN)
    assert (file.path, file.status, file.signs) == (ROBOTS, 200, (SIGNAL,))
    # What one topic's crawls read is no row of another's.
    assert host_opt_outs(topic, HOST).files[0].read_at.timestamp() == pytest.approx(NOW - 2 * DAY)


def test_the_rows_go_with_their_topic(topic: Topic) -> None:
    read(topic, NOW, SIGNAL)
    topic.delete()
    assert not SiteFile.objects.exists()
    assert not SiteOptOut.objects.exists()


def test_the_files_of_a_batch_cost_as_many_queries_as_one(
    topic: Topic, django_assert_num_queries: Any
) -> None:
    def readings(at: float) -> list[SiteFileRecord]:
        hosts = [f"https://h{n}.test" for n in range(30)]
        changed = SIGNAL if at < NOW else LICENCE
        return [SiteFileRecord(host, ROBOTS, at, 200, (changed,)) for host in hosts]

    nothing = [file._replace(signs=()) for file in readings(NOW)]
    with django_assert_num_queries(2):
        write_site_files(topic.pk, nothing)
    write_site_files(topic.pk, readings(NOW - DAY))
    with CaptureQueriesContext(connection) as queries:
        write_site_files(topic.pk, readings(NOW))
    assert len(queries) < 10
    assert SiteOptOut.objects.filter(ended_at=None, text=LICENCE.text).count() == 30
    assert SiteOptOut.objects.exclude(ended_at=None).count() == 30


def test_a_sign_may_end_and_return_within_a_batch(topic: Topic) -> None:
    signs = ((SIGNAL,), (), (SIGNAL,))
    write_site_files(
        topic.pk,
        [SiteFileRecord(ORIGIN, ROBOTS, NOW + n, 200, each) for n, each in enumerate(signs)],
    )
    first, second = SiteOptOut.objects.order_by("id")
    assert first.ended_at is not None
    assert first.ended_at.timestamp() == pytest.approx(NOW + 1)
    assert (second.since.timestamp(), second.ended_at) == (pytest.approx(NOW + 2), None)


def test_a_file_is_claimed_once_a_day() -> None:
    assert claim_site_file(ORIGIN, ROBOTS)
    assert not claim_site_file(ORIGIN, ROBOTS)
    assert claim_site_file(ORIGIN, "/ai.txt") and claim_site_file("https://other.test", ROBOTS)
    SiteFileClaim.objects.update(at=timezone.now() - timedelta(days=1, seconds=1))
    assert claim_site_file(ORIGIN, ROBOTS)
    assert not claim_site_file(ORIGIN, ROBOTS)
