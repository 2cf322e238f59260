"""The export of a topic as a file."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from apps.accounts.requests import SignedInRequest
from apps.engine.errors import BadWebFile
from apps.screens.answers import json_file
from apps.topics import selectors
from apps.topics.exporting import topic_file_name, topic_file_of
from apps.webs.messages import error_words


def export(request: SignedInRequest, pk: int) -> HttpResponse:
    """The topic as JSON, which Import topic and `import_topic` read."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=pk)
    try:
        data = topic_file_of(topic)
    except BadWebFile as error:
        messages.error(request, error_words(error))
        return redirect("topic:detail", topic.pk)
    return json_file(data, topic_file_name(topic))
