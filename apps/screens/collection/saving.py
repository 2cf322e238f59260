"""Renaming, watching and removing saved searches."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.collection.models import SavedSearch
from apps.collection.saved_searches.searches import remove_search, rename_search, restore_search
from apps.collection.saved_searches.watched import stop_watching, watch_search
from apps.schemas.refused import Refused
from apps.screens.collection.index import REMOVED, home


@require_POST
def rename(request: SignedInRequest, pk: int) -> HttpResponse:
    """Gives a search another name; an invalid one is shown again with its errors."""
    search, name = _search_of(request, pk), request.POST.get("name", "")
    try:
        rename_search(search, name)
    except Refused as refused:
        return home(request, {pk: (name, refused.message)})
    messages.success(request, f"Renamed to “{search.name}”.")
    return redirect("collection:home")


@require_POST
def watch(request: SignedInRequest, pk: int) -> HttpResponse:
    """Watches a search, or with `on` 0 not any more; goes back to the watch of its topic if the
    button stood there."""
    search = _search_of(request, pk)
    try:
        if request.POST.get("on") == "1":
            watch_search(search)
            words = f"“{search.name}” is watched: digests say which new pages it matches."
        else:
            stop_watching(search)
            words = f"“{search.name}” is not watched any more."
        messages.success(request, words)
    except Refused as refused:
        messages.error(request, refused.message)
    if request.POST.get("back") == "watch" and search.topic_id:
        return redirect(f"{reverse('watch:topic', args=[search.topic_id])}#searches")
    return redirect(f"{reverse('collection:home')}#saved-searches")


@require_POST
def remove(request: SignedInRequest, pk: int) -> HttpResponse:
    """Removes a search and offers to bring it back."""
    request.session[REMOVED] = remove_search(_search_of(request, pk))
    return redirect(f"{reverse('collection:home')}?removed=1#saved-searches")


@require_POST
def restore(request: SignedInRequest) -> HttpResponse:
    """Brings back the search that was removed last; does nothing a second time."""
    removed = request.session.get(REMOVED)
    if removed is not None:
        try:
            search = restore_search(request.user, removed)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect(f"{reverse('collection:home')}?removed=1#saved-searches")
        del request.session[REMOVED]
        messages.success(request, f"“{search.name}” is back.")
    return redirect("collection:home")


def _search_of(request: SignedInRequest, pk: int) -> SavedSearch:
    return get_object_or_404(SavedSearch, owner=request.user, pk=pk)
