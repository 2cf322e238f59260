"""Guessing passwords: after ten wrong ones for a name from one address the next wait."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_login_failed
from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest

MOST_WRONG = 10
SECONDS = 300
# A cache of its own: wrong passwords for other names must not push these counts out.
counts = caches["guesses"]


class SlowGuesses:
    """Comes before the backend that looks at passwords, for every form that asks for one."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Lets others decide; raises PermissionDenied, which is a wrong password to all forms."""
        if too_many(request, credentials.get("username")):
            raise PermissionDenied


def too_many(request: HttpRequest | None, name: str | None) -> bool:
    """Whether passwords for that name must wait, however right they are."""
    return int(counts.get(_key(request, name), 0)) >= MOST_WRONG


@receiver(user_login_failed)
def note_wrong_password(
    sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    """Counts it; the first of them starts the five minutes."""
    key = _key(request, credentials.get("username"))
    if not counts.add(key, 1, SECONDS):
        counts.incr(key)


def _key(request: HttpRequest | None, name: str | None) -> str:
    address = request.META.get("REMOTE_ADDR", "") if request else ""
    return f"wrong-passwords-{address}-{(name or '').encode().hex()[:200]}"
