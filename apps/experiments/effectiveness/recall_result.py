"""What estimated recall said on a web and what was true, as it is saved."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from apps.engine.evaluation.estimated_recall import Estimate
from apps.experiments.effectiveness.saved_result import SavedResult
from apps.schemas.input import Input


class Reading(Input):
    """What was said at a moment: the values of an `Estimate`."""

    found: float
    low: int
    left: int
    high: int
    soon: float

    def estimate(self) -> Estimate:
        return Estimate(**self.model_dump())


class Moment(Input):
    """After `at` requests beside the seeds: how many reachable relevant pages were `found`, how
    many the next thousand requests `added` (None: the crawl was ended before), and what was said,
    by who says what is relevant, with intervals as if nobody erred."""

    at: int
    found: int
    added: int | None
    said: dict[str, Reading]


class ReadTopic(Input):
    """A crawl for a topic of which so many relevant pages, beside the seeds, are `reachable`."""

    topic: str
    reachable: int
    moments: Annotated[tuple[Moment, ...], Field(strict=False)]


class RecallResult(SavedResult):
    """All topics of one web."""

    room = "recall"
    found_in = "topics"
    topics: Annotated[tuple[ReadTopic, ...], Field(strict=False)] = ()

    def with_topic(self, topic: ReadTopic) -> RecallResult:
        """The same with one topic more."""
        return self.model_copy(update={"topics": (*self.topics, topic)})

    def cases(self) -> list[tuple[ReadTopic, Moment]]:
        """All moments of the topics of which something can be reached."""
        return [(topic, moment) for topic in self.topics if topic.reachable
                for moment in topic.moments]
