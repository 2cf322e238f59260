"""The template context of what all crawls of a topic did not take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from apps.crawls.left_out.rows import AddressChoice
from apps.crawls.left_out.summary import by_crawl, by_host, summarise
from apps.crawls.models import Crawl
from apps.screens.left_out.page import (
    SHOWN,
    VIEWS,
    ReasonRow,
    addresses,
    choice_of,
    opened_of,
    priority_word,
    turned,
    view_of,
)
from apps.topics.models import Topic

TOPIC_VIEWS = {**VIEWS, "crawl": "By crawl"}


def context(topic: Topic, crawls: Sequence[Crawl], asked: QueryDict) -> dict[str, Any]:
    """The page as `asked`, as that of a crawl. What can be done about a reason is done in each
    crawl, which the opened reason leads to."""
    choice = choice_of(asked)
    summary = summarise(crawls, choice)
    rows = [ReasonRow(count, "", "", None) for count in summary.reasons]
    return {
        "topic": topic,
        "crawl_number": len(crawls),
        "priority": priority_word(crawls),
        **turned(summary, rows, choice, asked, TOPIC_VIEWS),
        **_details(crawls, choice, asked),
    }


def _details(crawls: Sequence[Crawl], choice: AddressChoice, asked: QueryDict) -> dict[str, Any]:
    view, opened = view_of(asked, TOPIC_VIEWS), opened_of(asked)
    if view == "host":
        return {"hosts": by_host(crawls, choice, SHOWN)}
    if view == "crawl":
        return {"crawls": by_crawl(crawls, choice)[:SHOWN]}
    if view == "reason" and opened is None:
        return {}
    within = replace(choice, reason=opened if view == "reason" else None)
    more = addresses(crawls, within, asked)
    if within.reason is not None:
        more["crawls"] = by_crawl(crawls, within)[:SHOWN]
    return more
