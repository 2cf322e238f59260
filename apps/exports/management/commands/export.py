"""`manage.py export CRAWL --format csv`: a crawl's collection."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from apps.crawls.management.numbered import crawl_numbered
from apps.engine.errors import BadWebFile
from apps.exports.formats import FORMATS
from apps.exports.rows import Choice, Selection
from apps.jobs.tables import make_tables
from apps.webs.messages import error_words


class Command(BaseCommand):
    help = "Write the pages, the links or the frontier of a crawl to a file, or to stdout."
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("crawl", type=int, help="the crawl's number")
        parser.add_argument("--format", required=True, choices=list(FORMATS), help="; ".join(
            f"{format.id}: {format.words}" for format in FORMATS.values()))
        parser.add_argument("--relevant", action="store_true", help="relevant pages only")
        parser.add_argument("--without-seeds", action="store_true")
        parser.add_argument(
            "--topicality", type=float, metavar="TAU", help="at least this topicality"
        )
        parser.add_argument("--text", action="store_true",
                            help="with the pages' words, if the format can hold them")
        parser.add_argument("-o", "--output", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        crawl = crawl_numbered(options["crawl"])
        format = FORMATS[options["format"]]
        if options["text"] and not format.takes_text:
            takers = " or ".join(each.id for each in FORMATS.values() if each.takes_text)
            raise CommandError(f"--text goes with --format {takers}.")
        filtering = ("relevant", "without_seeds", "topicality")
        if not format.holds_pages and any(options[name] for name in filtering):
            raise CommandError(f"{format.title} holds {format.unit}s, not pages: no filter "
                               "applies to it.")
        choice = Choice(
            options["relevant"], options["without_seeds"], options["text"], options["topicality"]
        )
        data = format.export(Selection.of_crawl(crawl, choice))
        try:
            if options["output"] is None:
                _to_stdout(data)
            else:
                _to_file(data, options["output"])
        except BadWebFile as error:
            raise CommandError(error_words(error)) from None
        except OSError as error:
            raise CommandError(f"The export could not be written: {error.strerror}.") from None


def _to_stdout(data: Iterator[bytes]) -> None:
    """Writes to stdout, whose reader may stop early (`| head`) without an error."""
    try:
        _write(data, sys.stdout.buffer)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _to_file(data: Iterator[bytes], path: Path) -> None:
    """Writes the file under its name only when it is complete."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            _write(data, file)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write(data: Iterator[bytes], file: IO[bytes]) -> None:
    for piece in data:
        file.write(piece)
