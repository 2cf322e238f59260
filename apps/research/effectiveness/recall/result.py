"""Estimated and true recall on a web, as they are saved."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from apps.engine.evaluation.estimated_recall import RecallEstimate
from apps.research.effectiveness.saved_result import SavedResult
from apps.schemas.input import Input


class Reading(Input):
    """The values of a `RecallEstimate` at a moment."""

    fetched: float
    low: int
    left: int
    high: int
    soon: float

    def estimate(self) -> RecallEstimate:
        return RecallEstimate(**self.model_dump())


class Moment(Input):
    """After `at` requests beside the seeds: how many reachable relevant pages were `fetched`, how
    many the next thousand requests `added` (None: the crawl was ended before), and the estimates
    by source of the verdicts, with intervals as if nobody erred."""

    at: int
    fetched: int
    added: int | None
    estimates: dict[str, Reading]


class ReadTopic(Input):
    """A crawl for a topic; `reachable` is the number of relevant pages that can be reached, besides
    the seeds."""

    topic: str
    reachable: int
    moments: Annotated[tuple[Moment, ...], Field(strict=False)]


class RecallResult(SavedResult):
    """All topics of one web."""

    room = "recall"
    results_field = "topics"
    topics: Annotated[tuple[ReadTopic, ...], Field(strict=False)] = ()

    def with_topic(self, topic: ReadTopic) -> RecallResult:
        """A copy with one topic more."""
        return self.model_copy(update={"topics": (*self.topics, topic)})

    def cases(self) -> list[tuple[ReadTopic, Moment]]:
        """All moments of the topics of which something can be reached."""
        return [
            (topic, moment) for topic in self.topics if topic.reachable for moment in topic.moments
        ]
