"""Names the draft whose form was saved, so that the browser drops it then and not before."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse

FIELD = "draft_key"
COOKIE = "saved-draft"
SECONDS = 3600
LONGEST_KEY = 300


class SavedDrafts:
    """Sets a cookie with the key that a form sent as `draft_key` if its answer leads on.

    A form that is refused is shown again, with status 200; one of a person who is signed out leads
    to signing in. Neither is saved.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "POST" and response.status_code == 302 and _leads_on(response):
            key = request.POST.get(FIELD, "")[:LONGEST_KEY]
            if key:
                response.set_cookie(COOKIE, quote(key, safe=""), max_age=SECONDS, samesite="Lax")
        return response


def _leads_on(response: HttpResponse) -> bool:
    return urlsplit(response.headers["Location"]).path != settings.LOGIN_URL
