"""Screens have the times of the reader's zone, which the browser names in a cookie."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

COOKIE = "zone"
API = "/api/"


class ReaderZone:
    """Activates the zone for a request. The API has UTC; a name that is no zone counts for nothing,
    and without one the zone of CRAWLSITE_TIME_ZONE holds."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = "UTC" if request.path.startswith(API) else unquote(request.COOKIES.get(COOKIE, ""))
        with timezone.override(_zone(zone)):
            return self.get_response(request)


def _zone(name: str) -> ZoneInfo | None:
    """The reader's zone; None for the zone of the settings."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None
