"""How many requests the crawl of a draft will send, and how long it will take."""

from __future__ import annotations

from dataclasses import dataclass

from apps.begin.models import Draft
from apps.crawls.alike import last_alike
from apps.crawls.most import REQUESTS_A_PAGE
from apps.crawls.sources.catalogue import source_of
from apps.figures.quantities import count, join_names, range_words, roughly
from apps.webs.selectors import live_web

PAGES = 1_000
"""The budget of a first crawl."""


@dataclass(frozen=True, slots=True)
class StartCost:
    """Amounts in words, and the basis of the estimate."""

    requests: str
    time: str
    basis: str


def start_cost(draft: Draft) -> StartCost:
    """The cost by the person's earlier crawls of the same source; without any, by the pause between
    requests to one host."""
    source = source_of(draft.web)
    delay = float(source.politeness["delay"])
    last = last_alike(draft.owner, draft.web or live_web(), source, delay)
    requests = [round(crawl.requests / crawl.pages * PAGES, -1) for crawl in last]
    times = sorted(crawl.seconds / crawl.pages * PAGES for crawl in last)
    if last:
        crawls = "crawl" if len(last) == 1 else "crawls"
        basis = f"by your {crawls} {join_names([f'#{crawl.pk}' for crawl in last])} there"
    else:
        basis = "you have no earlier crawl there to measure by"
    if not source.sends_requests:
        return StartCost("none", _span(times) or "not known yet", basis)
    most = f"{count(PAGES)} to {count(REQUESTS_A_PAGE * PAGES)}"
    on_one_host = f"{roughly(PAGES * delay)} on one host, less on several"
    return StartCost(
        f"about {range_words([count(n) for n in sorted(requests)])}" if requests else most,
        _span(times) or on_one_host,
        basis,
    )


def _span(times: list[float]) -> str:
    return range_words([roughly(time) for time in times])
