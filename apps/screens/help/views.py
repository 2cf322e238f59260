"""Pages of the help."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

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


def index(request: HttpRequest) -> HttpResponse:
    """All help pages, or the results of a search."""
    query = " ".join(request.GET.get("q", "").split())[:LONGEST_QUERY]
    context = {
        "query": query,
        "found": find(query),
        "screens": SCREENS,
        "strategies": strategies(),
        "measures": measures(),
    }
    return render(request, "help/index.html", context)


def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """The help of one screen."""
    found = screen_help(slug)
    if found is None:
        raise Http404
    return render(request, "help/screen.html", {
        "screen": found, "screens": SCREENS, "commands": COMMANDS.values(),
    })


def strategy(request: HttpRequest, id: str) -> HttpResponse:
    """One strategy, from its docstring."""
    found = strategy_help(id)
    if found is None:
        raise Http404
    return render(request, "help/strategy.html", {"found": found, "strategies": strategies()})


def measure(request: HttpRequest, id: str) -> HttpResponse:
    """One measure, from its docstrings."""
    found = measure_help(id)
    if found is None:
        raise Http404
    context = {"found": found, "measures": measures(), "report_measures": report_measures()}
    return render(request, "help/measure.html", context)


def code_list(request: HttpRequest) -> HttpResponse:
    """The meaning of the words on the screens."""
    groups = (
        ("States of a crawl", codes.states()),
        ("Reasons", codes.reasons()),
        ("Requests that gave no page", codes.failures()),
        ("Excluded links", codes.exclusions()),
        ("What strategies need", codes.needs()),
    )
    return render(request, "help/codes.html", {"groups": groups})


def glossary(request: HttpRequest) -> HttpResponse:
    """The glossary."""
    return render(request, "help/glossary.html", {"terms": TERMS})


def vocabulary(request: HttpRequest) -> HttpResponse:
    """Every registered name with its sentence."""
    return render(request, "help/vocabulary.html", {"vocabularies": vocabularies()})


def api(request: HttpRequest) -> HttpResponse:
    """Every operation of the API, from its own description."""
    address = request.build_absolute_uri("/").rstrip("/")
    return render(request, "help/api.html", {"groups": reference(), "address": address})
