"""Authentication: a token in the header, or a browser session with its CSRF token."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja.security import HttpBearer, SessionAuth

from apps.accounts.tokens import token_user


class Token(HttpBearer):
    """`Authorization: Bearer cs_…`; the request then acts as that person."""

    openapi_description = "A token from your account page."

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        user = token_user(token.strip())
        if user is not None:
            request.user = user
        return user


class Session(SessionAuth):
    """A signed-in browser; requests that change something need the CSRF token as on any page.

    If the request has a token, only the token counts.
    """

    openapi_description = "The cookie of a signed-in browser."

    def __call__(self, request: HttpRequest) -> User | None:
        if "Authorization" in request.headers or not request.user.is_authenticated:
            return None
        return super().__call__(request)
