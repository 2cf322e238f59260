"""Access rules: who may change which list of a topic."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404
from django.shortcuts import get_object_or_404

from apps.topics import selectors
from apps.topics.inputs.catalogue import list_of
from apps.topics.inputs.input_list import InputList
from apps.topics.models import Topic


def list_to_change(person: User, topic_id: int, id: str) -> tuple[Topic, InputList]:
    """A topic and the list of that id, if the person may replace it: one that serves all topics of
    its owner is the owner's alone. Raises Http404."""
    wanted = list_of(id)
    if wanted is None or not wanted.accepts:
        raise Http404
    topics = selectors.owned_topics if wanted.for_owner else selectors.editable_topics
    return get_object_or_404(topics(person), pk=topic_id), wanted
