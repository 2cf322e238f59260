"""Creates the first account, and makes and uses one-time sign-in links."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import SignInLink
from apps.schemas.refused import Refused

FIRST_NAME = "owner"


class LinkRefused(Exception):
    """A link that cannot sign anybody in: `code` is `unknown`, `used` or `expired`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def ensure_owner() -> User:
    """The account that is signed in when the site starts.

    `owner` if it is in use, else the oldest active superuser; a new `owner` is made only if nobody
    could sign in. It has no password until one is chosen.
    """
    users = get_user_model().objects.filter(is_active=True, is_superuser=True)
    owner = users.filter(username=FIRST_NAME).first() or users.order_by("pk").first()
    return owner or _make_owner()


def account_named(name: str | None) -> User:
    """The active account of that name, by default the owner's. Raises Refused."""
    if not name:
        return ensure_owner()
    account = get_user_model().objects.filter(username=name, is_active=True).first()
    if account is None:
        raise Refused("owner", f"There is no active account named {name!r}.")
    return account


def _make_owner() -> User:
    users = get_user_model().objects
    taken = set(users.values_list("username", flat=True))
    names = (FIRST_NAME, *(f"{FIRST_NAME}{n}" for n in range(2, len(taken) + 3)))
    name = next(name for name in names if name not in taken)
    return users.create_superuser(name, password=None)


def make_link(user: User, seconds: float | None = None) -> str:
    """The token of a new one-time link; only its digest is stored.

    It is valid for `seconds`, by default `SIGN_IN_LINK_SECONDS`. Deletes expired links.
    """
    now = timezone.now()
    seconds = settings.SIGN_IN_LINK_SECONDS if seconds is None else seconds
    SignInLink.objects.filter(expires_at__lt=now - timedelta(days=1)).delete()
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(
        user=user,
        digest=_digest(token),
        expires_at=now + timedelta(seconds=seconds),
    )
    return token


def link_path(token: str) -> str:
    """The path of a one-time link, without importing the other screens, which takes seconds."""
    return reverse("link", args=[token], urlconf="apps.screens.accounts.urls")


def check_link(token: str) -> SignInLink:
    """The link of that token, if it is valid now. Raises LinkRefused."""
    link = SignInLink.objects.select_related("user").filter(digest=_digest(token)).first()
    if link is None or not link.user.is_active:
        raise LinkRefused("unknown")
    if link.used_at is not None:
        raise LinkRefused("used")
    if link.expires_at <= timezone.now():
        raise LinkRefused("expired")
    return link


def use_link(token: str) -> User:
    """Marks the link as used and returns its account. Of two simultaneous requests only one
    succeeds. Raises LinkRefused."""
    link = check_link(token)
    unused = SignInLink.objects.filter(pk=link.pk, used_at=None)
    if unused.update(used_at=timezone.now()) != 1:
        raise LinkRefused("used")
    return link.user


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
