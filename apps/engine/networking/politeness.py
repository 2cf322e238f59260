"""Delays between requests to a host, and detection of pages that block crawlers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.engine.codes import Failure
from apps.engine.model import Answer

MAX_RETRY_AFTER = 3_600.0
MAX_BACK_OFF = 900.0
LEAST_BACK_OFF = 1.0

# Transient failures: such a URL is worth a retry.
TRANSIENT = frozenset(
    {"http_408", "http_429", "http_500", "http_502", "http_503", "http_504",
     str(Failure.TIMEOUT), str(Failure.CONNECT), str(Failure.INTERRUPTED),
     str(Failure.ROBOTS_UNREACHABLE)}
)
_BACKING_OFF = frozenset({"http_429", "http_503", str(Failure.TIMEOUT)})
_SMALL = 8 * 1024
_LOOKED_AT = 64 * 1024
_TITLE = re.compile(rb"<title[^>]*>\s*([^<]{0,120})", re.I)
_TITLES = (
    b"just a moment",
    b"attention required!",
    b"are you a robot",
    b"are you human",
    b"pardon our interruption",
    b"access to this page has been denied",
    b"human verification",
    b"security check",
    b"security verification",
    b"ddos-guard",
    b"making sure you're not a bot",
    b"robot check",
    b"captcha",
    b"verify you are human",
    b"please wait... | cloudflare",
)
_MARKS = (
    b"_incapsula_resource",
    b"cf-chl-",
    b"cf_chl_opt",
    b"/cdn-cgi/challenge-platform/",
    b"captcha-delivery.com",
    b"px-captcha",
    b"awswafintegration",
    b"/sorry/index",
    b"ak_bmsc",
    b"sucuri_cloudproxy",
)
_WORDS = (b"captcha", b"challenge", b"unusual traffic", b"are not a robot", b"not a bot",
          b"verify", b"checking your browser", b"enable javascript and cookies")
_HEADERS = frozenset({"cf-mitigated", "x-amzn-waf-action", "x-datadome-cid", "x-dd-b"})


@dataclass(frozen=True, slots=True)
class Politeness:
    """How a crawl behaves towards hosts.

    `delay` is in seconds between two requests to one host, `max_crawl_delay` limits the Crawl-delay
    of a robots.txt, `concurrent` is the number of requests in flight over all hosts, `retries` the
    number of retries of a URL after transient failures. Only the first `page_kb` kilobytes of a
    page are read (LC: 10); None reads up to 10 MB. `pages_per_second` limits the requests over all
    hosts, also on a recorded web; None sets no limit.
    """

    delay: float = 2.0
    max_crawl_delay: float = 60.0
    obey_robots: bool = True
    concurrent: int = 32
    retries: int = 2
    page_kb: int | None = None
    pages_per_second: float | None = None

    @property
    def page_bytes(self) -> int | None:
        """The number of bytes of a page that are read; None for the fetcher's limit."""
        return None if self.page_kb is None else 1024 * self.page_kb

    def delay_for(self, crawl_delay: float | None) -> float:
        """Seconds between two requests to a host whose robots.txt asks for `crawl_delay`."""
        if crawl_delay is None or not self.obey_robots:
            return self.delay
        return max(self.delay, min(crawl_delay, self.max_crawl_delay))

    def delay_after(
        self, answer: Answer, crawl_delay: float | None = None, failures_in_a_row: int = 0
    ) -> float:
        """Seconds until the next request to the host after this answer.

        Retry-After is obeyed up to an hour. After 429, 503 and time-outs the pause doubles with
        each consecutive failure (including this one), up to a quarter of an hour.
        """
        pause = self.delay_for(crawl_delay)
        if answer.failure in _BACKING_OFF:
            doubled = max(pause, LEAST_BACK_OFF) * 2.0 ** min(failures_in_a_row, 20)
            pause = max(pause, min(doubled, MAX_BACK_OFF))
        if answer.retry_after is not None:
            pause = max(pause, min(answer.retry_after, MAX_RETRY_AFTER))
        return pause

    def delay_before_retry(self, retry: int, crawl_delay: float | None = None) -> float:
        """Seconds for which the host rests before a URL's first (1), second (2), … retry."""
        doubled = max(self.delay_for(crawl_delay), LEAST_BACK_OFF) * 2.0**retry
        return min(doubled, MAX_BACK_OFF)


def is_block(answer: Answer) -> bool:
    """Whether the answer is a page that blocks crawlers: a challenge or a captcha.

    A plain 403 or 429 is not one. A 2xx page is one only if both its title and its text indicate
    it, or if it is small and has a challenge's script. Pages about captchas, and forms with one,
    count as pages.
    """
    if answer.status is None:
        return False
    if any(name.lower() in _HEADERS for name, _ in answer.headers):
        return answer.failure is not None or _has_challenge(answer.body)
    if answer.status in (403, 405, 429, 503):
        return _has_challenge(answer.body) or _title_says_so(answer.body)
    return 200 <= answer.status < 300 and _is_interstitial(answer.body)


def _is_interstitial(body: bytes) -> bool:
    if len(body) <= _SMALL and _has_challenge(body):
        return True
    if not _title_says_so(body):
        return False
    text = body[:_LOOKED_AT].lower()
    return len(body) <= _LOOKED_AT and any(word in text for word in _WORDS)


def _has_challenge(body: bytes) -> bool:
    text = body[:_LOOKED_AT].lower()
    return any(mark in text for mark in _MARKS)


def _title_says_so(body: bytes) -> bool:
    found = _TITLE.search(body, 0, 4096)
    return found is not None and found.group(1).lower().startswith(_TITLES)
