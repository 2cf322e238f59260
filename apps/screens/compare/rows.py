"""The tables of a comparison, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.text import capfirst

from apps.collection.filters.crawl import Match
from apps.crawls.models import Crawl
from apps.engine.evaluation.measure import Measure
from apps.engine.intelligence.strategies import strategy_title
from apps.experiments.results.changes import difference
from apps.experiments.results.crawls.comparison import CrawlComparison, CrawlGroup
from apps.experiments.results.crawls.course import CurveAxis
from apps.experiments.results.crawls.set_ups import SettingDifference
from apps.experiments.results.crawls.table import SETTLED, CrawlValue, MeasureValues
from apps.experiments.results.paired_tests import Test
from apps.figures.marks import Mark
from apps.figures.quantities import NOTHING, comparison, count, probability, score, share
from apps.figures.units import UNITS
from apps.screens.compare.address import CompareAddress
from apps.screens.live.state_badge import StateBadge, state_badge
from apps.screens.new_crawl.parameter_words import choice_words, title_of
from apps.topics.selectors import visible_topics


@dataclass(frozen=True, slots=True)
class ComparedCrawl:
    """One crawl and the measure chosen; `against` and `without` are pages of other comparisons,
    empty where there is none."""

    crawl: Crawl
    label: str
    mark: Mark
    badge: StateBadge
    figures: CellFigures
    baseline: bool
    cost: str
    against: str
    without: str


@dataclass(frozen=True, slots=True)
class CellFigures:
    """A cell of the comparison in words."""

    final: str = NOTHING
    best: str = NOTHING
    best_at: str = ""
    area: str = NOTHING
    at_common: str = NOTHING
    difference: str = NOTHING
    words: str = ""


@dataclass(frozen=True, slots=True)
class ComparedMeasure:
    """One measure of every crawl; `link` draws it."""

    measure: type[Measure]
    comparable: bool
    cells: tuple[CellFigures, ...]
    link: str


def crawl_rows(
    compared: CrawlComparison,
    chosen: MeasureValues,
    marks: Mapping[int, Mark],
    address: CompareAddress,
) -> Iterator[ComparedCrawl]:
    """A row a crawl; only where three are compared can one be taken away."""
    bases = {group.indices[0] for group in compared.groups}
    single = len(compared.groups) == 1
    for index, (crawl, label, cell) in enumerate(
        zip(compared.crawls, compared.labels, chosen.cells, strict=True)
    ):
        base = _base(compared, index)
        yield ComparedCrawl(
            crawl,
            label,
            marks[crawl.pk],
            state_badge(crawl),
            _figures(chosen, cell, chosen.cells[base], compared.axis),
            index in bases,
            _cost(crawl),
            address.against(crawl.pk) if single and index else "",
            address.without(crawl.pk) if len(compared.crawls) > 2 else "",
        )


def _base(compared: CrawlComparison, index: int) -> int:
    """The index of the first crawl of the same topic."""
    return next(group.indices[0] for group in compared.groups if index in group.indices)


def _cost(crawl: Crawl) -> str:
    """CPU of a page, in milliseconds."""
    return f"{1000 * crawl.cpu_seconds / crawl.pages:.1f}" if crawl.pages else NOTHING


def measure_rows(compared: CrawlComparison, address: CompareAddress) -> Iterator[ComparedMeasure]:
    """Every measure that any of the crawls knows."""
    for row in compared.rows:
        cells = tuple(_figures(row, cell, None, compared.axis) for cell in row.cells)
        link = address.link("#curves", measure=row.measure.id)
        yield ComparedMeasure(row.measure, row.comparable, cells, link)


def settled_after(compared: CrawlComparison, row: MeasureValues) -> str:
    """From where on a best value counts, in words of the axis."""
    if row.span is None:
        return ""
    return _position(SETTLED * row.span[1], compared.axis)


def _figures(
    row: MeasureValues, cell: CrawlValue | None, base: CrawlValue | None, along: CurveAxis
) -> CellFigures:
    if cell is None:
        return CellFigures()
    write = UNITS[row.measure.unit].write
    best = (write(cell.best.value), _position(cell.best.at, along)) if cell.best else (NOTHING, "")
    change = difference(row.measure, cell.difference)
    return CellFigures(
        write(cell.final),
        *best,
        write(cell.area),
        write(cell.at_common),
        change,
        _in_words(row.measure, cell, base),
    )


def _position(at: float, along: CurveAxis) -> str:
    return f"page {count(at)}" if along is CurveAxis.PAGES else f"{at:,.1f} min"


def _in_words(measure: type[Measure], cell: CrawlValue, base: CrawlValue | None) -> str:
    """`16 % more targets`, for the measures that count something."""
    things = measure.things
    if not things or cell.difference is None or base is None:
        return ""
    if not base.at_common or cell.at_common is None:
        return ""
    return f"{comparison(cell.at_common, base.at_common)} {things}"


@dataclass(frozen=True, slots=True)
class TestRow:
    """A crawler against the baseline, in words; `low`, `high` and `middle` are where its interval
    lies on a line from 0 to 100 with no difference at 50, None where there is none."""

    test: Test
    mean: str
    difference: str
    interval: str
    p: str
    effect: str
    needed: str
    line: tuple[float, float, float] | None


def test_rows(tests: Sequence[Test]) -> list[TestRow]:
    """The tests of one measure, their intervals on one scale."""
    ends = [abs(end) for test in tests for end in (test.interval or ())]
    reach = max(ends, default=0.0) or 1.0
    return [_test_row(test, reach) for test in tests]


def _test_row(test: Test, reach: float) -> TestRow:
    def at(value: float) -> float:
        return round(50 + 48 * value / reach, 1)

    line = interval = None
    if test.interval:
        low, high = test.interval
        line = (at(low), at(test.difference), at(high))
        interval = f"{difference(test.measure, low)} to {difference(test.measure, high)}"
    return TestRow(
        test,
        UNITS[test.measure.unit].write(test.mean),
        difference(test.measure, test.difference),
        interval or NOTHING,
        probability(test.holm),
        score(test.effect),
        "" if test.shown or test.needed is None else count(test.needed),
        line,
    )


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting in which crawls differ, in words."""

    title: str
    values: tuple[str, ...]


