"""Delays between requests to a host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.networking.redirects import MAX_REDIRECTS

MAX_RETRY_AFTER = 3_600.0
MAX_BACK_OFF = 900.0
LEAST_BACK_OFF = 1.0

# Transient failures: such a URL is worth a retry.
TRANSIENT = frozenset(
    {
        "http_408",
        "http_429",
        "http_500",
        "http_502",
        "http_503",
        "http_504",
        *(f"http_{status}" for status in (520, 521, 522, 523, 524, 527, 530)),
        str(Failure.TIMEOUT),
        str(Failure.CONNECT),
        str(Failure.INTERRUPTED),
        str(Failure.ROBOTS_UNREACHABLE),
        str(Failure.BLOCK_PAGE),
    }
)
_BACKING_OFF = frozenset({"http_429", "http_503", str(Failure.TIMEOUT), str(Failure.BLOCK_PAGE)})


@dataclass(frozen=True, slots=True)
class Politeness:
    """How a crawl behaves towards hosts.

    `delay` is in seconds between two requests to one host, `max_crawl_delay` limits the Crawl-delay
    of a robots.txt, `concurrent` is the number of requests in flight over all hosts, `retries` the
    number of retries of a URL after transient failures. Only the first `page_kb` kilobytes of a
    page are read (LC: 10); None reads up to 10 MB. `pages_per_second` limits the requests over all
    hosts, also on a recorded web; None sets no limit. Of the hosts of one registered domain, and of
    one address, at most `hosts_per_domain` and `hosts_per_address` are asked at once, pauses
    included. At most `redirects` are followed. `contact` and `headers` (`Name: value`) are told to
    every host.
    """

    delay: float = 2.0
    max_crawl_delay: float = 60.0
    obey_robots: bool = True
    concurrent: int = 32
    retries: int = 2
    page_kb: int | None = None
    pages_per_second: float | None = None
    hosts_per_domain: int = 2
    hosts_per_address: int = 10
    redirects: int = MAX_REDIRECTS
    contact: str = ""
    headers: Sequence[str] = ()

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
