"""The search of a collection."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.accounts.requests import SignedInRequest
from apps.collection.facets import Facets
from apps.collection.filters.near import NearPanel
from apps.collection.labelling import recent_labelling
from apps.collection.saved_searches.searches import note_look, saved_search
from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.collection.selectors import ROWS, host_count, labelled_count, look
from apps.collection.shared_pages.overlap import overlap
from apps.crawls.labels.precision import precision
from apps.screens.collection.downloads import download
from apps.screens.collection.labelling import labelling_words
from apps.screens.collection.near import like_address
from apps.screens.collection.overlap import who_fetched
from apps.screens.collection.positions import position_query
from apps.screens.collection.rows import CollectionRow, rows
from apps.screens.collection.saved import SaveForm
from apps.search.panels import Bounds, Dates, Panel
from apps.topics.selectors import editable_topics, visible_topics


def of_topic(request: SignedInRequest, pk: int) -> HttpResponse:
    """The pages of all visible crawls of a topic."""
    return _list(request, search_topic(request.user, pk, request.GET))


def of_crawl(request: SignedInRequest, pk: int) -> HttpResponse:
    """The pages of one crawl."""
    return _list(request, search_crawl(request.user, pk, request.GET))


def _list(request: SignedInRequest, search: CollectionSearch) -> HttpResponse:
    """The list; its POST saves the search of its address."""
    begun = time.perf_counter()
    searched = search.context
    form = SaveForm(request.POST or None)
    if request.method == "POST" and form.save(request.user, search):
        messages.success(request, f"Saved as “{form.cleaned_data['name']}”, with the collections.")
        return redirect(f"{searched.address}?{search.query()}")
    screen = _screen(request.GET.get("page", ""))
    seen = look(search, screen)
    hits, counts = seen.hits, seen.facets
    if screen > 1 and not hits.rows:
        return redirect(f"{searched.address}?{search.query()}")
    saved = saved_search(request.user, search)
    if saved is not None:
        note_look(saved, hits.totals.pages)
    context = {
        "save_form": form,
        "saved": saved,
        "searched": searched,
        "search": search,
        "counts": counts,
        "misread": search.misread(request.GET),
        "rows": (listed := _with_positions(search, screen, rows(search, hits.rows, request.user))),
        "can_label": any(row.mine for row in listed),
        "totals": hits.totals,
        "ranked": hits.ranked,
        "pages": sum(crawl.pages for crawl in searched.crawls),
        **_contents(search),
        "precision": precision(searched.crawls[0]) if len(searched.crawls) == 1 else None,
        "mine": editable_topics(request.user).filter(pk=searched.topic.pk).exists(),
        "paging": _paging(search, screen, hits.number_listed),
        "visible_topic": searched.only is None
        or visible_topics(request.user).filter(pk=searched.topic.pk).exists(),
        **_controls(search, counts),
        **_labelling(request, search),
        "seconds": time.perf_counter() - begun,
    }
    return render(request, "collection/list.html", context)


def _contents(search: CollectionSearch) -> dict[str, Any]:
    """What the searched crawls hold: different pages, hosts, labelled pages, and who fetched
    what."""
    searched = search.context
    hosts = host_count(searched.crawl_ids)
    if not searched.several:
        labelled = labelled_count(searched)
        return {"overlap": None, "different": None, "hosts": hosts, "labelled": labelled}
    counted = overlap(searched.topic, searched.crawl_ids, searched.sets)
    return {
        "overlap": who_fetched(search, counted),
        "different": counted.together.pages,
        "hosts": hosts,
        "labelled": counted.together.labelled,
    }


def _with_positions(
    search: CollectionSearch, screen: int, listed: Sequence[CollectionRow]
) -> list[CollectionRow]:
    """The rows, each with what names its position in the search to the page's screen."""
    first = ROWS * (screen - 1) + 1
    return [replace(row, query=position_query(search, at)) for at, row in enumerate(listed, first)]


def _labelling(request: SignedInRequest, search: CollectionSearch) -> dict[str, Any]:
    """Where all pages of the search are labelled, and what has become of the last labelling."""
    searched, job = search.context, recent_labelling(request.user, search)
    name, key = ("crawl", searched.only.pk) if searched.only else ("topic", searched.topic.pk)
    return {
        "labelling": job,
        "labelling_words": labelling_words(job) if job else "",
        "label_address": reverse(f"collection:label_{name}", args=[key]) + f"?{search.query()}",
    }


def _controls(search: CollectionSearch, counts: Facets) -> dict[str, Any]:
    panels = search.panels(counts.counts)
    return {
        "panels": panels,
        "fields_above": _fields_above(search, panels),
        "orders": search.offered_orders(),
        "like_address": like_address(search),
        "chips": search.chips(),
        "download": download(search, counts),
    }


def _fields_above(search: CollectionSearch, panels: Iterable[Panel]) -> list[str]:
    """The parameters whose errors are listed above the list: all but those typed in beside it."""
    typed = (panel for panel in panels if isinstance(panel, Bounds | Dates | NearPanel))
    beside = {name for panel in typed for name in panel.names}
    every = [field.name for filter in search.filters for field in filter.fields]
    return [name for name in ["q", *every, "order"] if name not in beside]


def _paging(search: CollectionSearch, screen: int, shown: int) -> dict[str, Any]:
    last = max(1, -(-shown // ROWS))
    query = search.query()
    return {
        "first": ROWS * (screen - 1) + 1,
        "last": min(shown, ROWS * screen),
        "previous": f"?{query}&page={screen - 1}" if screen > 1 else "",
        "next": f"?{query}&page={screen + 1}" if screen < last else "",
    }


def _screen(text: str) -> int:
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 8 else 1
