"""Labelling all pages of a search, and taking the labels back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.collection.labelling import label_matches, labellings, take_back
from apps.collection.models import BulkLabelling
from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.figures.quantities import count, number_of
from apps.schemas.refused import Refused

UNDO = "undo"
LABELS = {True: "labelled y", False: "labelled n", None: "without a label"}


@require_POST
def label_topic(request: SignedInRequest, pk: int) -> HttpResponse:
    """Labels the pages of a search of a topic's collection, or takes the last labels back."""
    return _label(request, search_topic(request.user, pk, request.GET))


@require_POST
def label_crawl(request: SignedInRequest, pk: int) -> HttpResponse:
    """Labels the pages of a search of a crawl's collection, or takes the last labels back."""
    return _label(request, search_crawl(request.user, pk, request.GET))


def _label(request: SignedInRequest, search: CollectionSearch) -> HttpResponse:
    value = request.POST.get("value", "")
    last = labellings(request.user, search).first()
    try:
        if wrong := search.misread(request.GET):
            raise Refused(wrong[0].field, wrong[0].message)
        if value != UNDO:
            label_matches(request.user, search, value)
        elif last is not None:
            take_back(last)
    except Refused as refusal:
        messages.error(request, f"No label was changed. {refusal.message}")
    return redirect(f"{search.context.address}?{search.query()}")


def labelling_words(job: BulkLabelling) -> str:
    """`40 of 1,234 pages labelled y`, and how many could not be."""
    pages = job.page_count
    changed = job.done - job.refused
    part = f"{count(changed)} of " if job.is_under_way or changed < pages else ""
    done = "with the labels of before" if job.undone else LABELS[job.relevant]
    refused = f"; {count(job.refused)} could not be changed" if job.refused else ""
    return f"{part}{number_of(pages, 'page')} {done}{refused}"
