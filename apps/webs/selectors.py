"""Which webs a person may crawl, and which they may change."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from apps.accounts.sharing import shared_with
from apps.webs.models import Web

LIVE = "live"
"""What people and programs call the live Web by."""


def live_web() -> Web:
    """The row of the live Web."""
    return Web.objects.get_or_create(source=Web.Source.LIVE, defaults={"name": LIVE})[0]


def visible_webs(user: User) -> QuerySet[Web]:
    """The webs that a person may crawl: everybody's, their own, those shared with them, and those
    of topics shared with them."""
    with_a_topic = shared_with(Web, user, through="topic__shares")
    which = Q(pk__in=shared_with(Web, user)) | Q(pk__in=with_a_topic)
    rows = Web.objects.filter(Q(owner=None) | Q(owner=user) | which)
    return rows.prefetch_related("shares")


def recorded_webs(user: User) -> QuerySet[Web]:
    """Every recorded web that the person may crawl, by name."""
    webs = visible_webs(user).exclude(source=Web.Source.LIVE)
    return webs.select_related("owner").order_by("name")


def webs_of_both(user: User, owner: User) -> QuerySet[Web]:
    """The recorded webs that both a topic's owner and another editor of it may crawl, so that
    neither learns of the other's."""
    webs = recorded_webs(user)
    return webs if user == owner else webs.filter(pk__in=visible_webs(owner).values("pk"))


def shareable_webs(user: User) -> QuerySet[Web]:
    """The recorded webs that a person may share: their own."""
    return Web.objects.filter(source=Web.Source.FOLDER, owner=user)


def noted_webs(user: User) -> QuerySet[Web]:
    """The recorded webs whose note a person may change: their own, for administrators also those
    without an owner."""
    own = Web.objects.filter(owner=user)
    if user.is_superuser:
        own = own | Web.objects.filter(owner=None)
    return own.exclude(source=Web.Source.LIVE)


def owned_webs(user: User) -> QuerySet[Web]:
    """The recorded webs a person may delete; administrators may also delete those without an
    owner."""
    own = shareable_webs(user)
    if not user.is_superuser:
        return own
    return own | Web.objects.filter(source=Web.Source.FOLDER, owner=None)
