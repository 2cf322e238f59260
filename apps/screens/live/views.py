"""The live page of a crawl and its controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.commands.lifecycle.delete import delete as delete_crawl
from apps.crawls.commands.lifecycle.delete import loss
from apps.crawls.commands.scope.exclude_pattern import preview as matches
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.crawls.selectors import editable_crawls, owned_crawls, visible_crawls
from apps.schemas.refused import Refused
from apps.screens.answers import wants_json
from apps.screens.live.context import live_context
from apps.screens.stale_text import ChangedMeanwhile, refuse_stale
from apps.topics.definition.lines import storable


def live(request: SignedInRequest, pk: int) -> HttpResponse:
    """A crawl as it runs."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    return render(request, "live/crawl.html", live_context(crawl, request.user))


ANNOTATIONS: Mapping[str, Callable[[Crawl], str]] = {
    "name": lambda crawl: crawl.name,
    "note": lambda crawl: crawl.note,
    "tags": lambda crawl: ", ".join(crawl.tags),
}
"""Texts that two people may write; by the name of the command."""


@require_POST
def action(request: SignedInRequest, pk: int) -> HttpResponse:
    """Carries out `action` (with its `value`, if any); for people who may steer.

    Responds to a script (`Accept: application/json`) with `{ok, field, message}`, to a browser with
    the live page. The message is empty if the page shows the effect anyway.
    """
    crawl = get_object_or_404(editable_crawls(request.user), pk=pk)
    command = COMMANDS.get(request.POST.get("action", ""))
    try:
        if command is None:
            raise CrawlRefused("action", "There is no such action.")
        if command.name in ANNOTATIONS:
            refuse_stale(request.POST, command.name, ANNOTATIONS[command.name](crawl))
        message = command.act(crawl, storable(request.POST.get("value", "")), request.user)
    except ChangedMeanwhile as changed:
        return _refused(request, crawl, changed, present=changed.present)
    except CrawlRefused as refusal:
        return _refused(request, crawl, refusal)
    if wants_json(request):
        return JsonResponse({"ok": True, "message": message})
    if message:
        messages.success(request, message)
    return redirect("live:crawl", crawl.pk)


def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks for confirmation, listing what is deleted; the POST deletes."""
    crawl = get_object_or_404(owned_crawls(request.user), pk=pk)
    if request.method == "POST":
        try:
            delete_crawl(crawl)
        except CrawlRefused as refusal:
            return _refused(request, crawl, refusal)
        messages.success(request, f"Crawl {pk} is deleted.")
        return redirect("crawls:list")
    return render(request, "live/delete.html", {"crawl": crawl, "loss": loss(crawl)})


def preview(request: SignedInRequest, pk: int) -> HttpResponse:
    """The links of the frontier that `pattern` would exclude, as HTML."""
    crawl = get_object_or_404(editable_crawls(request.user), pk=pk)
    pattern = request.GET.get("pattern", "")
    try:
        context = {"pattern": pattern, "preview": matches(crawl, pattern)}
    except CrawlRefused as refusal:
        context = {"refusal": refusal.message}
    return render(request, "live/preview.html", context)


def _refused(request: SignedInRequest, crawl: Crawl, refusal: Refused, **more: str) -> HttpResponse:
    if wants_json(request):
        answer = {"ok": False, "field": refusal.field, "message": refusal.message, **more}
        return JsonResponse(answer)
    messages.error(request, refusal.message)
    return redirect("live:crawl", crawl.pk)
