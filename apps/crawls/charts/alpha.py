"""The weight α of topicality against status in an adaptive crawl, and where it is heading."""

from __future__ import annotations

import math

from apps.crawls.charts.chart import Chart, Metrics, SampleColumns
from apps.crawls.models import Crawl
from apps.engine.intelligence.strategies.experts import Experts
from apps.figures.quantities import score

_EXPERTS = {key: curve.label for key, curve in Experts.curves.items()}
PATIENCE = 200
"""How many pages at a bound make δ count as out of reach."""


def _beside(latest: Metrics) -> str:
    if not latest or latest.get("alpha") is not None:
        return ""
    weights = [(latest[key], title) for key, title in _EXPERTS.items() if key in latest]
    if not weights:
        return "this strategy has no α"
    weight, title = max(weights)
    first = weights[0][1]
    if title == first:
        return f"{first}, the largest"
    return f"{first}; the largest is {score(weight)}, {title}"


def alpha_heading(crawl: Crawl, samples: SampleColumns) -> str:
    """Why α rises or falls, or, after 200 pages at 0 or 1, what to do; empty if there is no α."""
    columns = samples.columns
    has_both = samples.has("alpha") and samples.has("wanted")
    if not has_both or math.isnan(wanted := columns["wanted"][-1]):
        return ""
    tau = columns["mean_tau"][-1]
    bound = bound_of(samples)
    if bound == 1:
        return (
            f"δ cannot be reached: α has stood at 1 for {PATIENCE} pages, and status counts "
            f"for nothing. Lower δ below {score(_share(samples, tau))}."
        )
    if bound == 0:
        return (
            f"δ is reached without trying: α has stood at 0 for {PATIENCE} pages, and the "
            f"topic counts for nothing. Raise δ above {score(_share(samples, tau))}."
        )
    if tau < wanted:
        return f"α rises: mean τ {score(tau)} is below the {score(wanted)} wanted."
    return f"α falls: mean τ {score(tau)} is not below the {score(wanted)} wanted."


def bound_of(samples: SampleColumns) -> int | None:
    """0 or 1 if α has been there for the last 200 pages, else None."""
    if not samples.pages or samples.pages[0] > samples.pages[-1] - PATIENCE:
        return None
    since = samples.pages[-1] - PATIENCE
    last = {
        alpha
        for pages, alpha in zip(samples.pages, samples.columns["alpha"], strict=True)
        if pages >= since
    }
    return int(last.pop()) if last in ({0.0}, {1.0}) else None


def _share(samples: SampleColumns, tau: float) -> float:
    """The δ, in [0, 1], at which the current mean τ would be the one wanted."""
    delta, wanted = samples.columns["delta"][-1], samples.columns["wanted"][-1]
    return min(tau * delta / wanted, 1.0) if wanted > 0 else 0.0


ALPHA = Chart(
    id="alpha",
    title="Adaptive α",
    summary="The weight of topicality against status, with the mean τ and the one wanted.",
    unit="score",
    colour="alpha",
    empty="This strategy has no α",
    how_to_read="While the mean topicality (τ) of recent pages is below what δ wants (dashed), α "
    "rises and topic counts for more; δ is a share of the highest topicality the crawl has "
    "reached or, with the status learner, of what Full page would find. The line above the chart "
    "says where α is heading, and, after 200 pages at 0 or 1, what to do about δ. Experts show the "
    "weight of each strategy that they mix instead; any other strategy without α shows the mean τ "
    "alone.",
    titles={"mean_tau": "Mean topicality", **dict.fromkeys(_EXPERTS, "Weights of the experts")},
    beside=_beside,
    note=alpha_heading,
    reads=("delta",),
)
