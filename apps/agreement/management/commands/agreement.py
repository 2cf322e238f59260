"""`crawlsite agreement TOPIC`: how far the people who label a topic's pages agree."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.agreement import words
from apps.agreement.answers import PageAnswers, people_of, read_answers
from apps.agreement.comparing import compare, parts
from apps.agreement.disagreements import counted_pages
from apps.agreement.tables import csv_lines
from apps.topics.annotation import guideline_of
from apps.topics.models import Topic


class Command(BaseCommand):
    help = "Prints how far the people who label a topic's pages agree, by parts, and what is open."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("topic", type=int, help="the number of the topic")
        parser.add_argument("--csv", type=Path, metavar="FILE", help="writes all labels to FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        topic = Topic.objects.filter(pk=options["topic"]).first()
        if topic is None:
            raise CommandError(f"There is no topic {options['topic']}.")
        pages = read_answers(topic)
        people = people_of(pages)
        counts = (
            f"{each.get_username()} {sum(each.pk in page.labels for page in pages):,}"
            for each in people
        )
        self.stdout.write(f"{topic.name}: {', '.join(counts) or 'no labels'}")
        if len(people) > 1:
            self._print_agreement(topic, pages)
        if options["csv"]:
            self._write(topic, pages, options["csv"])

    def _print_agreement(self, topic: Topic, pages: list[PageAnswers]) -> None:
        people = people_of(pages)
        table = parts(pages, people, guideline_of(topic))
        self.stdout.write(words.measure_words(table[0]))
        self.stdout.write(f"{'part':30}{'shared':>8}{'differ':>8}{'value':>8}  interval")
        for part in table:
            value = "" if part.value is None else f"{part.value:.2f}"
            interval = words.interval_words(part.interval) if part.interval else ""
            self.stdout.write(
                f"{part.title:30}{part.pages:>8,}{part.differ:>8,}{value:>8}  {interval}".rstrip()
            )
        if len(people) > 2:
            for pair in compare(pages, people):
                kappa = pair.agreement.kappa
                value = "–" if kappa is None else f"{kappa:.2f}"
                names = f"{pair.first.get_username()}, {pair.second.get_username()}"
                self.stdout.write(f"{names}: {pair.agreement.pages:,} shared, kappa {value}")
        counted = counted_pages(topic, pages)
        self.stdout.write(f"{counted.count:,} pages train, {counted.left_out:,} do not")

    def _write(self, topic: Topic, pages: list[PageAnswers], path: Path) -> None:
        with path.open("wb") as file:
            file.writelines(csv_lines(topic, pages))
