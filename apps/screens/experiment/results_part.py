"""The part of an experiment's page with its results."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse

from apps.accounts.requests import SignedInRequest
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.group_dots import group_figure
from apps.experiments.results.answer import ComparisonAnswer, answer
from apps.experiments.results.by_topic import topic_differences
from apps.experiments.results.choice import ComparisonPlan, available_measures, moments
from apps.experiments.results.groups import by_difficulty, by_domain
from apps.experiments.results.outcomes import Outcomes, outcomes
from apps.experiments.results.over_the_crawl import p_over_the_crawl
from apps.experiments.results.paired_tests import Method
from apps.figures.figure import Figure
from apps.figures.marks import MARKS, Mark
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.experiment.page import ExperimentPage
from apps.screens.experiment.results_address import ResultsAddress
from apps.screens.experiment.results_figures import (
    MeasureCourse,
    courses,
    measures_offered,
    other_measure,
    p_figures,
)
from apps.screens.experiment.results_rows import (
    domain_lines,
    scale_words,
    strategy_lines,
    topic_lines,
    topic_scale,
)
from apps.screens.figure_box import FigureBox

Marks = tuple[Mark, ...]


def context(request: SignedInRequest, page: ExperimentPage) -> dict[str, Any]:
    """All of the results; before the first cell has ended nothing but that."""
    address = ResultsAddress.read(request.GET)
    if not page.now.done:
        return {"address": address}
    results = outcomes(page.experiment)
    refusal = ""
    try:
        choice = address.choice(results)
    except Refused as refused:
        address, refusal = ResultsAddress(), refused.message
        choice = address.choice(results)
    coloured = address.coloured(results, choice.baseline)
    asked = Asked(results, choice.at or choice.pages, coloured, choice.baseline)
    marks = asked.marks
    return {
        "address": address,
        "refusal": refusal,
        "choice": choice,
        "query": address.query(),
        "kept_choice": address.hidden_fields("at", "baseline", "test"),
        "kept_drawn": address.hidden_fields("drawn"),
        "kept_topics": address.hidden_fields("topics"),
        **_choices(results, choice, address),
        **(table := _table(results, choice, address, coloured, marks)),
        **_figures(asked, choice),
        **_topics(results, choice, address, table["answer"], marks),
    }


def _choices(results: Outcomes, choice: ComparisonPlan, address: ResultsAddress) -> dict[str, Any]:
    """The switch of measures and the three menus."""
    available = available_measures(results)
    here, others = measures_offered(available, choice.measure, results.design.measure)
    return {
        "measures": [
            (each, address.link("#by-strategy", measure=each.id), each is choice.measure)
            for each in here
        ],
        "other_measures": [
            (each, address.link("#by-strategy", measure=each.id)) for each in others
        ],
        "moments": [(at, str(at) == choice.moment) for at in moments(results)],
        "baselines": [
            (index + 1, crawler.label, index == choice.baseline)
            for index, crawler in enumerate(results.crawlers)
        ],
        "methods": [(method, method is choice.test) for method in Method],
    }


def _table(
    results: Outcomes,
    choice: ComparisonPlan,
    address: ResultsAddress,
    coloured: tuple[int, ...],
    marks: Marks,
) -> dict[str, Any]:
    result = answer(results, choice)
    draws = [_draws(address, coloured, index) for index in range(len(results.crawlers))]
    return {
        "answer": result,
        "lines": strategy_lines(result, marks, draws),
        "scale": scale_words(result),
        "most_drawn": len(MARKS),
        "legend": [
            (index + 1, crawler.label, marks[index])
            for index, crawler in enumerate(results.crawlers)
        ],
        "others": sum(not mark.symbol for mark in marks),
    }


def _draws(address: ResultsAddress, coloured: tuple[int, ...], index: int) -> str:
    """The address that draws a crawler, instead of the last one if all colours are taken;
    empty for one that is drawn."""
    if index in coloured:
        return ""
    wanted = (*coloured[: len(MARKS) - 1], index)
    return address.link("#trajectories", drawn=",".join(str(each + 1) for each in wanted))


def _figures(asked: Asked, choice: ComparisonPlan) -> dict[str, Any]:
    results = asked.outcomes
    drawn = list(courses(asked, other_measure(choice.measure, available_measures(results))))
    over_time = list(p_figures(asked, p_over_the_crawl(results, choice)))
    difficulty = by_difficulty(results, choice)
    by_quarter = group_figure(asked, choice.measure, difficulty, "topics by difficulty")
    figures = {
        **{f"course-{each.measure.id}": each.figure for each in drawn},
        **{f"p-{row.index + 1}": figure for row, figure in over_time},
        "difficulty": by_quarter,
    }
    return {
        "courses": [_course_box(each) for each in drawn],
        "p_boxes": [_p_box(f"p-{row.index + 1}", row, figure) for row, figure in over_time],
        "difficulty": difficulty,
        "difficulty_box": _difficulty_box(by_quarter),
        "figures": {name: figure.as_plotly() for name, figure in figures.items()},
    }


def _course_box(each: MeasureCourse) -> FigureBox:
    return FigureBox(
        id=f"course-{each.measure.id}",
        title=each.measure.title,
        caption=render_to_string("experiment/course_caption.html", {"course": each}),
        reading=each.figure.reading,
        table=each.figure.as_table(),
    )


def _p_box(id: str, row: Any, figure: Figure) -> FigureBox:
    return FigureBox(
        id=id,
        title=row.label,
        caption=render_to_string("experiment/p_caption.html", {"row": row}),
        reading=figure.reading,
        table=figure.as_table(),
    )


def _difficulty_box(figure: Figure) -> FigureBox:
    return FigureBox(
        id="difficulty",
        title="By difficulty",
        caption=render_to_string("experiment/plain_caption.html", {"title": "By difficulty"}),
        reading=figure.reading or figure.empty,
        empty="" if figure.has_values else figure.empty,
        table=figure.as_table() if figure.has_values else None,
    )


def _links(results: Outcomes, index: int, baseline: int) -> dict[int, str]:
    """From each topic to the two crawls compared, if its cells were opened as such, else to the
    cell."""
    links = {}
    for topic in range(len(results.topics)):
        cells = [each.cell for each in results.cells.get((topic, index), ())[:1]]
        base = [each.cell for each in results.cells.get((topic, baseline), ())[:1]]
        crawls = [cell.crawl_id for cell in (*base, *cells) if cell.crawl_id]
        if len(crawls) == 2:
            links[topic] = f"{reverse('compare:crawls')}?crawls={crawls[0]},{crawls[1]}"
        elif cells:
            links[topic] = reverse("experiment:cell", args=[cells[0].experiment_id, cells[0].pk])
    return links


def _topics(
    results: Outcomes,
    choice: ComparisonPlan,
    address: ResultsAddress,
    result: ComparisonAnswer,
    marks: Marks,
) -> dict[str, Any]:
    """Topic by topic for one crawler, at first the one with the largest gain, and the domains with
    the same one."""
    others = [index for index in range(len(results.crawlers)) if index != choice.baseline]
    if not others:
        return {}
    wanted = (whole_number(address.topics) or 0) - 1
    gains = {each.index: each.test.gain for each in result.rows if each.test is not None}
    index = wanted if wanted in others else max(gains, key=gains.__getitem__, default=others[0])
    differences = topic_differences(results, choice, index)
    scale = topic_scale(differences, choice.measure)
    domains = by_domain(results, choice)
    return {
        "compared": results.crawlers[index].label,
        "compared_mark": marks[index],
        "against": results.crawlers[choice.baseline].label,
        "topic_choices": [
            (each + 1, results.crawlers[each].label, each == index) for each in others
        ],
        "topic_scale": scale,
        "nought": scale.at(0.0),
        "topic_lines": topic_lines(
            differences, choice.measure, scale, _links(results, index, choice.baseline)
        ),
        "domains": domains,
        "domain_lines": list(domain_lines(domains, choice.measure, choice.baseline, index)),
    }
