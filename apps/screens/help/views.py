"""Pages of the help."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from apps.accounts.requests import SignedInRequest
from apps.crawls.commands.catalogue import COMMANDS
from apps.screens.help import codes
from apps.screens.help.catalogue import (
    measure_help,
    measures,
    report_measures,
    strategies,
    strategy_help,
)
from apps.screens.help.glossary import TERMS
from apps.screens.help.reference import reference
from apps.screens.help.screens import SCREENS, screen_help
from apps.screens.help.searching import find
from apps.screens.help.vocabulary import vocabularies

LONGEST_QUERY = 200


def index(request: SignedInRequest) -> HttpResponse:
    """All help pages, or the results of a search."""
    query = " ".join(request.GET.get("q", "").split())[:LONGEST_QUERY]
    context = {
        "query": query,
        "hits": find(query),
        "screens": SCREENS,
        "strategies": strategies(),
        "measures": measures(),
    }
    return render(request, "help/index.html", context)


def screen(request: SignedInRequest, slug: str) -> HttpResponse:
    """The help of one screen."""
    help_page = screen_help(slug)
    if help_page is None:
        raise Http404
    return render(
        request,
        "help/screen.html",
        {
            "screen": help_page,
            "screens": SCREENS,
            "commands": COMMANDS.values(),
        },
    )


def strategy(request: SignedInRequest, id: str) -> HttpResponse:
    """One strategy, from its docstring."""
    help_page = strategy_help(id)
    if help_page is None:
        raise Http404
    return render(
        request, "help/strategy.html", {"help_page": help_page, "strategies": strategies()}
    )


def measure(request: SignedInRequest, id: str) -> HttpResponse:
    """One measure, from its docstrings."""
    help_page = measure_help(id)
    if help_page is None:
        raise Http404
    context = {"help_page": help_page, "measures": measures(), "report_measures": report_measures()}
    return render(request, "help/measure.html", context)


def code_list(request: SignedInRequest) -> HttpResponse:
    """The meaning of the words on the screens."""
    groups = (
        ("States of a crawl", codes.states()),
        ("Reasons", codes.reasons()),
        ("Requests that gave no page", codes.failures()),
        ("Excluded links", codes.exclusions()),
        ("What strategies need", codes.needs()),
    )
    return render(request, "help/codes.html", {"groups": groups})


def glossary(request: SignedInRequest) -> HttpResponse:
    """The glossary."""
    return render(request, "help/glossary.html", {"terms": TERMS})


def vocabulary(request: SignedInRequest) -> HttpResponse:
    """Every registered name with its sentence."""
    return render(request, "help/vocabulary.html", {"vocabularies": vocabularies()})


def api(request: SignedInRequest) -> HttpResponse:
    """Every operation of the API, from its own description."""
    address = request.build_absolute_uri("/").rstrip("/")
    return render(request, "help/api.html", {"groups": reference(), "address": address})
