"""`manage.py compare CRAWL CRAWL …`: which of some crawls did better, and how certain that is."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from pydantic_core import to_jsonable_python

from apps.collection.indexing import list_pages
from apps.crawls.models import Crawl
from apps.experiments.compare.chosen import MOST, read_numbers, refuse_wrong_number
from apps.experiments.compare.comparison import Comparison, as_dict, compare
from apps.experiments.compare.course import Axis
from apps.experiments.compare.table import Cell, Row
from apps.figures.quantities import NOTHING, count, probability
from apps.figures.units import UNITS
from apps.jobs.tables import make_tables
from apps.schemas.input import Refused


class Command(BaseCommand):
    help = "Compares crawls: measures, parameters that differ, pages in common, and a sentence."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("crawls", nargs="+", metavar="CRAWL",
                            help=f"numbers of crawls, up to {MOST}; the first is the baseline")
        parser.add_argument("--x", choices=[axis.value for axis in Axis], default=Axis.PAGES.value,
                            help="the axis of areas: pages fetched or minutes at work")
        parser.add_argument("--curves", action="store_true", help="with --json: include the curves")
        parser.add_argument(
            "--json", action="store_true", help="print a JSON object instead of text"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        crawls = _crawls(options["crawls"])
        for crawl in crawls:
            list_pages(crawl)
        found = compare(crawls, Axis(options["x"]))
        if options["json"]:
            plain = to_jsonable_python(as_dict(found, options["curves"]))
            self.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(_lines(found)))


def _crawls(texts: list[str]) -> list[Crawl]:
    """These crawls, in their order. Raises CommandError."""
    try:
        numbers = read_numbers(texts)
        refuse_wrong_number(numbers)
    except Refused as refused:
        raise CommandError(refused.message) from None
    rows = Crawl.objects.select_related("topic", "web", "owner", "snapshot")
    found = rows.in_bulk(numbers)
    if missing := [number for number in numbers if number not in found]:
        raise CommandError(f"There is no crawl {missing[0]}; `manage.py crawls` lists them.")
    return [found[number] for number in numbers]


def _lines(found: Comparison) -> Iterator[str]:
    said = found.verdict
    yield from filter(None, (said.sentence, said.more))
    yield from (f"- {each.sentence}" for _, each in found.unlike)
    yield from (f"- {sentence}" for sentence in (*found.cautions, *said.cannot))
    for row in found.rows:
        yield from ("", *_measure(row, found))
    if found.settings:
        yield from ("", "Set up differently")
        yield from (f"  {each.name}: {' | '.join(map(_value, each.values))}"
                    for each in found.settings)
    for group in found.groups:
        if group.pages:
            yield from ("", f"Pages of {group.topic.name}: {count(group.pages.different)} "
                        f"different, {count(group.pages.in_all)} fetched by all")
            for crawl in group.pages.crawls:
                yield f"  #{crawl}: {count(group.pages.alone(crawl))} of its own"
    for test in found.tests:
        yield (f"{test.measure.title}: {test.crawler} against {test.baseline}, {test.topics} "
               f"topics, {test.difference:+.3f}, p {probability(test.p)}, "
               f"after Holm {probability(test.holm)}")


def _measure(row: Row, found: Comparison) -> Iterator[str]:
    note = "" if row.comparable else " (not comparable)"
    yield f"{row.measure.title}{note}"
    width = max(map(len, found.labels))
    for crawl, label, cell in zip(found.crawls, found.labels, row.cells, strict=True):
        yield f"  #{crawl.pk} {label:<{width}}  {_figures(row, cell, found)}"


def _figures(row: Row, cell: Cell | None, found: Comparison) -> str:
    say = UNITS[row.measure.unit].say
    if cell is None:
        return NOTHING
    best = f"{say(cell.best.value)} at {cell.best.at:,.6g}" if cell.best else NOTHING
    at = "" if found.common is None else f", at {count(found.common)} pages {say(cell.at_common)}"
    return f"final {say(cell.final)}, best {best}, area {say(cell.area)}{at}"


def _value(value: Any) -> str:
    return NOTHING if value is None else str(value)
