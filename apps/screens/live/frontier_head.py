"""The head of the frontier, each link with the page that gave it its priority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.crawls.models import Crawl
from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.explains import Explains

OF_PARENT = ("topicality", "status", "title")
LEAST_DECIMALS, MOST_DECIMALS = 3, 6


def queue_context(crawl: Crawl, head: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`queue` with `topicality`, `status` and `linked_from` (the title) of the parent, the
    `leading` term's title and the priority as `digits`; `any_status`, `any_leading`, `any_equal`
    priorities, and the strategy's `formula`."""
    parents = {entry["parent"] for entry in head if entry.get("parent", -1) >= 0}
    pages = crawl.pages_fetched.numbered(parents)
    judged = {number: parent for number, *parent in pages.values_list("number", *OF_PARENT)}
    titles = _titles(crawl)
    digits = telling_digits([entry["priority"] for entry in head])
    queue = []
    for entry, priority in zip(head, digits, strict=True):
        tau, sigma, title = judged.get(entry.get("parent", -1), (None, None, ""))
        leading = titles.get(entry.get("leading_term", ""), "")
        queue.append(
            {
                **entry,
                "topicality": tau,
                "status": sigma,
                "linked_from": title,
                "leading": leading,
                "digits": priority,
            }
        )
    return {
        "queue": queue,
        "any_status": any(sigma is not None for _, sigma, _ in judged.values()),
        "any_leading": any(entry["leading"] for entry in queue),
        "any_equal": len({entry["priority"] for entry in head}) < len(head),
        "formula": _formula(crawl),
    }


def telling_digits(priorities: Sequence[float]) -> list[str]:
    """The priorities with three decimals, or as many up to six as show which of them differ."""
    different = len(set(priorities))
    for decimals in range(LEAST_DECIMALS, MOST_DECIMALS + 1):
        texts = [f"{priority:.{decimals}f}" for priority in priorities]
        if len(set(texts)) == different:
            return texts
    return texts


def _titles(crawl: Crawl) -> dict[str, str]:
    """The titles of the strategy's terms."""
    try:
        cls = strategy(crawl.strategy)
    except UnknownStrategy:
        return {}
    legend = cls.legend if issubclass(cls, Explains) else {}
    return {term: text.title for term, text in legend.items()}


def _formula(crawl: Crawl) -> str:
    try:
        return strategy(crawl.strategy).build(crawl.parameters).formula
    except UnknownStrategy:
        return ""
