"""The request of a signed-in person, as views and operations receive it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest


class SignedInRequest(HttpRequest):
    """A request behind `LoginRequiredMiddleware` or a token of the API: its user is a person.

    A type only: Django makes the requests. Views that anonymous visitors reach take an
    `HttpRequest`. What a middleware adds to every request is declared here.
    """

    user: User
