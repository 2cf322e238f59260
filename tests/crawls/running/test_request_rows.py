"""What a batch has read of robots.txt is stored by version."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.crawls.models import Crawl, RobotsVersion
from apps.crawls.running.request_rows import write_requests
from apps.engine.events import Batch, RobotsReading, Totals
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC).timestamp()
TOTALS = Totals(
    pages=0,
    requests=0,
    discovered=0,
    waiting=0,
    failed=0,
    excluded={},
    errors={},
    reorder_seconds=0.0,
)


@pytest.fixture
def crawl() -> Crawl:
    return made_crawl(made_topic(person("ada")))


def reading(origin: str, at: float, text: bytes = b"User-agent: *") -> RobotsReading:
    return RobotsReading(origin, NOW + at, 200, "", text.hex(), text, len(text))


def write(crawl: Crawl, *readings: RobotsReading) -> int:
    """Writes a batch with these readings; the number of its queries."""
    batch = Batch((), (), (), (), (), (), (), (), None, TOTALS, {}, robots=readings)
    with CaptureQueriesContext(connection) as queries:
        write_requests(crawl.pk, batch)
    return len(queries)


def test_equal_answers_are_one_version_and_others_a_new_one(crawl: Crawl) -> None:
    write(crawl, reading("http://a.test", 0), reading("http://a.test", 1))
    write(crawl, reading("http://a.test", 2), reading("http://a.test", 3, b"Disallow: /"))
    write(crawl, reading("http://a.test", 4))
    versions = RobotsVersion.objects.order_by("id")
    assert [(row.reads, row.first_at.timestamp(), row.last_at.timestamp()) for row in versions] == [
        (3, pytest.approx(NOW), pytest.approx(NOW + 2)),
        (1, pytest.approx(NOW + 3), pytest.approx(NOW + 3)),
        (1, pytest.approx(NOW + 4), pytest.approx(NOW + 4)),
    ]
    assert [row.host for row in versions] == ["a.test"] * 3


def test_many_hosts_cost_as_many_queries_as_one(crawl: Crawl) -> None:
    one = write(crawl, reading("http://a.test", 0))
    many = [reading(f"http://h{n}.test", 0) for n in range(30)]
    assert write(crawl, *many) == one
    assert write(crawl, *many, reading("http://b.test", 1)) < one + 5
    assert RobotsVersion.objects.filter(reads=2).count() == 30
