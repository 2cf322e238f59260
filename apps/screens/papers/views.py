"""Repeat a paper: choosing a web and sizes, one press for each protocol, and the states."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.requests import SignedInRequest
from apps.engine.errors import EngineError
from apps.figures.quantities import number_of
from apps.papers.services import MOST, repeat, repeat_all, visible_runs
from apps.papers.setting_up import Sizes
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.papers.rows import legend, paper_rows
from apps.screens.stamps import changed_pieces
from apps.webs.labels import label_counts
from apps.webs.models import Web
from apps.webs.selectors import recorded_webs

SIZES = ("topics", "pages")


@require_GET
def papers(request: SignedInRequest) -> HttpResponse:
    """The papers' protocols on the web and with the sizes of the address."""
    return _page(request, request.GET.dict())


@require_GET
def states(request: SignedInRequest) -> HttpResponse:
    """The states of the protocols that differ from those in the browser."""
    web, sizes = _web(request, request.GET.dict()), _sizes(request.GET.dict())[0]
    papers = paper_rows(visible_runs(request.user), web, sizes)
    drawn = (row.piece() for paper in papers for row in paper.rows)
    return JsonResponse({"pieces": changed_pieces(request.GET.get("shown", ""), drawn)})


@require_POST
def repeat_protocol(request: SignedInRequest) -> HttpResponse:
    """Begins a protocol; the second press opens what the first has begun."""
    sent = request.POST.dict()
    web, (sizes, errors) = _web(request, sent), _sizes(sent)
    protocol = sent.get("protocol", "")
    if errors or web is None:
        return _page(request, sent, status=422)
    try:
        run, begins = repeat(request.user, protocol, web, sizes)
    except Refused as refused:
        return _page(request, sent, status=422, refused=(protocol, refused.message))
    if not begins and run.experiment is not None:
        return redirect("experiment:experiment", run.experiment.pk)
    return redirect(_address(web, sent, protocol))


@require_POST
def repeat_paper(request: SignedInRequest) -> HttpResponse:
    """Begins all protocols of a paper that the web suits; those begun before go on."""
    sent = request.POST.dict()
    web, (sizes, errors) = _web(request, sent), _sizes(sent)
    paper = sent.get("paper", "")
    if errors or web is None:
        return _page(request, sent, status=422)
    try:
        runs = repeat_all(request.user, paper, web, sizes)
    except Refused as refused:
        messages.error(request, refused.message)
        return _page(request, sent, status=422)
    begun = sum(begins for _, begins in runs)
    words = number_of(begun, "protocol")
    messages.success(request, f"{words} begun." if begun else "All of them are begun already.")
    return redirect(_address(web, sent, f"paper-{paper}"))


def _address(web: Web, sent: Mapping[str, str], anchor: str) -> str:
    """The screen with this web and the sizes that were sent, at one of its rows."""
    query = {"web": web.pk, **{name: sent[name] for name in SIZES if sent.get(name)}}
    return f"{reverse('papers:list')}?{urlencode(query)}#{anchor}"


def _page(
    request: SignedInRequest,
    sent: Mapping[str, str],
    status: int = 200,
    refused: tuple[str, str] = ("", ""),
) -> HttpResponse:
    web, (sizes, errors) = _web(request, sent), _sizes(sent)
    shown = paper_rows(visible_runs(request.user), web, sizes)
    rows = [row for paper in shown for row in paper.rows]
    return render(
        request,
        "papers/list.html",
        {
            "papers": shown,
            "legend": legend(shown),
            "protocols": len(rows),
            "claims": sum(len(row.protocol.claims) for row in rows),
            "webs": recorded_webs(request.user),
            "web": web,
            "sent": {name: sent.get(name, "") for name in SIZES},
            "errors": errors,
            "refused": refused,
        },
        status=status,
    )


def _web(request: SignedInRequest, sent: Mapping[str, str]) -> Web | None:
    """The chosen web; by default the first that has labels."""
    webs = recorded_webs(request.user)
    number = whole_number(sent.get("web", ""))
    chosen = webs.filter(pk=number).first() if number is not None else None
    return chosen or next((web for web in webs if _has_labels(web)), webs.first())


def _has_labels(web: Web) -> bool:
    try:
        return bool(label_counts(web))
    except EngineError:
        return False


def _sizes(sent: Mapping[str, str]) -> tuple[Sizes, dict[str, str]]:
    """The sizes that were typed, with a sentence for each that is not a number."""
    numbers = {name: whole_number(sent.get(name, "").strip()) for name in SIZES}
    errors = {
        name: f"Give a number from 1 to {MOST:,}, or nothing."
        for name, number in numbers.items()
        if sent.get(name, "").strip() and (number is None or not 1 <= number <= MOST)
    }
    right = {name: None if name in errors else number for name, number in numbers.items()}
    return Sizes(topics=right["topics"], pages=right["pages"]), errors
