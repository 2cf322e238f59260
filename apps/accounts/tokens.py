"""API tokens: made, looked up, revoked."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.models import ApiToken
from apps.schemas.input import is_printable
from apps.schemas.refused import Refused

PREFIX = "cs_"
MOST_A_PERSON = 20
# Not written at every request, which would turn each read into a write.
NOTED_EVERY = timedelta(minutes=1)


class TokenRefused(Refused):
    """A token cannot be made."""


def make_token(user: User, name: str) -> tuple[ApiToken, str]:
    """A new token and its text, which is not stored. Raises TokenRefused."""
    name = " ".join(name.replace("\0", "").split())
    if not is_printable(name):
        raise TokenRefused("name", "Leave the control characters out of the name.")
    if not 1 <= len(name) <= 100:
        raise TokenRefused("name", "Describe in up to 100 characters what the token is for.")
    if tokens_of(user).count() >= MOST_A_PERSON:
        raise TokenRefused("name", f"You have {MOST_A_PERSON} tokens: revoke one first.")
    text = PREFIX + secrets.token_urlsafe(32)
    return ApiToken.objects.create(user=user, name=name, digest=_digest(text)), text


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """A person's tokens, oldest first."""
    return ApiToken.objects.filter(user=user).order_by("pk")


def revoke(user: User, pk: int) -> bool:
    """Revokes one of a person's tokens at once; False if they have no such token."""
    return bool(ApiToken.objects.filter(user=user, pk=pk).delete()[0])


def token_user(text: str) -> User | None:
    """The owner of a token, or None if it is unknown or its account is switched off."""
    token = ApiToken.objects.select_related("user").filter(digest=_digest(text)).first()
    if token is None or not token.user.is_active:
        return None
    now = timezone.now()
    old = Q(used_at=None) | Q(used_at__lt=now - NOTED_EVERY)
    if token.used_at is None or token.used_at < now - NOTED_EVERY:
        ApiToken.objects.filter(old, pk=token.pk).update(used_at=now)
    return token.user


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
