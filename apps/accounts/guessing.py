"""Protection against password guessing: an address is refused for five minutes after ten wrong
passwords for one name, or fifty for any names."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_login_failed
from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest

from apps.accounts.client_address import client_address

MOST_WRONG = 10
MOST_WRONG_OF_ADDRESS = 50
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
    address = client_address(request)
    return _count(_name_key(address, name)) >= MOST_WRONG or too_many_of_address(request)


def too_many_of_address(request: HttpRequest | None) -> bool:
    """Whether every password of any name is refused from there for now."""
    return _count(_address_key(client_address(request))) >= MOST_WRONG_OF_ADDRESS


@receiver(user_login_failed)
def note_wrong_password(
    sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    """Counts a wrong password for its name and its address; the first one starts the five minutes.
    Attempts that are refused already are not counted, so that no address fills the cache."""
    name, address = credentials.get("username"), client_address(request)
    if not too_many(request, name):
        _add(_name_key(address, name))
        if address:
            _add(_address_key(address))


def _count(key: str) -> int:
    return int(counts.get(key, 0))


def _add(key: str) -> None:
    if not counts.add(key, 1, SECONDS):
        counts.incr(key)


def _name_key(address: str, name: str | None) -> str:
    return f"wrong-passwords-{address}-{(name or '').encode().hex()[:200]}"


def _address_key(address: str) -> str:
    return f"wrong-passwords-of-{address}"
