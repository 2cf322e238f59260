"""The head of the frontier, each link with τ and σ of the page that gave it its priority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.crawls.models import Crawl
from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies import strategy


def queue_context(crawl: Crawl, head: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`queue` with `topicality` and `status` added, `any_status`, and the strategy's `formula`."""
    parents = {entry["parent"] for entry in head if entry.get("parent", -1) >= 0}
    pages = crawl.pages_fetched.numbered(parents)
    judged = {
        number: (tau, sigma)
        for number, tau, sigma in pages.values_list("number", "topicality", "status")
    }
    queue = []
    for entry in head:
        tau, sigma = judged.get(entry.get("parent", -1), (None, None))
        queue.append({**entry, "topicality": tau, "status": sigma})
    return {
        "queue": queue,
        "any_status": any(sigma is not None for _, sigma in judged.values()),
        "formula": _formula(crawl),
    }


def _formula(crawl: Crawl) -> str:
    try:
        return strategy(crawl.strategy).build(crawl.parameters).formula
    except UnknownStrategy:
        return ""
