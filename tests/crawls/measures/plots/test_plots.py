"""Every plot of the catalogue: what it draws and lists, against figures worked out by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from apps.crawls.charts import CHARTS
from apps.crawls.measures.crawl_report import CrawlReport, MapCell, Recalled, StatusMeans
from apps.crawls.measures.curves import lines, numbers
from apps.crawls.measures.plots import PLOTS
from apps.crawls.measures.plots.over_the_crawl import OverTheCrawl
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.status_locality import Locality

TOKENS = set(
    re.findall(r"--([\w-]+):", (Path(settings.BASE_DIR) / "static/css/tokens.css").read_text())
)
UNKNOWN = dict.fromkeys(numbers())
NOTHING = CrawlReport(
    pages=20,
    drawn=20,
    recalled=None,
    distribution=(0,) * 10,
    status=StatusMeans(0, None, 0, None, 0, None),
    localities=(),
    mapped=0,
    map=(),
    contexts=(),
    coverage={},
    courses=((20, UNKNOWN),),
)
KNOWN = replace(
    NOTHING,
    recalled=Recalled(4, (True, False, True), (), ((1, 1.0, 0.25), (3, 2 / 3, 0.5), (8, 0.75, 1))),
    distribution=(6, 0, 0, 0, 0, 0, 0, 1, 0, 3),
    localities=(
        Locality(1, 40, 0.4, 0.01, 12, 0.2, 0.4),
        Locality(None, 40, 0.0, 0.9, 9, None, None),
    ),
    mapped=4,
    map=(MapCell(0.9, 1.5, 3, True), MapCell(0.1, 0.5, 1, False)),
    courses=(
        (10, UNKNOWN | {"diversity": 4, "loss_rate": 0.5, "used_anchor": 3, "used_context": 6}),
        (20, UNKNOWN | {"diversity": 7, "loss_rate": 0.25, "used_anchor": 9, "used_context": 18}),
    ),
)
BY_ID = {plot.id: plot for plot in PLOTS}


@pytest.mark.parametrize("plot", PLOTS, ids=BY_ID)
def test_without_values_axes_stay_and_what_is_missing_is_reported(plot) -> None:
    figure = plot.figure(NOTHING)
    assert not figure.has_values
    assert figure.empty and not figure.empty.endswith(".")
    assert figure.as_plotly()["layout"]["yaxis"]["range"][0] <= 0


@pytest.mark.parametrize("plot", PLOTS, ids=BY_ID)
def test_with_values_it_is_drawn_read_and_listed(plot) -> None:
    figure = plot.figure(KNOWN)
    assert figure.has_values and figure.reading.endswith(".")
    table = figure.as_table()
    assert table.rows and {len(row) for row in table.rows} == {len(table.head)}
    low, high = figure.as_plotly()["layout"]["yaxis"]["range"]
    values = [value for trace in figure.traces for value in trace.y if value is not None]
    assert low <= min(values) and max(values) <= high
    assert {trace.colour for trace in figure.traces} <= TOKENS


@pytest.mark.parametrize("plot", PLOTS, ids=BY_ID)
def test_its_name_is_that_of_its_file(plot) -> None:
    assert type(plot).__module__.rpartition(".")[2] == plot.id
    assert plot.title and plot.paper and type(plot).__doc__


def test_every_curve_names_a_chart_or_a_plot_of_its_unit() -> None:
    over = {plot.id: plot.unit for plot in PLOTS if isinstance(plot, OverTheCrawl)}
    units = {chart.id: chart.unit for chart in CHARTS} | over
    assert {line.spec.chart for line in lines()} <= set(units)
    for measure in MEASURES:
        if measure.curve is not None and measure.curve.chart in over:
            assert measure.unit == over[measure.curve.chart]


def test_precision_over_recall_has_the_best_from_there_on() -> None:
    figure = BY_ID["precision_recall"].figure(KNOWN)
    precision, best = figure.traces
    assert [*best.y] == [1.0, 0.75, 0.75] and [*precision.x] == [0.25, 0.5, 1]
    assert figure.reading == "Precision over recall: at the end 75\u202f% at recall 100\u202f%."
    assert figure.as_table().rows[1] == ("3", "50\u202f%", "67\u202f%", "75\u202f%")


def test_curves_over_the_crawl_are_those_that_are_known() -> None:
    (loss,) = BY_ID["courses"].figure(KNOWN).traces
    assert (loss.label, [*loss.x], [*loss.y]) == ("loss rate", [10, 20], [0.5, 0.25])
    sites = BY_ID["diversity"].figure(KNOWN)
    assert sites.as_table().rows == (("10", "4"), ("20", "7"))
    assert sites.reading == "Sites over the crawl after 20 pages: sites 7."
    use = BY_ID["context_use"].figure(KNOWN)
    assert [trace.label for trace in use.traces] == ["anchor text", "link context"]
    assert use.labelled and not sites.labelled


def test_the_distribution_is_in_tenths() -> None:
    figure = BY_ID["relevance_distribution"].figure(KNOWN)
    assert figure.traces[0].x[0] == 0.05
    assert figure.as_table().rows[7] == ("0.7–0.8", "1", "10\u202f%")
    assert "9 of 10 pages" in figure.reading


def test_locality_stands_between_minus_one_and_one() -> None:
    figure = BY_ID["status_locality"].figure(KNOWN)
    assert figure.as_plotly()["layout"]["yaxis"]["range"] == [-1.0, 1.0]
    assert figure.as_table().rows[1] == ("random pairs", "40", "0.00", "0.900", "9", "–", "–")
    assert figure.reading == "Status locality: distance 1 0.40, random pairs 0.00."


def test_the_map_distinguishes_the_densest_cells() -> None:
    figure = BY_ID["status_map"].figure(KNOWN)
    dense, thin = figure.traces
    assert ([*dense.x], [*dense.y], [*thin.x]) == ([1.5], [0.9], [0.5])
    assert figure.reading == "Map of 4 pages: 1 of 2 cells hold 75\u202f%."
