"""Gathered pages that are most like a topic: they may be on it, so they are no negatives."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.intelligence.cold_start.subject import most_like
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.topics.inputs.page_references import documents, references
from apps.topics.models import Example, Topic, TopicSnapshot
from apps.topics.snapshots import FORMAT, engine_topic, snapshot_data


def leave_likest_out(topic: Topic) -> int:
    """Leaves out the 30 % of the gathered pages that are most like the topic's words and named
    examples; returns how many are new. Raises BadWebFile if a stored page is gone."""
    gathered = topic.examples.filter(
        source=Example.Source.BACKGROUND, fetch=Example.Fetch.FETCHED
    ).order_by("id")
    rows = list(gathered)
    if not rows:
        return 0
    texts = [page.words[: page.visible] for page in documents(topic.pk, references(topic, rows))]
    likest = [rows[i].pk for i in likest_of(topic, texts)]
    return topic.examples.filter(pk__in=likest, left_out=False).update(left_out=True)


def likest_of(topic: Topic, texts: Sequence[Sequence[str]]) -> list[int]:
    """The indices of the 30 % of some texts that are most like the topic. Raises BadWebFile."""
    now = TopicSnapshot(
        topic=topic, version=topic.version, format=FORMAT, data=snapshot_data(topic)
    )
    model = TopicModel(engine_topic(now))
    rows = TokenRows.of([model.vocabulary.encode(text) for text in texts])
    likest: list[int] = most_like(model.subject().query(), rows).tolist()
    return likest
