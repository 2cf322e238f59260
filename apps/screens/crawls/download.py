"""From crawls chosen in the list to the downloads of their pages."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from apps.accounts.requests import SignedInRequest
from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.experiments.results.crawls.chosen import read_numbers
from apps.schemas.refused import Refused
from apps.topics.selectors import visible_topics

MENU = "#download"


@require_GET
def download_crawls(request: SignedInRequest) -> HttpResponse:
    """The collection of the crawls `?crawls=3,4`, its download open: one row a page, whichever of
    them fetched it. Crawls of several topics have no collection together."""
    try:
        numbers = read_numbers(request.GET.getlist("crawls"))
        crawls = list(visible_crawls(request.user).filter(pk__in=numbers).order_by("pk"))
        if len(crawls) == 1:
            return redirect(reverse("collection:crawl", args=[crawls[0].pk]) + MENU)
        _refuse_apart(request, crawls)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("crawls:list")
    address = reverse("collection:list", args=[crawls[0].topic_id])
    return redirect(f"{address}?{'&'.join(f'crawl={crawl.pk}' for crawl in crawls)}{MENU}")


def _refuse_apart(request: SignedInRequest, crawls: Sequence[Crawl]) -> None:
    """Raises Refused for crawls that have no collection together that the person may see."""
    topics = {crawl.topic_id for crawl in crawls}
    if not topics:
        raise Refused("crawls", "Select crawls to download their pages.")
    if len(topics) > 1:
        raise Refused("crawls", "Only crawls of one topic can be downloaded together.")
    if not visible_topics(request.user).filter(pk__in=topics).exists():
        raise Refused("crawls", "Their topic is not shared with you: download them one by one.")
