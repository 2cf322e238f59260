"""The guide of a crawl: models, strategy and reader. Labels replace all three together."""

from __future__ import annotations

from dataclasses import dataclass, replace

from apps.engine.crawl.page_reader import PageReader
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.topics import Topic


@dataclass(frozen=True, slots=True)
class GuidingModels:
    """The topic's models, the strategy fitted to them, and the reader that judges pages with both.

    `untaught` is the topic without labels; `labels` are the ids of those in `topic`'s training set.
    """

    untaught: Topic
    topic: TopicModel
    strategy: Strategy
    reader: PageReader
    labels: tuple[int, ...] = ()

    @classmethod
    def start(cls, topic: TopicModel, strategy: Strategy, user_agent: str | None) -> GuidingModels:
        """Fits the strategy. Raises NeedsMissing if the topic lacks something."""
        strategy.fit(topic)
        return cls(topic.topic, topic, strategy, PageReader(topic, strategy, user_agent))

    def retrained(
        self, topic: TopicModel, strategy: Strategy, labels: tuple[int, ...]
    ) -> GuidingModels:
        """This guide with newly trained models."""
        reader = PageReader(topic, strategy, self.reader.user_agent)
        return replace(self, topic=topic, strategy=strategy, reader=reader, labels=labels)
