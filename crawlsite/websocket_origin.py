"""The origin of a websocket: browsers send cookies with one that any page opens, so the page must
be one of this site's, down to the port."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import SplitResult, urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

Application = Callable[[Any, Any, Any], Awaitable[Any]]


class SameOrigin:
    """Passes on a websocket that a page of this site opens, and refuses any other."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        is_own = is_own_page(_header(scope, b"origin"), _header(scope, b"host"))
        application: Application = self.application if is_own else WebsocketDenier()
        return await application(scope, receive, send)


def is_own_page(origin: str, host: str) -> bool:
    """Whether the origin is that of the requested `host`, or one of `CSRF_TRUSTED_ORIGINS`."""
    try:
        parts = urlsplit(origin.lower())
    except ValueError:
        return False
    return _is_host(parts, host.lower()) or any(
        _matches(parts, urlsplit(pattern.lower())) for pattern in settings.CSRF_TRUSTED_ORIGINS
    )


def _is_host(origin: SplitResult, host: str) -> bool:
    schemes = ("https",) if settings.HTTPS else ("http", "https")
    domain, _ = split_domain_port(host)
    is_served = bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
    return is_served and origin.scheme in schemes and origin.netloc == host


def _matches(origin: SplitResult, pattern: SplitResult) -> bool:
    """Patterns are Django's: `https://a.example`, `https://*.a.example:8443`."""
    if pattern.netloc.startswith("*."):
        has_host = origin.netloc.endswith(pattern.netloc[1:])
    else:
        has_host = origin.netloc == pattern.netloc
    return has_host and origin.scheme == pattern.scheme


def _header(scope: dict[str, Any], name: bytes) -> str:
    """The header; empty if it is missing or given twice."""
    values = [value for header, value in scope.get("headers", ()) if header == name]
    return values[0].decode("latin-1") if len(values) == 1 else ""
