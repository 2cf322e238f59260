"""The search of a collection."""

from __future__ import annotations

import time
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.collection.facets import Facets
from apps.collection.filters.query import Filters, read_filters
from apps.collection.misread import misread
from apps.collection.saved_searches import note_look, saved_search
from apps.collection.scope import Scope, crawl_scope, topic_scope
from apps.collection.selectors import ROWS, host_count, labelled_count, look, page_count
from apps.screens.collection import choices
from apps.screens.collection.downloads import download
from apps.screens.collection.overlap import who_fetched
from apps.screens.collection.rows import rows
from apps.screens.collection.saved import SaveForm
from apps.topics.selectors import editable_topics, visible_topics


def of_topic(request: HttpRequest, pk: int) -> HttpResponse:
    """The pages of all visible crawls of a topic."""
    return _listed(request, topic_scope(request.user, pk))


def of_crawl(request: HttpRequest, pk: int) -> HttpResponse:
    """The pages of one crawl."""
    return _listed(request, crawl_scope(request.user, pk))


def _listed(request: HttpRequest, scope: Scope) -> HttpResponse:
    """The list; its POST saves the search of its address."""
    begun = time.perf_counter()
    filters = read_filters(request.GET)
    form = SaveForm(request.POST or None)
    if request.method == "POST" and form.save(request.user, scope, filters):
        messages.success(request, f"Saved as “{form.cleaned_data['name']}”, with the collections.")
        return redirect(f"{scope.address}?{filters.query()}")
    screen = _screen(request.GET.get("page", ""))
    seen = look(scope, filters, screen)
    hits, counts = seen.hits, seen.facets
    if screen > 1 and not hits.rows:
        return redirect(f"{scope.address}?{filters.query()}")
    saved = saved_search(request.user, scope, filters)
    if saved is not None:
        note_look(saved, hits.totals.found)
    context = {
        "save_form": form,
        "saved": saved,
        "scope": scope,
        "filters": filters,
        "counts": counts,
        "misread": misread(request.GET, filters, scope),
        "rows": (listed := rows(scope, filters, hits.rows, request.user)),
        "can_label": any(row.mine for row in listed),
        "totals": hits.totals,
        "ranked": hits.ranked,
        "pages": sum(crawl.pages for crawl in scope.crawls),
        "overlap": who_fetched(scope, filters) if scope.several else None,
        "different": page_count(scope) if scope.several else None,
        "hosts": host_count(scope),
        "labelled": labelled_count(scope),
        "mine": editable_topics(request.user).filter(pk=scope.topic.pk).exists(),
        "paging": _paging(filters, screen, hits.shown),
        "visible_topic": visible_topics(request.user).filter(pk=scope.topic.pk).exists(),
        **_offered(scope, filters, counts),
        "seconds": time.perf_counter() - begun,
    }
    return render(request, "collection/list.html", context)


def _offered(scope: Scope, filters: Filters, counts: Facets) -> dict[str, Any]:
    shown = choices.panels(scope, filters, counts)
    return {
        "panels": shown,
        "fields_above": choices.fields_above(shown),
        "orders": choices.orders(scope, filters),
        "chips": choices.chips(scope, filters),
        "download": download(scope, filters, counts),
    }


def _paging(filters: Filters, screen: int, shown: int) -> dict[str, Any]:
    last = max(1, -(-shown // ROWS))
    query = filters.query()
    return {
        "first": ROWS * (screen - 1) + 1,
        "last": min(shown, ROWS * screen),
        "previous": f"?{query}&page={screen - 1}" if screen > 1 else "",
        "next": f"?{query}&page={screen + 1}" if screen < last else "",
    }


def _screen(text: str) -> int:
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 8 else 1
