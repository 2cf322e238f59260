"""The time zone in which times are shown."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured


def valid_zone(name: str) -> str:
    """The name again. Raises ImproperlyConfigured if there is no such zone."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ImproperlyConfigured(
            f"CRAWLSITE_TIME_ZONE is {name!r}, which is not a time zone: give one such as"
            " Europe/Berlin"
        ) from None
    return name
