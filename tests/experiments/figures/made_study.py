"""A study of pages that were never read, made of numbers."""

from __future__ import annotations

from apps.crawls.measures.context_qualities import TechniqueQuality
from apps.engine.evaluation.context_quality import ContextQuality
from apps.engine.evaluation.status_locality import Locality
from apps.engine.intelligence.offsets.figures import AtOffset, Validation
from apps.experiments.studies.link_contexts import TopicContexts
from apps.experiments.studies.link_offsets import TopicOffsets
from apps.experiments.studies.offset_features import Window
from apps.experiments.studies.study import PageStudyFigures


def window(dmax: int, average: float) -> Window:
    """Accuracy grows by .01 with dmax where offsets count; the word at offset d has a gain of
    (6 − |d|)/1000 bits, and each offset as many words."""
    reports = Validation(40, 0.5, 0.75, average + dmax / 100)
    at = tuple(
        AtOffset(offset, 3, (6 - abs(offset)) / 1000, 1 / (2 * dmax + 1))
        for offset in range(-dmax, dmax + 1)
    )
    return Window(dmax, reports, Validation(40, 0.5, 0.5, average), at)


def offsets(topic: str, average: float) -> TopicOffsets:
    return TopicOffsets(
        topic, tuple(window(dmax, average) for dmax in range(9)), ((("td", 3), ("br", 1)),) * 11
    )


def contexts(topic: str, anchor: float, by_editors: bool = True) -> TopicContexts:
    return TopicContexts(
        topic,
        by_editors,
        (
            TechniqueQuality("anchor", ContextQuality(9, anchor, 0.25)),
            TechniqueQuality("full page", ContextQuality(9, 0.25, 0.0)),
        ),
    )


STUDY = PageStudyFigures(
    "Full page",
    500,
    (offsets("ants", 0.6), offsets("bees", 0.8)),
    (contexts("ants", 0.3), contexts("bees", 0.5)),
    (
        Locality(1, 40, 0.4, 0.01, 12, 0.2, 0.4),
        Locality(2, 30, 0.1, 0.2, 9, None, None),
        Locality(None, 40, 0.0, 0.9, 9, None, None),
    ),
)
NOTHING = PageStudyFigures("Full page", 500, (), (), ())
