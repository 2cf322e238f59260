"""The rail: a form's choices in sentences, what they cost, what stands against them, the file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html

from apps.crawls.most import REQUESTS_A_PAGE
from apps.engine.evaluation import BY_ID
from apps.engine.intelligence.quality import WEAK_F1
from apps.engine.intelligence.strategies import strategy_title
from apps.experiments.design.schema import MOST_CELLS, Design
from apps.experiments.design.toml_file import write_design
from apps.experiments.design.variants import Variant, variants
from apps.experiments.results.paired_tests import ENOUGH_TOPICS
from apps.experiments.selectors import ExperimentCost, cost_of
from apps.figures.quantities import count, number_of, roughly, score
from apps.schemas.refused import Refused
from apps.screens.new_experiment.forms import LABELS, NewExperimentForm
from apps.screens.new_experiment.needs import NeedsOf

NAMED = 3
# A sentence about the comparison would describe the default of a field that is wrong.
COMPARED_BY = {"pages", "measure", "at"}
TIMES = {1: "once each", 2: "twice each"}


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """One cost: title, amount, and the basis of the estimate."""

    what: str
    amount: str
    basis: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """`sentences` are HTML in the order of the form; `reasons` stand against a start, `warnings`
    do not; `toml` is the same as a file, empty where it cannot be written yet."""

    sentences: tuple[str, ...]
    costs: tuple[CostEstimate, ...]
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    toml: str


def summary(form: NewExperimentForm, needs: Mapping[str, NeedsOf]) -> Summary:
    """The summary of a form as it is now."""
    form.is_valid()
    try:
        design = form.design()
        crawlers = variants(design)
    except Refused as refused:
        return Summary((), (), (*_reasons(form, needs), refused.message), (), "")
    return Summary(
        tuple(_sentences(form, design, crawlers)),
        tuple(_costs(form, design, crawlers)),
        tuple(dict.fromkeys((*_reasons(form, needs), *_too_many(design, crawlers)))),
        tuple(_warnings(form, needs)),
        write_design(design),
    )


def _sentences(
    form: NewExperimentForm, design: Design, crawlers: tuple[Variant, ...]
) -> Iterator[str]:
    topics, cells = len(design.topics), len(design.topics) * len(crawlers) * design.repetitions
    yield format_html(
        "<b>{}</b> {} crawled by <b>{}</b> {}: <b>{}</b> of up to <b>{}</b> on <b>{}</b>.",
        number_of(topics, "topic"),
        "is" if topics == 1 else "are",
        _strategies(len(crawlers)),
        TIMES.get(design.repetitions, f"{design.repetitions} times each"),
        number_of(cells, "cell"),
        number_of(design.pages, "page"),
        _where(form),
    )
    yield (
        "All cells of a topic get the same seeds, targets, examples and judge. The judge never "
        "guides a crawl."
    )
    if not form.errors.keys() & COMPARED_BY:
        yield from _comparison(design, crawlers)
    if not form.chosen_web.is_recorded:
        pause = form.cleaned_data.get("delay")
        yield format_html(
            "Every URL of the live Web is requested at most once, no host more than once in {}, "
            "and every strategy reads it from the record. Cells run one after the other.",
            f"{2 if pause is None else pause:g} s",
        )


def _comparison(design: Design, crawlers: tuple[Variant, ...]) -> Iterator[str]:
    others = len(crawlers) - 1
    if others < 1:
        return
    base = strategy_title(crawlers[design.baseline - 1].strategy)
    how = (
        f"paired t, Holm over {others}"
        if len(design.topics) >= ENOUGH_TOPICS
        else f"means only, since a test wants {ENOUGH_TOPICS} topics"
    )
    yield format_html(
        "{} compared with <b>{}</b> on {} at <b>{}</b>: {}.",
        "1 strategy is" if others == 1 else f"{others} strategies are",
        base,
        BY_ID[design.measure].phrase(),
        number_of(design.moment, "page"),
        how,
    )


def _strategies(number: int) -> str:
    return "1 strategy" if number == 1 else f"{number} strategies"


def _where(form: NewExperimentForm) -> str:
    web = form.chosen_web
    return web.name if web.is_recorded else "the live Web"


def _costs(
    form: NewExperimentForm, design: Design, crawlers: tuple[Variant, ...]
) -> Iterator[CostEstimate]:
    cost = cost_of(design, form.chosen_web) if crawlers and design.topics else None
    yield _time(design, cost)
    if cost is not None:
        yield CostEstimate("CPU", f"about {roughly(cost.cpu_seconds)}")
        yield CostEstimate("Disk", f"about {filesizeformat(cost.bytes)}")
    yield CostEstimate("Free disk", filesizeformat(shutil.disk_usage(settings.DATA_DIR).free))
    if form.chosen_web.is_recorded:
        yield CostEstimate("Requests to the live Web", "none")
    else:
        pages = len(design.topics) * len(crawlers) * design.pages * REQUESTS_A_PAGE
        yield CostEstimate(
            "Requests to the live Web", f"{count(pages)} at most", "fewer: each URL once"
        )


def _time(design: Design, cost: ExperimentCost | None) -> CostEstimate:
    at_once = min(design.at_once or settings.BACKGROUND_WORKERS, settings.BACKGROUND_WORKERS)
    what = f"Time, {number_of(at_once, 'worker')}"
    if cost is None:
        return CostEstimate(what, "no estimate yet", "the first cells on this web measure it")
    basis = (
        "from earlier cells on this web"
        if cost.exact
        else ("from earlier cells on this web; some strategies are new there")
    )
    return CostEstimate(what, f"about {roughly(cost.seconds)}", basis)


def _reasons(form: NewExperimentForm, needs: Mapping[str, NeedsOf]) -> Iterator[str]:
    yield from form.topic_errors
    yield from form.row_errors
    for name in filter(form.errors.__contains__, form.fields):
        yield format_html(
            '<a href="#{}">{}</a>: {}', form[name].auto_id, LABELS[name], form.errors[name][0]
        )
    for row in form.rows:
        if needs[row.key].all_lack and form.topics.selected:
            yield f"{row.cls.title} needs {needs[row.key].words}, which the topics lack. Remove it."


def _too_many(design: Design, crawlers: tuple[Variant, ...]) -> Iterator[str]:
    cells = len(design.topics) * len(crawlers) * design.repetitions
    if cells > MOST_CELLS:
        yield f"These are {count(cells)} cells; {count(MOST_CELLS)} are the most."


def _warnings(form: NewExperimentForm, needs: Mapping[str, NeedsOf]) -> Iterator[str]:
    weak = [
        row for row in form.topics.selected if row.choice.f1 is not None and row.choice.f1 < WEAK_F1
    ]
    if weak:
        more = f" and {count(len(weak) - NAMED)} more" if len(weak) > NAMED else ""
        named = ", ".join(f"{row.name} ({score(row.choice.f1)})" for row in weak[:NAMED])
        yield (
            f"Weak classifiers, F1 below {WEAK_F1}: {named}{more}. Their cells run, but are"
            " guided badly. Add examples, or leave these topics out."
        )
    for one in form.rows:
        lacks = needs[one.key]
        if lacks.lack and not lacks.all_lack:
            yield f"{one.cls.title} wants {lacks.lack} it; those cells fail."
