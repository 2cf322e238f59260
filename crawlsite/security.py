"""Headers of all pages: the content security policy, and that nobody else may keep them."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

OWN_COPIES_ONLY = "private, no-cache"

# Plotly sets style attributes, which need 'unsafe-inline' for styles.
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class ContentSecurityPolicy:
    """Adds the policy, unless a view has set its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class PrivatePages:
    """Forbids shared caches to store a page and makes browsers revalidate their copy, unless a view
    has set its own rule."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", OWN_COPIES_ONLY)
        return response
