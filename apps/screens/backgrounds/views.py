"""The list of backgrounds with the form to build another, one background, and its verbs."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.background_sources import services
from apps.background_sources.sources.catalogue import SOURCES
from apps.backgrounds.models import Background
from apps.backgrounds.selectors import owned_backgrounds, visible_backgrounds
from apps.experiments.results.crawls.background_pairs import background_pairs, pairs_words
from apps.schemas.refused import Refused
from apps.screens.backgrounds.forms import BackgroundForm
from apps.screens.backgrounds.rows import background_row, background_rows
from apps.topics.selectors import visible_topics

ROWS = 25


def backgrounds(request: SignedInRequest) -> HttpResponse:
    """The backgrounds a person may use; the POST builds another of the source in the address."""
    sources = services.buildable()
    source = sources.get(request.GET.get("source", ""), next(iter(sources.values())))
    given = (request.POST, request.FILES) if request.method == "POST" else ()
    form = BackgroundForm(source, request.user, *given)
    if request.method == "POST" and form.is_valid() and (made := form.make()) is not None:
        messages.success(
            request, f"{made.name} is being built. Choose it on a topic’s page when it is ready."
        )
        return redirect("backgrounds:list")
    page = Paginator(visible_backgrounds(request.user), ROWS).get_page(request.GET.get("page"))
    return render(
        request,
        "backgrounds/list.html",
        {
            "page": page,
            "rows": background_rows(page, request.user),
            "sources": sources.values(),
            "source": source,
            "form": form,
        },
    )


def background(request: SignedInRequest, pk: int) -> HttpResponse:
    """One background with its versions, the topics that use it, and what it did for crawls."""
    row = get_object_or_404(visible_backgrounds(request.user), pk=pk)
    pairs = background_pairs(row, request.user)
    return render(
        request,
        "backgrounds/background.html",
        {
            "background": row,
            "row": background_row(row, request.user),
            "source": SOURCES[row.source],
            "versions": row.versions.all(),
            "pairs": pairs,
            "pairs_words": pairs_words(pairs),
            "topics": visible_topics(request.user).filter(background=row).order_by("name"),
        },
    )


@require_POST
def build(request: SignedInRequest, pk: int) -> HttpResponse:
    """Builds another version; the present one serves until it is ready."""
    background = _owned_background(request, pk)
    try:
        services.build_again(background, request.FILES.get("file"))
    except Refused as refused:
        messages.error(request, f"{background.name} is not built again. {refused.message}")
    return _back(request, background)


@require_POST
def cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ends the building under way."""
    background = _owned_background(request, pk)
    try:
        services.cancel(background)
        messages.success(request, f"{background.name}: cancelled.")
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("backgrounds:list")


def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks for confirmation; the POST deletes."""
    background = _owned_background(request, pk)
    if request.method == "POST":
        services.delete_background(background)
        messages.success(request, f"{background.name} is deleted.")
        return redirect("backgrounds:list")
    return render(
        request,
        "backgrounds/delete.html",
        {
            "background": background,
            "topics": background.topics.count(),
            "versions": background.versions.count(),
        },
    )


def _back(request: SignedInRequest, background: Background) -> HttpResponse:
    """To the page of this site that the form names, else to that of the background."""
    wanted = request.POST.get("next", "")
    if wanted and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return redirect(wanted)
    return redirect(reverse("backgrounds:background", args=[background.pk]))


def _owned_background(request: SignedInRequest, pk: int) -> Background:
    return get_object_or_404(owned_backgrounds(request.user), pk=pk)
