"""The comparison of crawls: the page and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string

from apps.accounts.requests import SignedInRequest
from apps.experiments.results.crawls.chosen import MOST, chosen_crawls, refuse_wrong_number
from apps.experiments.results.crawls.comparison import CrawlComparison, compare
from apps.experiments.results.crawls.course import CurveAxis
from apps.figures.marks import marks_of
from apps.schemas.refused import Refused
from apps.screens.compare import csv_files
from apps.screens.compare.address import MOST_DRAWN, CompareAddress
from apps.screens.compare.chooser import offered
from apps.screens.compare.figures import DrawnMeasure, chosen_row, draw_measures, main_rows
from apps.screens.compare.rows import (
    crawl_rows,
    measure_rows,
    pages_boxes,
    setting_rows,
    settled_after,
    test_rows,
)
from apps.screens.figure_box import FigureBox

GONE = "There is no crawl {}, or it belongs to another person."


def crawls(request: SignedInRequest) -> HttpResponseBase:
    """Crawls beside each other; without two of them, or with one that is not there, what there is
    to choose from."""
    try:
        address = CompareAddress.read(request.GET)
        if len(address.crawls) < 2:
            return _choose(request, address.crawls)
        compared = compare(chosen_crawls(request.user, address.crawls), address.axis)
    except Refused as refused:
        return _choose(request, (), refused.message, status=422)
    except Http404 as gone:
        return _choose(request, address.crawls, GONE.format(gone), status=404)
    return render(request, "compare/crawls.html", _context(request, compared, address))


def curves_csv(request: SignedInRequest) -> HttpResponseBase:
    """The curves as CSV. Raises Http404."""
    return _file(request, "curves", csv_files.curves)


def measures_csv(request: SignedInRequest) -> HttpResponseBase:
    """The measures as CSV. Raises Http404."""
    return _file(request, "measures", csv_files.measures)


def _file(
    request: SignedInRequest, name: str, lines: Callable[[CrawlComparison], Iterator[bytes]]
) -> HttpResponseBase:
    try:
        address = CompareAddress.read(request.GET)
        refuse_wrong_number(address.crawls)
    except Refused as refused:
        return HttpResponse(refused.message, status=400, content_type="text/plain; charset=utf-8")
    compared = compare(chosen_crawls(request.user, address.crawls), address.axis)
    answer = StreamingHttpResponse(lines(compared), content_type="text/csv; charset=utf-8")
    numbers = "-".join(map(str, address.crawls))
    answer["Content-Disposition"] = f'attachment; filename="compare-{numbers}-{name}.csv"'
    return answer


def _choose(
    request: SignedInRequest, chosen: tuple[int, ...], wrong: str = "", status: int = 200
) -> HttpResponseBase:
    context = {
        "topics": offered(request.user, chosen),
        "wrong": wrong,
        "most": MOST,
        "asked": request.GET.get("crawls", ""),
    }
    return render(request, "compare/choose.html", context, status=status)


def _context(
    request: SignedInRequest, compared: CrawlComparison, address: CompareAddress
) -> dict[str, Any]:
    marks = marks_of(address.crawls, address.coloured)
    common = {
        "compared": compared,
        "address": address,
        "most": MOST,
        "most_drawn": MOST_DRAWN,
        "topics": offered(request.user, address.crawls),
        "axes": [(axis, address.link("#curves", axis=axis)) for axis in CurveAxis],
        "settings": list(setting_rows(compared)),
        "pages": list(pages_boxes(compared, request.user)),
        "query": address.query(),
        "legend": _legend(compared, marks),
        "coloured": address.coloured,
    }
    chosen = chosen_row(compared, address.measure)
    if chosen is None:
        return common
    figures = list(draw_measures(compared, chosen, marks))
    tests = [test for test in compared.tests if test.measure is chosen.measure]
    return common | {
        "chosen": chosen,
        "boxes": [_box(each) for each in figures],
        "figures": {_figure_id(each): each.figure.as_plotly() for each in figures},
        "switch": [
            (row.measure, address.link("#by-crawl", measure=row.measure.id), row is chosen)
            for row in main_rows(compared, chosen)
        ],
        "rows": list(crawl_rows(compared, chosen, marks, address)),
        "settled": settled_after(compared, chosen),
        "measures": list(measure_rows(compared, address)),
        "tests": test_rows(tests),
    }


def _legend(compared: CrawlComparison, marks: Any) -> list[tuple[Any, str, int]]:
    return [
        (marks[crawl.pk], label, crawl.pk)
        for crawl, label in zip(compared.crawls, compared.labels, strict=True)
    ]


def _figure_id(each: DrawnMeasure) -> str:
    return f"compared-{each.row.measure.id}"


def _box(each: DrawnMeasure) -> FigureBox:
    return FigureBox(
        id=_figure_id(each),
        title=each.row.measure.title,
        caption=render_to_string("compare/caption.html", {"drawn": each}),
        reading=each.figure.reading,
        table=each.figure.as_table(),
    )
