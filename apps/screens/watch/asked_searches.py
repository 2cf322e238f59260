"""The searches of a person that a watch asks, with what they match and why one was not asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from apps.collection.models import SavedSearch
from apps.collection.saved_searches.watched import watchable_searches
from apps.watches.models import Watch
from apps.watches.search_news import problem_of_all, problems_since


@dataclass(frozen=True, slots=True)
class AskedSearch:
    """A saved search, how many pages of the listed time it matches, and why it could not be asked
    about a visit of that time (empty if it was)."""

    saved: SavedSearch
    matches: int
    problem: str


def list_searches(
    watch: Watch, person: User, since: datetime, matched: Mapping[int, Sequence[int]]
) -> list[AskedSearch]:
    """A person's searches of the topic; `matched` are the observations that each matches."""
    searches = list(watchable_searches(watch.topic_id, person.pk))
    if not any(search.is_watched for search in searches):
        return [AskedSearch(search, len(matched.get(search.pk, ())), "") for search in searches]
    of_all, own = problem_of_all(watch, since), problems_since(watch, person, since)
    return [
        AskedSearch(
            search,
            len(matched.get(search.pk, ())),
            own.get(search.pk, of_all) if search.is_watched else "",
        )
        for search in searches
    ]
