"""How well words at each distance from a link predict its target, over a crawl (AFC §3.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Judgement, Visit
from apps.experiments.studies.offset_features import WINDOWS, Tags, Window, tags, window
from apps.experiments.studies.reading import TopicPages


@dataclass(frozen=True, slots=True)
class TopicOffsets:
    """The links of one topic: each window size, and the commonest tags from −5 to 5 leaves."""

    topic: str
    windows: tuple[Window, ...]
    tags: Tags


def link_offsets(read: TopicPages, check: Callable[[], None]) -> TopicOffsets | None:
    """The study of the links between the pages read, HIGH or LOW at the median of the critic's
    P(c|v); None if no page has one. `check` is called between window sizes and may raise."""
    scores = {
        page.url: float(score)
        for page, score in zip(read.pages, read.critic, strict=True)
        if np.isfinite(score)
    }
    if not scores:
        return None
    topic = replace(read.engine_topic, earlier=read.pages)
    model = TopicModel(topic, seed=read.seed)

    def critic(visit: Visit) -> Judgement:
        return Judgement(topicality=scores.get(visit.url))

    windows = []
    for dmax in WINDOWS:
        check()
        windows.append(window(model, dmax, critic))
    return TopicOffsets(read.topic.name, tuple(windows), tags(read.pages))
