"""The people of a site, as its administrators see and change them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import ApiToken, SignInLink
from apps.accounts.services import make_link
from apps.schemas.refused import Refused

# A new person may read the message with the link a day or two later.
INVITATION_SECONDS = 3 * 24 * 3600


class PersonRefused(Refused):
    """An account cannot be made or changed like this."""


def people() -> QuerySet[Any]:
    """Every account with `topic_count` and `crawl_count`, by name."""
    return (
        get_user_model()
        .objects.annotate(
            topic_count=Count("topics", filter=Q(topics__deleted_at=None), distinct=True),
            crawl_count=Count("crawls", filter=Q(crawls__deleted_at=None), distinct=True),
        )
        .order_by("username")
    )


def make_person(name: str, *, administrator: bool = False) -> tuple[User, str]:
    """A new account without a password, and the token of its one-time sign-in link.

    The link is valid for three days. Raises PersonRefused.
    """
    name = name.strip()
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError:
        raise PersonRefused("name", "Use letters, digits and @ . + - _ only.") from None
    if len(name) > 150:
        raise PersonRefused("name", "The name is too long: 150 characters at most.")
    if Group.objects.filter(name=name).exists():
        raise PersonRefused("name", "There is a group of this name: choose another.")
    users = get_user_model().objects
    try:
        with transaction.atomic():
            make = users.create_superuser if administrator else users.create_user
            user = make(name, password=None)
    except IntegrityError:
        raise PersonRefused("name", "There is an account of this name already.") from None
    return user, make_link(user, INVITATION_SECONDS)


def invite_again(user: User) -> str:
    """The token of another one-time link for an active account. Raises PersonRefused."""
    if not user.is_active:
        raise PersonRefused("person", "This account is switched off: switch it on first.")
    return make_link(user, INVITATION_SECONDS)


def switch_off(user: User, by: User) -> None:
    """Ends the person's sessions, links and tokens at once; their things stay and their crawls go
    on.

    Raises PersonRefused for one's own account, so that a site keeps an administrator.
    """
    if user.pk == by.pk:
        raise PersonRefused("person", "You cannot switch off your own account.")
    with transaction.atomic():
        get_user_model().objects.filter(pk=user.pk).update(is_active=False)
        ApiToken.objects.filter(user=user).delete()
        SignInLink.objects.filter(user=user, used_at=None).delete()
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def switch_on(user: User) -> None:
    """Lets the account sign in again, by password or by a new link."""
    get_user_model().objects.filter(pk=user.pk).update(is_active=True)
