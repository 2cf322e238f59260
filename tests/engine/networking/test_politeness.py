from __future__ import annotations

import pytest

from apps.engine.answers import Answer
from apps.engine.networking.politeness import Politeness

PLAIN = Politeness(delay=2.0)


def answer(failure: str | None = None, retry_after: float | None = None) -> Answer:
    return Answer("http://h.test/", "http://h.test/", 200, failure=failure, retry_after=retry_after)


@pytest.mark.parametrize(
    ("crawl_delay", "expected"), [(None, 2.0), (0.5, 2.0), (10.0, 10.0), (600.0, 60.0)]
)
def test_it_keeps_the_larger_delay_up_to_a_cap(crawl_delay, expected):
    assert PLAIN.delay_for(crawl_delay) == expected
    assert PLAIN.delay_after(answer(), crawl_delay) == expected


def test_a_crawl_with_defaults_is_as_polite_as_is_promised():
    usual = Politeness()
    assert (usual.delay, usual.max_crawl_delay, usual.obey_robots) == (2.0, 60.0, True)
    assert (usual.concurrent, usual.retries, usual.page_bytes) == (32, 2, None)
    assert Politeness(page_kb=10).page_bytes == 10_240


def test_without_robots_the_crawl_delay_is_not_kept():
    assert Politeness(delay=0.05, obey_robots=False).delay_for(10.0) == 0.05


@pytest.mark.parametrize(("retry_after", "expected"), [(0.0, 2.0), (120.0, 120.0), (1e9, 3_600.0)])
def test_it_honours_retry_after_up_to_an_hour(retry_after, expected):
    assert PLAIN.delay_after(answer("http_404", retry_after)) == expected


@pytest.mark.parametrize("failure", ["http_429", "http_503", "timeout", "block_page"])
def test_it_backs_off_twice_as_long_each_time(failure):
    pauses = [PLAIN.delay_after(answer(failure), None, row) for row in range(1, 12)]
    assert pauses[:4] == [4.0, 8.0, 16.0, 32.0]
    assert pauses[-1] == 900.0
    assert PLAIN.delay_after(answer(failure), None, 10_000) == 900.0


def test_it_backs_off_even_where_there_is_no_delay():
    assert Politeness(delay=0.0).delay_after(answer("http_503"), None, 3) == 8.0


def test_a_long_crawl_delay_is_never_shortened_by_backing_off():
    patient = Politeness(max_crawl_delay=2_000)
    assert patient.delay_after(answer("http_503"), 1_500, 1) == 1_500


def test_other_failures_change_nothing():
    assert PLAIN.delay_after(answer("http_404"), None, 5) == 2.0
