"""The list of crawls, its live updates, and bulk actions."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.listing import CrawlListing, CrawlSearch
from apps.crawls.models import Crawl
from apps.crawls.selectors import (
    crawls_of_rows,
    editable_crawls,
    owned_crawls,
    visible_crawls,
)
from apps.figures.quantities import number_of
from apps.schemas.numbers import whole_number
from apps.screens.answers import wants_json
from apps.screens.crawls.live_rows import ShownList, changes
from apps.screens.crawls.rows import crawl_rows, tops_of
from apps.screens.crawls.verbs import VERBS, ListAction, carry_out
from apps.topics.definition.lines import storable
from apps.topics.models import Topic

OFFERED_TOPICS = 8
# CSS class and title of the columns before the curves, then of those after them.
HEADS = (
    ("pk", "#"),
    ("what", "Topic, tags, note"),
    ("state-badge", "State"),
    ("set-up", "Strategy and web"),
    ("pages", "Pages"),
)
LAST_HEADS = (("started", "Started"),)


def crawl_list(request: SignedInRequest) -> HttpResponse:
    """The visible crawls, filtered and ordered by the query string, and the person's latest topics,
    for a new crawl."""
    visible = visible_crawls(request.user)
    listing = CrawlListing(visible, CrawlSearch.read(request.GET))
    page = listing.page(request.GET.get("page"))
    crawls = crawls_of_rows(visible).in_bulk(page.object_list)
    rows = crawl_rows([crawls[pk] for pk in page if pk in crawls], request.user)
    curves = tuple(("curve", line.title) for line in rows[0].sparklines) if rows else ()
    topics = Topic.objects.filter(owner=request.user).order_by("-changed_at", "-pk")
    context = {
        "listing": listing,
        "misread": listing.asked.misread(request.GET),
        "page": page,
        "rows": rows,
        "heads": [(css, listing.head(title)) for css, title in (*HEADS, *curves, *LAST_HEADS)],
        "tops": ",".join(f"{top:g}" for top in tops_of(rows)),
        "newest": listing.newest,
        "verbs": VERBS.values(),
        "topics": topics[:OFFERED_TOPICS],
    }
    return render(request, "crawls/list.html", context)


@require_GET
def live_rows(request: SignedInRequest) -> HttpResponse:
    """The differences from the page in the browser, as JSON of `live_rows.Changes`."""
    try:
        asked = ShownList.read(request.GET.dict())
    except (KeyError, ValueError):
        return HttpResponseBadRequest("There is no such page of the list.")
    search = CrawlSearch.read(request.GET)
    return JsonResponse(asdict(changes(request.user, asked, search)))


@require_POST
def act(request: SignedInRequest) -> HttpResponse:
    """Carries out the action `do` on the crawls in `crawl` that the person may edit.

    Crawls to which the action does not apply are skipped. An action that needs confirmation is
    carried out once `sure` is sent. Responds to a script with `{message, refused, undo}` or
    `{ask, button}`, to a browser with the list or a page that asks for confirmation.
    """
    verb = VERBS.get(request.POST.get("do", ""))
    if verb is None:
        return HttpResponseBadRequest("There is no such action.")
    crawls = _crawls_for(request, verb)
    if crawls and verb.asks and not request.POST.get("sure"):
        return _ask(request, verb, crawls)
    value = storable(request.POST.get("value", ""))
    outcome = carry_out(verb, crawls, value, request.user)
    words = outcome.words if crawls else f"{verb.why_not}."
    if wants_json(request):
        return JsonResponse({"message": words, "refused": outcome.refused, "undo": outcome.undo})
    messages.success(request, words)
    for refusal in outcome.refused:
        messages.error(request, refusal)
    return redirect("crawls:list")


def _crawls_for(request: SignedInRequest, verb: ListAction) -> list[Crawl]:
    numbers = map(whole_number, request.POST.getlist("crawl"))
    allowed = (owned_crawls if verb.owners else editable_crawls)(request.user)
    chosen = allowed.filter(pk__in=[*numbers]).order_by("-pk")
    return [crawl for crawl in chosen if verb.applies(crawl)]


def _ask(request: SignedInRequest, verb: ListAction, crawls: list[Crawl]) -> HttpResponse:
    assert verb.asks is not None
    button = f"{verb.title.removesuffix('…')} {number_of(len(crawls), 'crawl')}"
    if wants_json(request):
        return JsonResponse({"ask": verb.asks(crawls), "button": button})
    context = {"verb": verb, "crawls": crawls, "ask": verb.asks(crawls), "button": button}
    return render(request, "crawls/ask.html", context)
