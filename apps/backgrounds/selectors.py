"""Which backgrounds a person may use, and which they may change."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from apps.accounts.sharing import shared_with
from apps.backgrounds.models import Background, BackgroundVersion
from apps.jobs.models import Job


def visible_backgrounds(user: User) -> QuerySet[Background]:
    """The backgrounds a person may use: their own and those shared with them."""
    which = Q(owner=user) | Q(pk__in=shared_with(Background, user))
    rows = Background.objects.filter(which).select_related("owner")
    return rows.prefetch_related("shares", "versions")


def owned_backgrounds(user: User) -> QuerySet[Background]:
    """The backgrounds a person may build again, share and delete."""
    return Background.objects.filter(owner=user).select_related("owner")


def ready_version(background: Background | None, user: User) -> BackgroundVersion | None:
    """The version that a topic of that person uses; None if there is none, or if the background is
    not shared with them any more."""
    if background is None or not visible_backgrounds(user).filter(pk=background.pk).exists():
        return None
    return background.ready


def version_of_digest(user: User, digest: str) -> BackgroundVersion | None:
    """A ready version of that content that the person may use, or None."""
    ready = BackgroundVersion.objects.filter(
        digest=digest, job_state=Job.State.DONE, background__in=visible_backgrounds(user)
    )
    return ready.exclude(file="").select_related("background").first()
