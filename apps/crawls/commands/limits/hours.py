"""A limit on a crawl's working time in hours; pauses do not count."""

from __future__ import annotations

import math

from apps.crawls.commands.limits.stop_rule import StopRule
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.crawls.most import MOST_HOURS
from apps.engine.codes import StopReason


def parse(text: str) -> float | None:
    """Hours, or None (an empty text) for no limit. Raises CrawlRefused."""
    if not text.strip():
        return None
    try:
        hours = float(text)
    except ValueError:
        hours = math.nan
    if not 0 < hours <= MOST_HOURS:
        raise CrawlRefused("hours", f"Give hours above 0 and up to {MOST_HOURS:,}, or nothing.")
    return hours


def _check(crawl: Crawl, hours: float) -> None:
    if crawl.seconds >= 3600 * hours:
        raise CrawlRefused(
            "hours", f"The crawl has been at work for {crawl.seconds / 3600:.2f} hours: give more."
        )


HOURS = StopRule(
    name="hours",
    title="Stop after hours",
    does="Ends the crawl after so many hours at work; a crawl that ended by this limit continues"
    " if it is raised.",
    value="hours at work, or nothing for no limit",
    question="Stop after how many hours at work? Pauses do not count; empty means no limit.",
    example="1.5",
    changed="Time limit changed",
    reason=StopReason.HOURS_REACHED,
    parse=parse,
    check=_check,
    text=lambda hours: f"{hours:g}",
    describe=lambda hours: f"{hours:g} hours at work",
    ends=lambda hours: f"after {hours:g} hours at work",
    reached=lambda crawl, hours: crawl.seconds >= 3600 * hours,
)
