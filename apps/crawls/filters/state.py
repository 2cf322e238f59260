"""The filter by state."""

from __future__ import annotations

from django.db.models import Q

from apps.engine.codes import State
from apps.search.filter import Field
from apps.search.list_filters import States

ACTIVE = (State.QUEUED, State.RUNNING, State.PAUSED, State.STOPPING)


class CrawlState(States):
    """Filters by what a crawl does."""

    sentence = "Crawls that are active, finished or failed, or drafts."
    fields = (Field("state", f"active, or {', '.join(State)}."),)
    example = "state=active"
    groups = {
        "active": ("Active", Q(state__in=ACTIVE)),
        "finished": ("Finished", Q(state=State.FINISHED)),
        "failed": ("Failed", Q(state=State.FAILED)),
        "draft": ("Drafts", Q(state=State.DRAFT)),
    }
    single = {state: Q(state=state) for state in ACTIVE}


STATE = CrawlState()
