"""Every figure of the registry: what it draws, says, lists and offers."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings

from apps.engine.evaluation.status_sample import status_sample
from apps.experiments.design.variants import variants
from apps.experiments.figures import FIGURES
from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.paper_figure import NOTHING_YET, PaperFigure
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.studies.services import Studied
from tests.experiments.figures.made_study import STUDY
from tests.experiments.made_outcomes import made, made_pages, with_reports

TOKENS = set(
    re.findall(r"--([\w-]+):", (Path(settings.BASE_DIR) / "static/css/tokens.css").read_text())
)
BY_ID = {figure.id: figure for figure in FIGURES}
EVERY = pytest.mark.parametrize("figure", FIGURES, ids=BY_ID)
MEASURES = (
    "target_recall",
    "harvest_rate",
    "harvest_rate_true",
    "loss_rate",
    "critic_loss",
    "average_status",
    "diversity",
    "reliability",
    "virtual_web_recall",
    "alpha",
    "used_anchor",
    "used_context",
    "used_none",
)
CRAWLERS = (
    "full_page",
    "selective_link_context",
    ("hcla", {"k": 30}),
    ("hcla", {"k": 50}),
    ("hcla", {"k": 30, "reorders_every": 10}),
    ("utility", {"alpha": 0.0}),
    ("adaptive_utility", {"delta": 0.6}),
    ("apprentice", {"first_reorder": 55}),
)
TOPICS = (
    "Top/Arts/Film",
    "Top/Arts/Jazz",
    "Top/Arts/Dance",
    "Top/Home/Bread",
    "Top/Home/Soup",
    "Top/Home/Jam",
    "Top/Home/Pie",
    "Top/Home/Tea",
)
NOTED = {"promise_before": [1, *[2] * 9], "promise_after": [3] * 10}
NOTHING = made(("full_page", "breadth_first"))
SIZE = 60


def full() -> Outcomes:
    """Each crawler has finished each topic and knows each measure; all numbers differ."""
    chance = np.random.default_rng(4)
    keys = [(topic, crawler) for topic in range(len(TOPICS)) for crawler in range(len(CRAWLERS))]
    values = {key: {name: chance.random(SIZE) for name in MEASURES} for key in keys}
    for measured in values.values():
        measured["virtual_web_recall"] = np.linspace(0.1, 0.6, SIZE)
    pages = {
        key: made_pages(
            [f"http://made.test/{n}" for n in chance.permutation(150)[:SIZE]],
            probability=chance.random(SIZE),
            topicality=chance.random(SIZE),
            label=chance.random(SIZE) < 0.5,
            inlinks=chance.integers(0, 50, SIZE),
        )
        for key in keys
    }
    measured = made(CRAWLERS, TOPICS, values, pages, every=1, budget=SIZE)
    return with_reports(measured, {key: NOTED for key in keys if key[1] == len(CRAWLERS) - 1})


FULL = asked_of(full(), studied=Studied(STUDY))


@EVERY
def test_it_is_declared_in_full_under_the_name_of_its_file(figure: PaperFigure) -> None:
    assert type(figure).__module__.rpartition(".")[2] == figure.id
    assert figure.title and figure.papers and figure.published.endswith(".")
    assert type(figure).__doc__.split("\n\n")[0].rstrip().endswith(".")
    assert {*figure.papers} <= {"LC", "AFC", "SLC", "HCLA", "SL", "own"}


@EVERY
def test_without_a_finished_topic_axes_stay(figure: PaperFigure) -> None:
    drawn = figure.figure(asked_of(NOTHING))
    assert not drawn.has_values and drawn.empty == NOTHING_YET
    drawn.as_plotly()
    assert drawn.as_data().rows == ()


@EVERY
def test_what_the_experiment_lacks_is_reported(figure: PaperFigure) -> None:
    # Two crawlers without any measure, page or parameter that a figure asks for.
    keys = [(topic, crawler) for topic in range(2) for crawler in range(2)]
    bare = made(
        ("full_page", "breadth_first"),
        every=1,
        values={key: {"waiting": [3.0]} for key in keys},
    )
    for view in figure.views(asked_of(bare)):
        drawn = figure.figure(asked_of(bare), view.id)
        if not drawn.has_values:
            assert drawn.empty not in ("", NOTHING_YET) and not drawn.empty.endswith(".")
            drawn.as_plotly()


@EVERY
def test_with_all_there_is_every_view_is_drawn(figure: PaperFigure) -> None:
    views = figure.views(FULL)
    assert len({view.id for view in views}) == len(views) > 0
    for view in views:
        drawn = figure.figure(FULL, view.id)
        assert drawn.has_values, view
        assert drawn.reading.endswith(".") and view.title
        table, data = drawn.as_table(), drawn.as_data()
        assert table.rows and {len(row) for row in table.rows} == {len(table.head)}
        assert data.rows and {len(row) for row in data.rows} == {len(data.head)}
        assert {trace.colour for trace in drawn.traces} <= TOKENS
        low, high = drawn.as_plotly()["layout"]["yaxis"]["range"]
        if drawn.y.unit != "probability":
            values = [y for trace in drawn.traces for y in trace.y if y is not None]
            assert low <= min(values) and max(values) <= high


@EVERY
def test_an_unknown_view_is_the_first(figure: PaperFigure) -> None:
    assert figure.figure(FULL, "no such view").as_data() == figure.figure(FULL).as_data()


@EVERY
def test_what_it_offers_can_be_added_and_would_draw_it(figure: PaperFigure) -> None:
    if figure.offer is None:
        return
    results = variants(NOTHING.design.model_copy(update={"crawlers": figure.offer.crawlers}))
    number = re.search(r"(\d+) variants", figure.offer.title)
    assert len(results) == (int(number[1]) if number else 1)
    with_it = made(
        [(each.strategy, each.parameters) for each in results],
        values={
            (topic, crawler): {name: [0.5] for name in MEASURES}
            for topic in range(2)
            for crawler in range(len(results))
        },
        every=1,
    )
    with_it = with_reports(with_it, {(0, crawler): NOTED for crawler in range(len(results))})
    assert figure.figure(asked_of(with_it)).has_values
    assert not figure.figure(
        asked_of(made(values={(0, 0): {"target_recall": [0.5]}, (0, 1): {"target_recall": [0.5]}}))
    ).has_values


@EVERY
def test_a_cell_that_failed_spoils_nothing(figure: PaperFigure) -> None:
    cells = {key: cell for key, cell in FULL.outcomes.cells.items() if key != (7, 1)}
    fewer = replace(FULL, outcomes=replace(FULL.outcomes, cells=cells))
    for view in figure.views(fewer):
        drawn = figure.figure(fewer, view.id)
        if figure.id != "p_over_the_crawl":  # no test while a cell is missing
            assert drawn.has_values and drawn.reading.endswith(".")


def test_there_is_a_figure_for_every_paper() -> None:
    assert {paper for figure in FIGURES for paper in figure.papers} >= {
        "LC",
        "AFC",
        "SLC",
        "HCLA",
        "SL",
    }
    assert BY_ID["trajectories"].paper == ("LC 4–9, 13, 15 · SLC 7–8 · SL 4–5, 8–9, 11–12 · HCLA 5")


def test_nothing_is_drawn_of_pages_after_the_moment() -> None:
    pages_so_far = 12
    early = replace(FULL, pages=pages_so_far)
    pages = {
        id: sum(row[-1] for row in BY_ID[id].figure(early).as_data().rows)
        for id in ("relevance_distribution", "status_map")
    }
    assert pages == {
        "relevance_distribution": pages_so_far * len(TOPICS),
        "status_map": len(status_sample(pages_so_far)) * len(TOPICS),
    }
