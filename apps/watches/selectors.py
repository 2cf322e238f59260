"""Reading watches: visits, pages by state, versions, and what is due."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import F, Q, QuerySet

from apps.crawls.selectors import at_host
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics, visible_topics
from apps.watches.models import Observation, PageVersion, Watch, WatchedPage, WatchVisit
from apps.watches.visits.rhythm import next_visits


def visible_watches(user: User) -> QuerySet[Watch]:
    """The watches of the topics that a person may see."""
    return Watch.objects.filter(topic__in=visible_topics(user)).select_related("topic", "owner")


def editable_watches(user: User) -> QuerySet[Watch]:
    """The watches of the topics that a person may change."""
    return Watch.objects.filter(topic__in=editable_topics(user)).select_related("topic", "owner")


def watch_of(topic: Topic) -> Watch | None:
    """The topic's watch; None if it is not watched."""
    return Watch.objects.filter(topic=topic).first()


def visits(watch: Watch) -> QuerySet[WatchVisit]:
    """The visits of a watch, the newest first."""
    return watch.visits_made.all()


def pages_in_state(watch: Watch, *states: str) -> QuerySet[WatchedPage]:
    """The watched pages that a visit has seen in one of the states last, the newest first; without
    states all of them, also those that no visit has seen."""
    pages = watch.pages.filter(is_watched=True)
    if states:
        pages = pages.filter(state__in=states, state_at__isnull=False)
    return pages.order_by(F("state_at").desc(nulls_last=True), "-pk")


def pages_of_host(host: str, topics: QuerySet[Topic]) -> QuerySet[WatchedPage]:
    """The watched pages of these topics that are the host's, or that a redirect led to there."""
    rows = WatchedPage.objects.filter(watch__topic__in=topics.values("pk"))
    return rows.filter(Q(host=host) | at_host(host, "final_url")).order_by()


def observations_since(watch: Watch, moment: datetime, *states: str) -> QuerySet[Observation]:
    """The observations of visits since a time, in one of the states, newest first."""
    rows = Observation.objects.filter(visit__watch=watch, at__gt=moment, state__in=states)
    return rows.select_related("page", "visit", "version").order_by("-at", "-pk")


def versions_of(page: WatchedPage) -> QuerySet[PageVersion]:
    """The versions of a page, the oldest first."""
    return page.versions.all()


def coming_visits(watch: Watch, now: datetime, count: int = 3) -> list[datetime]:
    """The moments of the next visits; none while it is paused."""
    if watch.is_paused or watch.next_visit_at is None:
        return []
    return [watch.next_visit_at, *next_visits(watch, watch.next_visit_at, count - 1)][:count]


def requests_a_month(watch: Watch, now: datetime) -> int:
    """The most requests that its visits of the next 30 days may send."""
    moments = [moment for moment in coming_visits(watch, now, 31 * 24) if (moment - now).days < 30]
    return len(moments) * watch.requests
