"""The filter by owner."""

from __future__ import annotations

from apps.search.filter import Field
from apps.search.list_filters import WordValues


class TopicOwner(WordValues):
    """Filters by the person whom a topic belongs to."""

    id = "owner"
    title = "Owner"
    sentence = "The person whom the topic belongs to."
    unknown = "is not a person"
    fields = (Field("owner", "Names of people."),)
    example = "owner=ada"
    column = "owner__username"


OWNER = TopicOwner()
