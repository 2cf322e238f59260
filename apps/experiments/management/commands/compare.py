"""`crawlsite compare CRAWL CRAWL …`: which of some crawls did better, and how certain that is."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from pydantic_core import to_jsonable_python

from apps.collection.indexing.index import list_pages
from apps.crawls.models import Crawl
from apps.experiments.results.crawls.chosen import MOST, read_numbers, refuse_wrong_number
from apps.experiments.results.crawls.comparison import CrawlComparison, as_dict, compare
from apps.experiments.results.crawls.course import CurveAxis
from apps.experiments.results.crawls.table import CrawlValue, MeasureValues
from apps.figures.quantities import NOTHING, count, probability
from apps.figures.units import UNITS
from apps.jobs.tables import make_tables
from apps.schemas.refused import Refused


class Command(BaseCommand):
    help = "Compares crawls: measures, parameters that differ, pages in common, and a sentence."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "crawls",
            nargs="+",
            metavar="CRAWL",
            help=f"numbers of crawls, up to {MOST}; the first is the baseline",
        )
        parser.add_argument(
            "--x",
            choices=[axis.value for axis in CurveAxis],
            default=CurveAxis.PAGES.value,
            help="the axis of areas: pages fetched or minutes at work",
        )
        parser.add_argument("--curves", action="store_true", help="with --json: include the curves")
        parser.add_argument(
            "--json", action="store_true", help="print a JSON object instead of text"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        crawls = _crawls(options["crawls"])
        for crawl in crawls:
            list_pages(crawl)
        comparison = compare(crawls, CurveAxis(options["x"]))
        if options["json"]:
            plain = to_jsonable_python(as_dict(comparison, options["curves"]))
            self.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(_lines(comparison)))


def _crawls(texts: list[str]) -> list[Crawl]:
    """These crawls, in their order. Raises CommandError."""
    try:
        numbers = read_numbers(texts)
        refuse_wrong_number(numbers)
    except Refused as refused:
        raise CommandError(refused.message) from None
    rows = Crawl.objects.select_related("topic", "web", "owner", "snapshot")
    crawls = rows.in_bulk(numbers)
    if missing := [number for number in numbers if number not in crawls]:
        raise CommandError(f"There is no crawl {missing[0]}; `crawlsite crawls` lists them.")
    return [crawls[number] for number in numbers]


def _lines(comparison: CrawlComparison) -> Iterator[str]:
    verdict = comparison.verdict
    yield from filter(None, (verdict.sentence, verdict.more))
    yield from (f"- {each.sentence}" for _, each in comparison.unlike)
    yield from (f"- {sentence}" for sentence in (*comparison.cautions, *verdict.cannot))
    for row in comparison.rows:
        yield from ("", *_measure(row, comparison))
    if comparison.settings:
        yield from ("", "Set up differently")
        yield from (
            f"  {each.name}: {' | '.join(map(_value, each.values))}" for each in comparison.settings
        )
    for group in comparison.groups:
        if group.pages:
            yield from (
                "",
                f"Pages of {group.topic.name}: {count(group.pages.different)} "
                f"different, {count(group.pages.in_all)} fetched by all",
            )
            for crawl in group.pages.crawls:
                yield f"  #{crawl}: {count(group.pages.alone(crawl))} of its own"
    for test in comparison.tests:
        yield (
            f"{test.measure.title}: {test.crawler} against {test.baseline}, {test.topics} "
            f"topics, {test.difference:+.3f}, p {probability(test.p)}, "
            f"after Holm {probability(test.holm)}"
        )


def _measure(row: MeasureValues, comparison: CrawlComparison) -> Iterator[str]:
    note = "" if row.comparable else " (not comparable)"
    yield f"{row.measure.title}{note}"
    width = max(map(len, comparison.labels))
    for crawl, label, cell in zip(comparison.crawls, comparison.labels, row.cells, strict=True):
        yield f"  #{crawl.pk} {label:<{width}}  {_figures(row, cell, comparison)}"


def _figures(row: MeasureValues, cell: CrawlValue | None, comparison: CrawlComparison) -> str:
    write = UNITS[row.measure.unit].write
    if cell is None:
        return NOTHING
    best = f"{write(cell.best.value)} at {cell.best.at:,.6g}" if cell.best else NOTHING
    at = (
        ""
        if comparison.common is None
        else f", at {count(comparison.common)} pages {write(cell.at_common)}"
    )
    return f"final {write(cell.final)}, best {best}, area {write(cell.area)}{at}"


def _value(value: Any) -> str:
    return NOTHING if value is None else str(value)
