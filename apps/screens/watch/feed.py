"""The Atom feed of a watch, for readers of feeds: its address is its secret."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from apps.watches.carriers.feed import ENTRIES, TYPE, etag_of, render_feed
from apps.watches.digests import digests_of
from apps.watches.subscriptions import feed_with


@login_not_required
@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """The feed at that address; 404 where there is none any more, 304 if it has not changed."""
    subscription = feed_with(token)
    if subscription is None:
        raise Http404
    base = settings.ADDRESS or request.build_absolute_uri("/").rstrip("/")
    digests = list(digests_of(subscription)[:ENTRIES])
    body = render_feed(subscription, digests, f"{base}{request.path}", base)
    etag = etag_of(body)
    whole = HttpResponse(body, content_type=TYPE, headers={"ETag": etag})
    answer = get_conditional_response(request, etag=etag, response=whole) or whole
    answer["Cache-Control"] = "private, no-cache"
    return answer
