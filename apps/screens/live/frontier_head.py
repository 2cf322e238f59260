"""The head of the frontier, each link with τ and σ of the page that gave it its priority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.crawls.models import Crawl
from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.explains import Explains


def queue_context(crawl: Crawl, head: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`queue` with `topicality`, `status` and the `leading` term's title added, `any_status`,
    `any_leading`, and the strategy's `formula`."""
    parents = {entry["parent"] for entry in head if entry.get("parent", -1) >= 0}
    pages = crawl.pages_fetched.numbered(parents)
    judged = {
        number: (tau, sigma)
        for number, tau, sigma in pages.values_list("number", "topicality", "status")
    }
    titles = _titles(crawl)
    queue = []
    for entry in head:
        tau, sigma = judged.get(entry.get("parent", -1), (None, None))
        leading = titles.get(entry.get("leading_term", ""), "")
        queue.append({**entry, "topicality": tau, "status": sigma, "leading": leading})
    return {
        "queue": queue,
        "any_status": any(sigma is not None for _, sigma in judged.values()),
        "any_leading": any(entry["leading"] for entry in queue),
        "formula": _formula(crawl),
    }


def _titles(crawl: Crawl) -> dict[str, str]:
    """The titles of the strategy's terms."""
    try:
        found = strategy(crawl.strategy)
    except UnknownStrategy:
        return {}
    legend = found.legend if issubclass(found, Explains) else {}
    return {term: said.title for term, said in legend.items()}


def _formula(crawl: Crawl) -> str:
    try:
        return strategy(crawl.strategy).build(crawl.parameters).formula
    except UnknownStrategy:
        return ""
