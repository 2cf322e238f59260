"""A limit on estimated recall: the share of the topic's known targets that the crawl has found.

Targets are pages on the topic that no crawl is told about (LC §6). Where they are a fair sample of
the relevant pages, the share of them found estimates the share of all relevant pages found, as far
as so many targets can tell (`estimated_recall`). Without targets there is no such rule: two halves
of one crawl find the same well-linked pages, so capture and recapture between them, which supposes
independent samples, would call recall high too early.
"""

from __future__ import annotations

from apps.crawls.commands.stop_rule import StopRule
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.engine.codes import StopReason

NO_TARGETS = (
    "Recall can be estimated only by targets, and the topic has none: add some, or leave this"
    " empty."
)


def parse(text: str) -> float | None:
    """A share from `80 %` or `0.8`, None (an empty text) for no limit. Raises CrawlRefused."""
    typed = text.strip()
    if not typed:
        return None
    number = typed.removesuffix("%").rstrip()
    try:
        share = float(number) / (100 if typed.endswith("%") else 1)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise CrawlRefused("recall", "Give a share as in 80 % or 0.8, or nothing.")
    return share


def _check(crawl: Crawl, share: float) -> None:
    if not crawl.metrics.get("targets", crawl.topic.targets.count()):
        raise CrawlRefused("recall", NO_TARGETS)
    if _reached(crawl, share):
        found = 100 * crawl.metrics["target_recall"]
        raise CrawlRefused(
            "recall", f"The crawl has found {found:.1f} % of the targets already: give more."
        )


def _reached(crawl: Crawl, share: float) -> bool:
    found: float | None = crawl.metrics.get("target_recall")
    return found is not None and found >= share


RECALL = StopRule(
    name="recall",
    title="Stop at estimated recall",
    does="Ends the crawl once it has found such a share of the topic’s targets, which estimates"
    " its recall; a crawl that ended by it goes on with more.",
    value="share of the targets, as in 80 % or 0.8, or nothing for no limit",
    question="Stop at which share of the topic’s targets found? It estimates recall; empty means"
    " no limit.",
    example="80 %",
    changed="Recall limit changed",
    reason=StopReason.RECALL_ESTIMATE_REACHED,
    parse=parse,
    check=_check,
    text=lambda share: f"{100 * share:g} %",
    said=lambda share: f"{100 * share:g} % of the targets found",
    reached=_reached,
)
