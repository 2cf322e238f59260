"""Protection against guessing: ten wrong passwords for a name from one address, then a pause."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_login_failed
from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest

MOST_WRONG = 10
SECONDS = 300
# A separate cache, so that wrong passwords for other names cannot evict these counts.
counts = caches["guesses"]


class SlowGuesses:
    """An authentication backend that comes before the one that checks passwords, for every form."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Leaves the decision to the next backend, or raises PermissionDenied, which every form
        shows as a wrong password."""
        if too_many(request, credentials.get("username")):
            raise PermissionDenied


def too_many(request: HttpRequest | None, name: str | None) -> bool:
    """Whether every password for that name is refused for now, even the right one."""
    return int(counts.get(_key(request, name), 0)) >= MOST_WRONG


@receiver(user_login_failed)
def note_wrong_password(
    sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    """Counts a wrong password; the first one starts the five minutes."""
    key = _key(request, credentials.get("username"))
    if not counts.add(key, 1, SECONDS):
        counts.incr(key)


def _key(request: HttpRequest | None, name: str | None) -> str:
    address = request.META.get("REMOTE_ADDR", "") if request else ""
    return f"wrong-passwords-{address}-{(name or '').encode().hex()[:200]}"
