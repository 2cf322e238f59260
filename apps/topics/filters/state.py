"""The filter by whether a topic has been crawled."""

from __future__ import annotations

from django.db.models import Q

from apps.search.filter import Field
from apps.search.list_filters import States


class TopicState(States):
    """Filters by whether a topic has crawls; the column `is_crawled` of a list of topics."""

    sentence = "Topics that have been crawled, or not yet."
    fields = (Field("state", "crawled or new."),)
    example = "state=new"
    groups = {
        "crawled": ("Crawled", Q(is_crawled=True)),
        "new": ("Not crawled yet", Q(is_crawled=False)),
    }


STATE = TopicState()
