"""The page after sign-in, the preparation of the demo, and another demo crawl."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.guide import guide_of, hide_guide, note_step
from apps.accounts.requests import SignedInRequest
from apps.crawls.errors import CrawlRefused
from apps.crawls.first_crawl import (
    STRATEGY,
    being_made,
    demo_crawl,
    has_failed,
    preparation,
    start_demo_crawl,
    try_again,
)
from apps.crawls.models import Crawl
from apps.topics.models import Topic


def home(request: SignedInRequest) -> HttpResponse:
    """Redirects people with their own topics to these, a new owner to the demo crawl."""
    if Topic.objects.filter(owner=request.user, is_demo=False).exists():
        return redirect("topics:list")
    crawl = demo_crawl(request.user)
    if crawl is not None:
        return redirect("live:crawl", crawl.pk)
    is_coming = being_made().exists() or has_failed().exists()
    if request.user.is_superuser and is_coming:
        return redirect("first_run:preparing")
    return redirect("topics:list")


def preparing(request: SignedInRequest) -> HttpResponse:
    """The steps of the preparation, for the person whose demo is made; the script fetches them
    (`X-Piece`) until `data-crawl` is set."""
    if not request.user.is_superuser:
        raise PermissionDenied
    context = {
        "steps": preparation(),
        "crawl": demo_crawl(request.user),
        "has_failed": has_failed().exists(),
        "failure": _failure(),
        "is_coming": being_made().exists(),
    }
    is_piece = "X-Piece" in request.headers
    return render(request, f"first_run/{'steps' if is_piece else 'preparing'}.html", context)


def _failure() -> str:
    """Why the demo could not be made; empty if it did not fail or the reason is unknown."""
    try:
        return has_failed().read_text().rstrip(".")
    except OSError:
        return ""


@require_POST
def make_again(request: SignedInRequest) -> HttpResponse:
    """Tries once more to make the demo."""
    if not request.user.is_superuser:
        raise PermissionDenied
    try_again()
    return redirect("first_run:preparing")


@require_POST
def guide(request: SignedInRequest) -> HttpResponse:
    """Records a finished `step` of the first ten minutes or that they are `hidden`; returns what is
    done."""
    if "hidden" in request.POST:
        hide_guide(request.user, bool(request.POST["hidden"]))
    if "step" in request.POST:
        try:
            note_step(request.user, request.POST["step"])
        except ValueError as error:
            raise BadRequest(f"There is no step {error}.") from error
    return JsonResponse(guide_of(request.user))


@require_POST
def again(request: SignedInRequest) -> HttpResponse:
    """Starts another demo crawl of the owner's topic, with the given `strategy`."""
    topic = get_object_or_404(Topic, owner=request.user, is_demo=True)
    before = Crawl.objects.filter(topic=topic).order_by("-pk").first()
    web = topic.web if before is None else before.web
    if web is None:
        raise Http404
    try:
        crawl = start_demo_crawl(topic, web, request.POST.get("strategy", STRATEGY))
    except CrawlRefused as refusal:
        messages.error(request, refusal.message)
        return redirect("topic:detail", topic.pk)
    note_step(request.user, "again")
    return redirect("live:crawl", crawl.pk)
