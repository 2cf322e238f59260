"""Selecting pages of a web, splitting them into a topic's parts, and filling in the topic's
form."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from apps.engine.errors import BadWebFile
from apps.figures.quantities import number_of
from apps.screens.topic import editing
from apps.screens.topic.set_aside import waiting_for
from apps.screens.webs.frame import visible_web
from apps.topics.definition.from_pages import (
    LEAST,
    NEGATIVES_A_POSITIVE,
    USES,
    Choice,
    Parts,
    covering_labels,
    definition_of,
    pages_without,
    parts_of,
    uses_of,
)
from apps.topics.selectors import named_pages
from apps.webs.messages import error_words
from apps.webs.models import Web
from apps.webs.pages.filters import PageFilters, read_filters
from apps.webs.pages.misread import misread
from apps.webs.pages.searching import FoundPage, PageIndex

NEEDS = f"A topic needs at least {LEAST} pages: one seed, two examples and one target."
MOST_CHOSEN = 5_000
LARGEST_SEED = 99_999


def numbers(request: HttpRequest, pk: int) -> HttpResponse:
    """The numbers of the pages that a search finds, for selecting them all."""
    web = visible_web(request, pk)
    with _searched(request, web) as index:
        return JsonResponse({"numbers": index.numbers(read_filters(request.GET))[:MOST_CHOSEN]})


@require_POST
def bar(request: HttpRequest, pk: int) -> HttpResponse:
    """The bar above the list: how the selected pages are split, and the future topic; while a form
    waits for pages, only how many are selected."""
    web = visible_web(request, pk)
    with PageIndex(web) as index:
        pages = index.pages(chosen_numbers(request.POST))
        context = {"web": web, "chosen": len(pages), "missing": LEAST - len(pages), "needs": NEEDS,
                   "form_waiting": waiting_for(request, web)}
        if len(pages) >= LEAST and not context["form_waiting"]:
            choice, labels = _choice(web, index, pages, request.POST, request.GET)
            others = len(pages_without(choice, index))
            context |= {
                "choice": choice, "labels": labels, "others": others,
                "negatives": min(others, NEGATIVES_A_POSITIVE * choice.parts.positives),
                "uses": json.dumps(uses_of(choice)), "bars": _bars(choice.parts),
                "short_of": choice.short_of,
                "most": len(pages) - LEAST + 1,
            }
    return render(request, "webs/selection.html", context)


def make(request: HttpRequest, pk: int) -> HttpResponse:
    """The topic form filled in from the selected pages, or from all results of a search."""
    web = visible_web(request, pk)
    data = request.POST if request.method == "POST" else request.GET
    if request.method != "POST" and (wrong := misread(data, read_filters(data))):
        messages.error(request, f"No topic was made. {wrong[0].message}")
        return redirect("webs:web", web.pk)
    try:
        with _searched(request, web) as index:
            wanted = chosen_numbers(data) if request.method == "POST" else _all_found(data, index)
            pages = index.pages(wanted)
            if len(pages) >= LEAST:
                choice, _ = _choice(web, index, pages, data, request.GET)
                if not choice.short_of:
                    return editing.filled(request, definition_of(choice, index))
                messages.error(request, f"Too few pages are left as {choice.short_of}s. {NEEDS}")
                return redirect("webs:web", web.pk)
        chosen = f"{number_of(len(pages), 'page')} {'was' if len(pages) == 1 else 'were'} selected."
        messages.error(request, f"{NEEDS} {chosen}")
    except BadWebFile as error:
        messages.error(request, error_words(error))
    return redirect("webs:web", web.pk)


def _searched(request: HttpRequest, web: Web) -> PageIndex:
    named = named_pages(request.user, web)
    return PageIndex(web, {topic.pk: urls for topic, urls in named.items()})


def _all_found(data: QueryDict, index: PageIndex) -> list[int]:
    return index.numbers(read_filters(data))[:MOST_CHOSEN]


def chosen_numbers(data: QueryDict) -> list[int]:
    """The numbers of pages sent, in the web's own order."""
    sent = [*data.get("pages", "").split(","), *data.getlist("page")]
    found = {number for text in sent if (number := _number(text)) is not None}
    return sorted(found)[:MOST_CHOSEN]


def _choice(
    web: Web, index: PageIndex, pages: Sequence[FoundPage], data: QueryDict, search: QueryDict
) -> tuple[Choice, list[str]]:
    """The choice, and the labels that may be its true label. One is used if it was chosen, here or
    as the only label of the search; the name is its last part, or the words of the search."""
    labels = covering_labels(pages, index.label_counts(PageFilters()))
    filters = read_filters(search)
    sought = filters.labels[0] if len(filters.labels) == 1 else ""
    label = data.get("true_label", sought)
    label = label if label in labels else ""
    name = data.get("name", "").strip() or _last_part(label or sought) or filters.words
    seed = _number(data.get("random_seed", ""))
    by_hand = _by_hand(data.get("by_hand", ""), pages)
    parts = parts_of(
        len(pages), _number(data.get("seeds", "")), _number(data.get("targets", "")), by_hand
    )
    return Choice(
        web, tuple(pages), parts,
        random_seed=secrets.randbelow(LARGEST_SEED) + 1 if seed is None else seed,
        name=name[:200],
        label=label,
        with_negatives="negatives_asked" not in data or "with_negatives" in data,
        by_hand=by_hand,
    ), labels  # fmt: skip


def _by_hand(sent: str, pages: Sequence[FoundPage]) -> dict[int, str]:
    """`3:seed,17:target`, of the pages chosen; what is neither a page nor a use is left out."""
    chosen = {page.number for page in pages}
    pairs = (pair.partition(":") for pair in sent.split(","))
    return {
        number: use
        for text, _, use in pairs
        if use in USES and (number := _number(text)) is not None and number in chosen
    }


def _last_part(label: str) -> str:
    """`Sea birds` of `Biology/Sea_birds`."""
    return label.rstrip("/").rpartition("/")[2].replace("_", " ").strip()


def _bars(parts: Parts) -> list[tuple[str, float, float]]:
    """Each use with the start and width of its part of the bar, in per cent."""
    bars, start = [], 0.0
    of = parts.seeds + parts.positives + parts.targets
    for use, pages in zip(USES, (parts.seeds, parts.positives, parts.targets), strict=True):
        bars.append((use, start, 100 * pages / of))
        start += 100 * pages / of
    return bars


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
