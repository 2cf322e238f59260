"""A limit on estimated recall: the share of the relevant pages that the crawl has fetched.

With targets it is the share of them that is fetched. Targets are pages on the topic that are kept
from every crawl (LC §6); where they are a fair sample of the relevant pages, their share estimates
that of all relevant pages, as far as so many targets allow. Without targets it is the lower end of
the interval of `EstimatedRecall`, so that the crawl has as much in 95 of 100 cases; judges alone
leave that end so low that few crawls reach it.
"""

from __future__ import annotations

from apps.crawls.commands.limits.stop_rule import StopRule
from apps.crawls.errors import CrawlRefused
from apps.crawls.measures.estimates import RecallInterval
from apps.crawls.models import Crawl
from apps.engine.codes import StopReason


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
    if _reached(crawl, share):
        percent = 100 * (_reached_share(crawl) or 0)
        raise CrawlRefused("recall", f"The crawl has found {percent:.1f} % already: give more.")


def _reached(crawl: Crawl, share: float) -> bool:
    reached = _reached_share(crawl)
    return reached is not None and reached >= share


def _reached_share(crawl: Crawl) -> float | None:
    """The share that counts, None if it is unknown."""
    if crawl.metrics.get("targets"):
        share: float | None = crawl.metrics.get("target_recall")
        return share
    estimated = RecallInterval.of(crawl.metrics)
    return estimated.low if estimated else None


RECALL = StopRule(
    name="recall",
    title="Stop at estimated recall",
    does="Ends the crawl once it has found such a share of the topic’s targets or, if it has none,"
    " most likely of the relevant pages within reach; a crawl that ended by it goes on with more.",
    value="share, as in 80 % or 0.8, or nothing for no limit",
    question="Stop at which share of the targets found or, without targets, at which recall reached"
    " in 95 of 100 cases? Where judges alone say what is relevant, few crawls reach a high one."
    " Empty means no limit.",
    example="80 %",
    changed="Recall limit changed",
    reason=StopReason.RECALL_ESTIMATE_REACHED,
    parse=parse,
    check=_check,
    text=lambda share: f"{100 * share:g} %",
    describe=lambda share: f"an estimated recall of {100 * share:g} %",
    ends=lambda share: f"at an estimated recall of {100 * share:g} %",
    reached=_reached,
)
