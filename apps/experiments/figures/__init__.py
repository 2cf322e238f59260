"""The figures of the papers, drawn from an experiment: one file each, in the screen's order."""

from __future__ import annotations

from apps.experiments.figures.accuracy_over_dmax import AccuracyOverDmax
from apps.experiments.figures.alpha import Alpha
from apps.experiments.figures.context_quality import ContextQuality
from apps.experiments.figures.context_use import ContextUse
from apps.experiments.figures.difficulty import Difficulty
from apps.experiments.figures.diversity_and_reliability import DiversityAndReliability
from apps.experiments.figures.domains import Domains
from apps.experiments.figures.frontier_promise import FrontierPromise
from apps.experiments.figures.gain_over_offsets import GainOverOffsets
from apps.experiments.figures.good_and_bad import GoodAndBad
from apps.experiments.figures.loss import Loss
from apps.experiments.figures.n_and_k import NAndK
from apps.experiments.figures.overlap import Overlap
from apps.experiments.figures.p_over_the_crawl import POverTheCrawl
from apps.experiments.figures.paper_figure import PaperFigure
from apps.experiments.figures.precision_recall import PrecisionRecall
from apps.experiments.figures.relevance_distribution import RelevanceDistribution
from apps.experiments.figures.status_and_topicality import StatusAndTopicality
from apps.experiments.figures.status_by_distance import StatusByDistance
from apps.experiments.figures.status_map import StatusMap
from apps.experiments.figures.trajectories import Trajectories

FIGURES: tuple[PaperFigure, ...] = (
    Trajectories(),
    POverTheCrawl(),
    Difficulty(),
    Domains(),
    ContextQuality(),
    ContextUse(),
    GoodAndBad(),
    RelevanceDistribution(),
    AccuracyOverDmax(),
    GainOverOffsets(),
    Loss(),
    Overlap(),
    FrontierPromise(),
    PrecisionRecall(),
    NAndK(),
    StatusByDistance(),
    StatusAndTopicality(),
    Alpha(),
    DiversityAndReliability(),
    StatusMap(),
)
