"""The other topics that a topic may learn from, and the pages it may not learn from."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from apps.topics.models import Example, Topic

FETCHED_TRAINING = Q(role=Example.Role.TRAIN, fetch=Example.Fetch.FETCHED)
HOPEFUL_TRAINING = Q(role=Example.Role.TRAIN) & ~Q(fetch=Example.Fetch.FAILED)
"""Training examples but for those that could not be fetched."""


def other_topics(topic: Topic) -> QuerySet[Topic]:
    """The owner's other topics on the same web, without the demo's."""
    return _on_any_web(topic).filter(web=topic.web_id)


def other_positives(topic: Topic) -> QuerySet[Example]:
    """The fetched positive training examples of those topics."""
    return _positives(other_topics(topic))


def other_examples(topic: Topic) -> QuerySet[Example]:
    """The fetched training examples of those topics: positives and named negatives."""
    judged = Q(relevant=True) | Q(source=Example.Source.NAMED)
    return Example.objects.filter(FETCHED_TRAINING, judged, topic__in=other_topics(topic))


def webs_to_draw_from(topic: Topic) -> set[int | None]:
    """The webs, None for the live Web, on which the topic would have such examples to draw from."""
    return set(_positives(_on_any_web(topic)).values_list("topic__web_id", flat=True))


def _on_any_web(topic: Topic) -> QuerySet[Topic]:
    mine = Topic.objects.filter(owner_id=topic.owner_id, is_demo=False)
    return mine.exclude(pk=topic.pk)


def _positives(topics: QuerySet[Topic]) -> QuerySet[Example]:
    return Example.objects.filter(FETCHED_TRAINING, topic__in=topics, relevant=True)


def held_back(topic: Topic) -> set[str]:
    """The URLs that no strategy may learn from: targets and judging examples."""
    return judging_urls(topic) | set(topic.targets.values_list("url", flat=True))


def judging_urls(topic: Topic) -> set[str]:
    """The addresses of the topic's examples for judging, requested and final."""
    judging = topic.examples.filter(role=Example.Role.EVALUATE).values_list("url", "final_url")
    return {url for pair in judging for url in pair} - {""}


def hopeful_training(topic: Topic) -> QuerySet[Example]:
    """The topic's training examples but for those that could not be fetched."""
    return topic.examples.filter(HOPEFUL_TRAINING)


def own_training(topic: Topic) -> QuerySet[Example]:
    """The topic's fetched training examples."""
    return topic.examples.filter(FETCHED_TRAINING)
