"""The comparison of crawls: the page and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from apps.experiments.compare.chosen import MOST, chosen_crawls, refuse_wrong_number
from apps.experiments.compare.comparison import Comparison, compare
from apps.experiments.compare.course import Axis
from apps.figures.marks import marks_of
from apps.schemas.input import Refused
from apps.screens.compare import csv_files
from apps.screens.compare.address import MOST_DRAWN, Address
from apps.screens.compare.chooser import offered
from apps.screens.compare.figures import Drawn, chosen_row, drawn, main_rows
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


def crawls(request: HttpRequest) -> HttpResponse:
    """Crawls beside each other; without two of them, or with one that is not there, what there is
    to choose from."""
    try:
        address = Address.read(request.GET)
        if len(address.crawls) < 2:
            return _choose(request, address.crawls)
        found = compare(chosen_crawls(request.user, address.crawls), address.axis)
    except Refused as refused:
        return _choose(request, (), refused.message, status=422)
    except Http404 as gone:
        return _choose(request, address.crawls, GONE.format(gone), status=404)
    return render(request, "compare/crawls.html", _context(request, found, address))


def curves_csv(request: HttpRequest) -> HttpResponse:
    """The curves as CSV. Raises Http404."""
    return _file(request, "curves", csv_files.curves)


def measures_csv(request: HttpRequest) -> HttpResponse:
    """The measures as CSV. Raises Http404."""
    return _file(request, "measures", csv_files.measures)


def _file(
    request: HttpRequest, name: str, lines: Callable[[Comparison], Iterator[bytes]]
) -> HttpResponse:
    try:
        address = Address.read(request.GET)
        refuse_wrong_number(address.crawls)
    except Refused as refused:
        return HttpResponse(refused.message, status=400, content_type="text/plain; charset=utf-8")
    found = compare(chosen_crawls(request.user, address.crawls), address.axis)
    answer = StreamingHttpResponse(lines(found), content_type="text/csv; charset=utf-8")
    numbers = "-".join(map(str, address.crawls))
    answer["Content-Disposition"] = f'attachment; filename="compare-{numbers}-{name}.csv"'
    return answer


def _choose(
    request: HttpRequest, chosen: tuple[int, ...], wrong: str = "", status: int = 200
) -> HttpResponse:
    context = {"topics": offered(request.user, chosen), "wrong": wrong, "most": MOST,
               "asked": request.GET.get("crawls", "")}  # fmt: skip
    return render(request, "compare/choose.html", context, status=status)


def _context(request: HttpRequest, found: Comparison, address: Address) -> dict[str, Any]:
    marks = marks_of(address.crawls, address.coloured)
    common = {
        "found": found, "address": address, "most": MOST, "most_drawn": MOST_DRAWN,
        "topics": offered(request.user, address.crawls),
        "axes": [(axis, address.link("#curves", axis=axis)) for axis in Axis],
        "settings": list(setting_rows(found)), "pages": list(pages_boxes(found, request.user)),
        "query": address.query(), "legend": _legend(found, marks),
        "coloured": address.coloured,
    }  # fmt: skip
    chosen = chosen_row(found, address.measure)
    if chosen is None:
        return common
    figures = list(drawn(found, chosen, marks))
    tests = [test for test in found.tests if test.measure is chosen.measure]
    return common | {
        "chosen": chosen,
        "boxes": [_box(each) for each in figures],
        "figures": {_figure_id(each): each.figure.as_plotly() for each in figures},
        "switch": [(row.measure, address.link("#by-crawl", measure=row.measure.id), row is chosen)
                   for row in main_rows(found, chosen)],
        "rows": list(crawl_rows(found, chosen, marks, address)),
        "settled": settled_after(found, chosen),
        "measures": list(measure_rows(found, address)),
        "tests": test_rows(tests),
    }  # fmt: skip


def _legend(found: Comparison, marks: Any) -> list[tuple[Any, str, int]]:
    return [(marks[crawl.pk], label, crawl.pk)
            for crawl, label in zip(found.crawls, found.labels, strict=True)]  # fmt: skip


def _figure_id(each: Drawn) -> str:
    return f"compared-{each.row.measure.id}"


def _box(each: Drawn) -> FigureBox:
    return FigureBox(
        id=_figure_id(each),
        title=each.row.measure.title,
        caption=render_to_string("compare/caption.html", {"drawn": each}),
        reading=each.figure.reading,
        table=each.figure.as_table(),
    )
