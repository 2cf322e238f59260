"""A limit on what a crawl still adds: it ends once few relevant pages are expected to come."""

from __future__ import annotations

import math

from apps.crawls.commands.limits.stop_rule import StopRule
from apps.crawls.errors import CrawlRefused
from apps.crawls.measures.estimates import RecallInterval
from apps.crawls.models import Crawl
from apps.crawls.most import MOST_SLOPE
from apps.engine.codes import StopReason


def parse(text: str) -> float | None:
    """Relevant pages, or None (an empty text) for no limit. Raises CrawlRefused."""
    if not text.strip():
        return None
    try:
        pages = float(text)
    except ValueError:
        pages = math.nan
    if not 0 < pages <= MOST_SLOPE:
        raise CrawlRefused(
            "slope", f"Give a number of pages above 0 and up to {MOST_SLOPE:,}, or nothing."
        )
    return pages


def _check(crawl: Crawl, pages: float) -> None:
    if _reached(crawl, pages):
        raise CrawlRefused(
            "slope", "Fewer relevant pages than that are expected already: give less, or nothing."
        )


def _reached(crawl: Crawl, pages: float) -> bool:
    estimate = RecallInterval.of(crawl.metrics)
    return estimate is not None and estimate.soon < pages


SLOPE = StopRule(
    name="slope",
    title="Stop when little is left",
    does="Ends the crawl once fewer relevant pages than this are expected of the next 1,000"
    " requests; a crawl that ended by it goes on with less.",
    value="relevant pages in 1,000 requests, or nothing for no limit",
    question="Stop when the next 1,000 requests should add fewer relevant pages than how many?"
    " Empty means no limit.",
    example="5",
    changed="Limit on what is left changed",
    reason=StopReason.LITTLE_LEFT,
    parse=parse,
    check=_check,
    text=lambda pages: f"{pages:g}",
    describe=lambda pages: f"fewer than {pages:g} relevant pages in 1,000 requests to come",
    ends=lambda pages: f"when 1,000 requests should add fewer than {pages:g} relevant pages",
    reached=_reached,
)
