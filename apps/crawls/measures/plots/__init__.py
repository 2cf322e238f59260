"""The plots of a crawl's records, one file each, in their order on the screen."""

from __future__ import annotations

from apps.crawls.measures.plots.context_use import ContextUse
from apps.crawls.measures.plots.courses import Courses
from apps.crawls.measures.plots.diversity import Diversity
from apps.crawls.measures.plots.plot import Plot
from apps.crawls.measures.plots.precision_recall import PrecisionRecall
from apps.crawls.measures.plots.relevance_distribution import RelevanceDistribution
from apps.crawls.measures.plots.status_locality import StatusLocality
from apps.crawls.measures.plots.status_map import StatusMap

PLOTS: tuple[Plot, ...] = (
    PrecisionRecall(),
    Courses(),
    Diversity(),
    RelevanceDistribution(),
    StatusLocality(),
    StatusMap(),
    ContextUse(),
)
