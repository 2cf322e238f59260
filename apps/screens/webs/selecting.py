"""Selecting pages of a web, splitting them into a topic's parts, and filling in the topic's
form."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.figures.quantities import number_of
from apps.screens.topic import editing
from apps.screens.topic.set_aside import waiting_for
from apps.screens.webs.frame import being_indexed, visible_web
from apps.topics.definition.from_pages import (
    LEAST,
    NEGATIVES_A_POSITIVE,
    USES,
    PageSelection,
    UseCounts,
    covering_labels,
    definition_of,
    pages_without,
    parts_of,
    uses_of,
)
from apps.topics.selectors import named_pages
from apps.webs.models import Web
from apps.webs.pages.filters.label import LABEL
from apps.webs.pages.filters.topic import TOPIC
from apps.webs.pages.search import PageSearch
from apps.webs.pages.searching import PageIndex

NEEDS = f"A topic needs at least {LEAST} pages: one seed, two examples and one target."
MOST_CHOSEN = 5_000
LARGEST_SEED = 99_999


def numbers(request: SignedInRequest, pk: int) -> HttpResponse:
    """The numbers of the pages that a search finds, for selecting them all."""
    web = visible_web(request, pk)
    if problem := being_indexed(web):
        return JsonResponse({"message": problem}, status=422)
    with _searched(request, web) as index:
        return JsonResponse({"numbers": _all_matching(request.GET, index)})


@require_POST
def bar(request: SignedInRequest, pk: int) -> HttpResponse:
    """The bar above the list: how the selected pages are split, and the future topic; while a form
    waits for pages, only how many are selected."""
    web = visible_web(request, pk)
    if problem := being_indexed(web):
        return JsonResponse({"message": problem}, status=422)
    with PageIndex(web) as index:
        pages = index.addresses(chosen_numbers(request.POST))
        context = {
            "web": web,
            "chosen": len(pages),
            "missing": LEAST - len(pages),
            "needs": NEEDS,
            "form_waiting": waiting_for(request, web),
        }
        if len(pages) >= LEAST and not context["form_waiting"]:
            choice, labels = _choice(web, index, pages, request.POST, request.GET)
            others = len(pages_without(choice, index))
            context |= {
                "choice": choice,
                "labels": labels,
                "others": others,
                "negatives": min(others, NEGATIVES_A_POSITIVE * choice.parts.positives),
                "uses": json.dumps(uses_of(choice)),
                "bars": _bars(choice.parts),
                "short_of": choice.short_of,
                "most": len(pages) - LEAST + 1,
            }
    return render(request, "webs/selection.html", context)


def make(request: SignedInRequest, pk: int) -> HttpResponse:
    """The topic form filled in from the selected pages, or from all results of a search."""
    web = visible_web(request, pk)
    data = request.POST if request.method == "POST" else request.GET
    if request.method != "POST" and (wrong := PageSearch.read(data).misread(data)):
        messages.error(request, f"No topic was made. {wrong[0].message}")
        return redirect("webs:web", web.pk)
    if problem := being_indexed(web):
        messages.error(request, f"No topic was made. {problem}")
        return redirect("webs:web", web.pk)
    with _searched(request, web) as index:
        wanted = chosen_numbers(data) if request.method == "POST" else _all_matching(data, index)
        pages = index.addresses(wanted)
        if len(pages) >= LEAST:
            choice, _ = _choice(web, index, pages, data, request.GET)
            if not choice.short_of:
                return editing.filled(request, definition_of(choice, index))
            messages.error(request, f"Too few pages are left as {choice.short_of}s. {NEEDS}")
            return redirect("webs:web", web.pk)
    chosen = f"{number_of(len(pages), 'page')} {'was' if len(pages) == 1 else 'were'} selected."
    messages.error(request, f"{NEEDS} {chosen}")
    return redirect("webs:web", web.pk)


def _searched(request: SignedInRequest, web: Web) -> PageIndex:
    """The index, with the pages that topics name if the search is by topics."""
    by_topics = PageSearch.read(request.GET).of(TOPIC)
    named = named_pages(request.user, web) if by_topics else {}
    return PageIndex(web, {topic.pk: urls for topic, urls in named.items()})


def _all_matching(data: QueryDict, index: PageIndex) -> list[int]:
    return index.numbers(PageSearch.read(data), MOST_CHOSEN)


def chosen_numbers(data: QueryDict) -> list[int]:
    """The numbers of pages sent, in the web's own order."""
    sent = [*data.get("pages", "").split(","), *data.getlist("page")]
    numbers = {number for text in sent if (number := _number(text)) is not None}
    return sorted(numbers)[:MOST_CHOSEN]


def _choice(
    web: Web, index: PageIndex, pages: Mapping[int, str], data: QueryDict, search: QueryDict
) -> tuple[PageSelection, list[str]]:
    """The choice, and the labels that may be its true label. One is used if it was chosen, here or
    as the only label of the search; the name is its last part, or the words of the search."""
    labels = covering_labels(len(pages), index.labels_of(pages), index.label_counts())
    asked = PageSearch.read(search)
    labels_asked = asked.of(LABEL)
    sought = labels_asked[0] if len(labels_asked) == 1 else ""
    label = data.get("true_label", sought)
    label = label if label in labels else ""
    name = data.get("name", "").strip() or _last_part(label or sought) or asked.words
    seed = _number(data.get("random_seed", ""))
    by_hand = _by_hand(data.get("by_hand", ""), pages)
    parts = parts_of(
        len(pages), _number(data.get("seeds", "")), _number(data.get("targets", "")), by_hand
    )
    return PageSelection(
        web,
        pages,
        parts,
        random_seed=secrets.randbelow(LARGEST_SEED) + 1 if seed is None else seed,
        name=name[:200],
        label=label,
        with_negatives="negatives_asked" not in data or "with_negatives" in data,
        by_hand=by_hand,
    ), labels


def _by_hand(sent: str, pages: Mapping[int, str]) -> dict[int, str]:
    """`3:seed,17:target`, of the pages chosen; what is neither a page nor a use is left out."""
    pairs = (pair.partition(":") for pair in sent.split(","))
    return {
        number: use
        for text, _, use in pairs
        if use in USES and (number := _number(text)) is not None and number in pages
    }


def _last_part(label: str) -> str:
    """`Sea birds` of `Biology/Sea_birds`."""
    return label.rstrip("/").rpartition("/")[2].replace("_", " ").strip()


def _bars(parts: UseCounts) -> list[tuple[str, float, float]]:
    """Each use with the start and width of its part of the bar, in per cent."""
    bars, start = [], 0.0
    of = parts.seeds + parts.positives + parts.targets
    for use, pages in zip(USES, (parts.seeds, parts.positives, parts.targets), strict=True):
        bars.append((use, start, 100 * pages / of))
        start += 100 * pages / of
    return bars


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
