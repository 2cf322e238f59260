"""The pages that are new since a person last marked all as seen."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Count

from apps.watches.digests import NEWS
from apps.watches.models import Observation, PageState, SeenMark, Watch


def seen_until(watch: Watch, person: User) -> datetime:
    """Up to when a person has seen the news; the start of the watch for one who never has."""
    mark = SeenMark.objects.filter(watch=watch, person=person).first()
    return mark.at if mark else watch.created_at


def mark_seen(watch: Watch, person: User, until: datetime) -> None:
    """Marks all up to a moment as seen. A moment before the present mark changes nothing."""
    mark, made = SeenMark.objects.get_or_create(watch=watch, person=person, defaults={"at": until})
    if not made and until > mark.at:
        mark.before, mark.at = mark.at, until
        mark.save()


def undo_seen(watch: Watch, person: User) -> bool:
    """Takes the last mark back, once; False if there is none to take back."""
    mark = SeenMark.objects.filter(watch=watch, person=person).first()
    if mark is None:
        return False
    if mark.before is None:
        mark.delete()
    else:
        mark.at, mark.before = mark.before, None
        mark.save()
    return True


def was_visited(watch: Watch, since: datetime) -> bool:
    """Whether a visit has seen pages since a moment, or has begun since and ended without any; one
    that ends after the last page that it saw is no other visit."""
    seen = Observation.objects.filter(visit__watch=watch, at__gt=since)
    begun = watch.visits_made.filter(began_at__gt=since, ended_at__isnull=False)
    return begun.exists() or seen.exists()


def news_counts(watch: Watch, since: datetime) -> dict[str, int]:
    """How many pages visits have seen in each state since a moment: new, changed and gone pages
    once a state; the same are those that were seen and had no news, not reached those that were
    not seen at all."""
    rows = Observation.objects.filter(visit__watch=watch, at__gt=since).order_by()
    counted = rows.values_list("state").annotate(pages=Count("page", distinct=True))
    counts = {state.value: 0 for state in PageState} | dict(counted)
    news = rows.filter(state__in=NEWS).values("page")
    same = rows.filter(state=PageState.SAME).exclude(page__in=news)
    seen = rows.exclude(state=PageState.NOT_REACHED).values("page")
    missed = rows.filter(state=PageState.NOT_REACHED).exclude(page__in=seen)
    for state, pages in ((PageState.SAME, same), (PageState.NOT_REACHED, missed)):
        counts[state.value] = pages.values("page").distinct().count()
    return counts
