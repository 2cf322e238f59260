"""Letting everybody who can sign in look at a topic, and taking that back."""

from __future__ import annotations

from apps.topics.models import Topic


def share(topic: Topic) -> None:
    """Everybody who can sign in may read the topic; its crawls are shared one by one."""
    _set(topic, True)


def unshare(topic: Topic) -> None:
    """The topic is its owner's alone again. Crawls of it that are shared stay so."""
    _set(topic, False)


def _set(topic: Topic, shared: bool) -> None:
    Topic.objects.filter(pk=topic.pk).update(shared=shared)
    topic.shared = shared