TITLES = {
    "over": "read over",
    "parent_policy": "several links to one address",
    "pick_order": "next page",
    "random_seed": "random seed",
    "request_limit": "requests at most",
    "budget": "pages at most",
    "hours": "hours at most",
    "recall": "estimated recall at most",
    "slope": "relevant pages expected at least",
}


def setting_rows(compared: CrawlComparison) -> Iterator[SettingRow]:
    """Only what differs; what only one crawl has comes last, together."""
    own: list[list[str]] = [[] for _ in compared.crawls]
    for each in compared.settings:
        having = [index for index, value in enumerate(each.values) if value is not None]
        if each.strategy and len(having) == 1:
            own[having[0]].append(f"{_title(each)}: {_value(each, each.values[having[0]])}")
        else:
            yield SettingRow(
                _title(each),
                tuple(NOTHING if value is None else _value(each, value) for value in each.values),
            )
    if any(own):
        yield SettingRow("Parameters of its own", tuple("; ".join(one) or NOTHING for one in own))


def _title(setting: SettingDifference) -> str:
    named = TITLES.get(setting.name, setting.name.replace("_", " "))
    title = title_of(setting.strategy, setting.name) if setting.strategy else named
    return capfirst(title)


def _value(setting: SettingDifference, value: Any) -> str:
    if setting.name == "strategy":
        return strategy_title(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and setting.strategy:
        return choice_words(setting.name, value)
    if isinstance(value, int) and setting.name != "random_seed":
        return count(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


@dataclass(frozen=True, slots=True)
class PagesRow:
    """Pages by who has fetched them; `link` shows them in the collection."""

    words: str
    pages: int
    share: str
    link: str


@dataclass(frozen=True, slots=True)
class PagesBox:
    """The pages of one topic's crawls. `matrix` has a row a crawl of (share, shade, both, link)
    for each earlier one."""

    topic: str
    rows: tuple[PagesRow, ...]
    labels: tuple[str, ...]
    matrix: tuple[tuple[str, tuple[tuple[str, int, str], ...]], ...]
    alike: str
    unlisted: int


def pages_boxes(compared: CrawlComparison, person: User) -> Iterator[PagesBox]:
    """One a topic with several crawls."""
    named = {crawl.pk: label for crawl, label in zip(compared.crawls, compared.labels, strict=True)}
    seen = {*visible_topics(person).values_list("pk", flat=True)}
    for group in compared.groups:
        if group.pages:
            yield _pages_box(group, named, group.topic.pk in seen)


def _pages_box(group: CrawlGroup, named: Mapping[int, str], linked: bool) -> PagesBox:
    sets = group.pages
    assert sets is not None
    all_of = "both" if len(sets.crawls) == 2 else f"all {len(sets.crawls)}"

    def link(by: Sequence[int], but: Sequence[int] = ()) -> str:
        if not linked:
            return ""
        match = {"crawl_match": Match.ALL} if len(by) > 1 else {}
        query = urlencode({"crawl": by, **match, "not_fetched_by": but}, doseq=True)
        return f"{reverse('collection:list', args=[group.topic.pk])}?{query}"

    def row(words: str, pages: int, address: str) -> PagesRow:
        return PagesRow(words, pages, share(pages / (sets.different or 1)), address)

    alone = (
        row(f"only {named[pk]}", sets.alone(pk), link([pk], [o for o in sets.crawls if o != pk]))
        for pk in sets.crawls
    )
    matrix = tuple(
        (
            named[pk],
            tuple(
                (share(both.share), _shade(both.share), link([other, pk]))
                for other in sets.crawls[:index]
                for both in [sets.shared(other, pk)]
            ),
        )
        for index, pk in enumerate(sets.crawls)
    )
    return PagesBox(
        group.topic.name,
        (row(f"in {all_of}", sets.in_all, link(sets.crawls)), *alone),
        tuple(named[pk] for pk in sets.crawls),
        matrix,
        _alike(group, all_of),
        sets.unlisted,
    )


def _shade(value: float | None) -> int:
    """One of the six steps of the counts' colours."""
    return min(5, int(6 * (value or 0.0)))


def _alike(group: CrawlGroup, all_of: str) -> str:
    sets = group.pages
    assert sets is not None
    if sets.same_order:
        return f"{all_of.capitalize()} fetched exactly the same pages, in the same order."
    if sets.same_pages:
        return f"{all_of.capitalize()} fetched exactly the same pages, in another order."
    if sets.alike_until == 1:
        return f"The first page is the same in {all_of}."
    if sets.alike_until:
        return (
            f"The first {count(sets.alike_until)} pages are the same in {all_of}, in the same "
            "order."
        )
    return ""
