"""The list of crawls, its live updates, and bulk actions."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from apps.crawls.models import Crawl
from apps.crawls.selectors import editable_crawls, owned_crawls, visible_crawls
from apps.figures.quantities import number_of
from apps.schemas.numbers import whole_number
from apps.screens.answers import wants_json
from apps.screens.crawls.index import listed
from apps.screens.crawls.listing import Filters, Listing
from apps.screens.crawls.live_rows import Asked, changes
from apps.screens.crawls.rows import crawl_rows, tops_of
from apps.screens.crawls.verbs import VERBS, Verb, carry_out
from apps.topics.definition.lines import storable
from apps.topics.models import Topic

ROWS = 25
OFFERED_TOPICS = 8
# The classes and words of the heads before and after the curves.
HEADS = (("pk", "#"), ("what", "Topic, tags, note"), ("state-badge", "State"),
         ("set-up", "Strategy and web"), ("pages", "Pages"))  # fmt: skip
LAST_HEADS = (("started", "Started"),)


def crawl_list(request: HttpRequest) -> HttpResponse:
    """The visible crawls, filtered and ordered by the address, and the person's topics to start
    another one with."""
    visible = visible_crawls(request.user)
    listing = Listing(list(listed(visible)), Filters.read(request.GET.dict()))
    page = Paginator(listing.shown, ROWS).get_page(request.GET.get("page"))
    shown = visible.in_bulk([crawl.pk for crawl in page.object_list])
    rows = crawl_rows([shown[crawl.pk] for crawl in page.object_list], request.user)
    curves = tuple(("curve", line.title) for line in rows[0].sparklines) if rows else ()
    topics = Topic.objects.filter(owner=request.user).order_by("-changed_at", "-pk")
    context = {
        "listing": listing,
        "misread": Filters.misread(request.GET.dict()),
        "page": page,
        "rows": rows,
        "heads": [(css, listing.head(said)) for css, said in (*HEADS, *curves, *LAST_HEADS)],
        "tops": ",".join(f"{top:g}" for top in tops_of(rows)),
        "newest": max((crawl.pk for crawl in listing.all), default=0),
        "verbs": VERBS.values(),
        "topics": topics[:OFFERED_TOPICS],
    }
    return render(request, "crawls/list.html", context)


@require_GET
def live_rows(request: HttpRequest) -> HttpResponse:
    """The differences from the page in the browser, as JSON of `live_rows.Changes`."""
    try:
        asked = Asked.read(request.GET.dict())
    except (KeyError, ValueError):
        return HttpResponseBadRequest("There is no such page of the list.")
    filters = Filters.read(request.GET.dict())
    return JsonResponse(asdict(changes(request.user, asked, filters)))


@require_POST
def act(request: HttpRequest) -> HttpResponse:
    """Applies the action `do` to the crawls in `crawl` that one may edit and it applies to.

    An action that asks first is carried out once `sure` is sent. Responds to a script with `{said,
    refused, undo}` or `{ask, button}`, to a browser with the list or a page that asks.
    """
    verb = VERBS.get(request.POST.get("do", ""))
    if verb is None:
        return HttpResponseBadRequest("There is no such verb.")
    crawls = _chosen(request, verb)
    if crawls and verb.asks and not request.POST.get("sure"):
        return _ask(request, verb, crawls)
    value = storable(request.POST.get("value", ""))
    outcome = carry_out(verb, crawls, value, request.user)
    said = outcome.said if crawls else f"{verb.why_not}."
    if wants_json(request):
        return JsonResponse({"said": said, "refused": outcome.refused, "undo": outcome.undo})
    messages.success(request, said)
    for refusal in outcome.refused:
        messages.error(request, refusal)
    return redirect("crawls:list")


def _chosen(request: HttpRequest, verb: Verb) -> list[Crawl]:
    numbers = map(whole_number, request.POST.getlist("crawl"))
    allowed = (owned_crawls if verb.owners else editable_crawls)(request.user)
    chosen = allowed.filter(pk__in=[*numbers]).order_by("-pk")
    return [crawl for crawl in chosen if verb.applies(crawl)]


def _ask(request: HttpRequest, verb: Verb, crawls: list[Crawl]) -> HttpResponse:
    assert verb.asks is not None
    button = f"{verb.title.removesuffix('…')} {number_of(len(crawls), 'crawl')}"
    if wants_json(request):
        return JsonResponse({"ask": verb.asks(crawls), "button": button})
    context = {"verb": verb, "crawls": crawls, "ask": verb.asks(crawls), "button": button}
    return render(request, "crawls/ask.html", context)
