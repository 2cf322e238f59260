"""Months of a watch: the form with the list, one run, and its verbs."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.requests import SignedInRequest
from apps.months.command_line import command_lines
from apps.months.result import GOAL_RECALL, GOAL_SHARE
from apps.months.schema import FULL, MonthDesign
from apps.months.selectors import own_months
from apps.months.services import begin_months, delete_months
from apps.schemas.refused import Refused
from apps.screens.months.forms import MonthForm, form_of
from apps.screens.months.rows import FIGURE, MonthRow, figure_box, month_figure
from apps.screens.stamps import changed_pieces

A_PAGE = 50


def months(request: SignedInRequest) -> HttpResponse:
    """The form and the person's runs; the POST begins months, the same ones once."""
    is_full = request.GET.get("size") == "full"
    if request.method != "POST":
        return _page(request, form_of(FULL if is_full else MonthDesign()), is_full)
    form = MonthForm(request.POST)
    design = form.design() if form.is_valid() else None
    if design is None:
        return _page(request, form, is_full, status=422)
    try:
        run, _ = begin_months(request.user, design)
    except Refused as refused:
        form.refuse(refused)
        return _page(request, form, is_full, status=422)
    return redirect("months:month", run.pk)


def _page(
    request: SignedInRequest, form: MonthForm, is_full: bool, status: int = 200
) -> HttpResponse:
    page = Paginator(own_months(request.user), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "is_full": is_full,
        "small": MonthDesign(),
        "full": FULL,
        "page": page,
        "rows": [MonthRow(run) for run in page],
    }
    return render(request, "months/list.html", context, status=status)


@require_GET
def month(request: SignedInRequest, pk: int) -> HttpResponse:
    """One run: how far it is, its table, and once it does nothing any more its figure."""
    row = _row(request, pk)
    drawn = month_figure(row) if row.means and not row.goes_on else None
    return render(
        request,
        "months/month.html",
        {
            "row": row,
            "box": figure_box(drawn) if drawn else None,
            "figures": {FIGURE: drawn.as_plotly()} if drawn else {},
            "commands": command_lines(row.design),
            "goal_recall": GOAL_RECALL,
            "goal_share": GOAL_SHARE,
        },
    )


@require_GET
def pieces(request: SignedInRequest, pk: int) -> HttpResponse:
    """The changed pieces of a run; `ended` once the page must be reloaded."""
    row = _row(request, pk)
    changed = changed_pieces(request.GET.get("shown", ""), row.pieces())
    return JsonResponse({"pieces": changed, "ended": not row.goes_on})


@require_POST
def again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Goes on with a run that has failed."""
    row = _row(request, pk)
    begin_months(request.user, row.design)
    return redirect("months:month", pk)


def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks for confirmation; the POST deletes."""
    row = _row(request, pk)
    if request.method != "POST":
        return render(request, "months/delete.html", {"row": row})
    delete_months(row.run)
    return redirect("months:list")


def _row(request: SignedInRequest, pk: int) -> MonthRow:
    return MonthRow(get_object_or_404(own_months(request.user), pk=pk))
