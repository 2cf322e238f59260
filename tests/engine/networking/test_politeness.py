from __future__ import annotations

import pytest

from apps.engine.model import Answer
from apps.engine.networking.politeness import Politeness, is_block

PLAIN = Politeness(delay=2.0)


def answer(failure: str | None = None, retry_after: float | None = None) -> Answer:
    return Answer("http://h.test/", "http://h.test/", 200, failure=failure, retry_after=retry_after)


@pytest.mark.parametrize(
    ("crawl_delay", "expected"), [(None, 2.0), (0.5, 2.0), (10.0, 10.0), (600.0, 60.0)]
)
def test_it_keeps_the_larger_delay_up_to_a_cap(crawl_delay, expected):
    assert PLAIN.delay_for(crawl_delay) == expected
    assert PLAIN.delay_after(answer(), crawl_delay) == expected


def test_a_crawl_that_says_nothing_is_as_polite_as_is_promised():
    usual = Politeness()
    assert (usual.delay, usual.max_crawl_delay, usual.obey_robots) == (2.0, 60.0, True)
    assert (usual.concurrent, usual.retries, usual.page_bytes) == (32, 2, None)
    assert Politeness(page_kb=10).page_bytes == 10_240


def test_without_robots_the_crawl_delay_is_not_kept():
    assert Politeness(delay=0.05, obey_robots=False).delay_for(10.0) == 0.05


@pytest.mark.parametrize(
    ("retry_after", "expected"), [(0.0, 2.0), (120.0, 120.0), (1e9, 3_600.0)]
)
def test_it_honours_retry_after_up_to_an_hour(retry_after, expected):
    assert PLAIN.delay_after(answer("http_404", retry_after)) == expected


@pytest.mark.parametrize("failure", ["http_429", "http_503", "timeout"])
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


def page(status: int, body: bytes, *headers: tuple[str, str]) -> Answer:
    failure = None if status < 300 else f"http_{status}"
    return Answer("http://h.test/", "http://h.test/", status, headers, body, failure=failure)


ARTICLE = b"<title>How captchas work</title><p>A captcha is a challenge." + b"words " * 2_000
FORM = b"<title>Write to us</title><script src='https://www.google.com/recaptcha/api.js'></script>"


@pytest.mark.parametrize(
    "blocked",
    [
        page(403, b"<title>Just a moment...</title>", ("cf-mitigated", "challenge")),
        page(403, b"<title>Attention Required! | Cloudflare</title>"),
        page(429, b"<script>window._cf_chl_opt={}</script>"),
        page(403, b"<script src='https://geo.captcha-delivery.com/c.js'></script>"),
        page(403, b"<div id='px-captcha'></div>"),
        page(405, b"<title>Human Verification</title><script>AwsWafIntegration</script>"),
        page(200, b"<title>Robot Check</title><p>Type the characters of this captcha</p>"),
        page(200, b"<TITLE>\n Pardon Our Interruption</TITLE><p>Verify that you are human"),
        page(200, b"<iframe src='/_Incapsula_Resource?x=1'></iframe>"),
        page(200, b"<title>Are you a robot?</title>please complete the CAPTCHA"),
        page(202, b"<script>AwsWafIntegration</script>", ("x-amzn-waf-action", "challenge")),
    ],
)
def test_it_knows_pages_that_keep_crawlers_out(blocked):
    assert is_block(blocked)


@pytest.mark.parametrize(
    "open_page",
    [
        page(200, b"<p>hello"),
        page(200, ARTICLE),
        page(200, FORM),
        page(200, b"<title>Security check lists for bakers</title>" + b"<p>flour " * 50),
        page(200, b"x" * 9_000 + b"/cdn-cgi/challenge-platform/ is a path"),
        page(403, b"<title>Forbidden</title>"),
        page(429, b""),
        page(404, b"<title>Just a moment...</title>"),
        Answer("http://h.test/", "http://h.test/", failure="dns"),
    ],
)
def test_it_leaves_other_pages_alone(open_page):
    assert not is_block(open_page)


CHALLENGE = b"<script src=/cdn-cgi/challenge-platform/x.js></script>"


@pytest.mark.parametrize("status", [403, 405, 429, 503])
def test_a_refusal_with_a_challenge_is_a_block_and_a_plain_one_is_not(status):
    assert is_block(page(status, CHALLENGE))
    assert not is_block(page(status, b"<p>Closed today."))


@pytest.mark.parametrize("status", [199, 300, 404, 500, 504])
def test_a_challenge_under_any_other_status_is_none(status):
    assert not is_block(page(status, CHALLENGE))


def test_an_ordinary_header_makes_no_block_of_an_error():
    failed = Answer("http://h.test/", "http://h.test/", 500, (("Server", "nginx"),), b"<p>Oops",
                    failure="http_500")  # fmt: skip
    assert not is_block(failed)
