"""`crawlsite export CRAWL --format csv`: a crawl's collection."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError
from django.http import QueryDict

from apps.collection.indexing.index import index_texts, list_pages, progress_of
from apps.collection.indexing.reading import read_pages
from apps.collection.search import search_crawl_of_site
from apps.crawls.management.numbered import crawl_numbered
from apps.crawls.models import Crawl
from apps.engine.errors import BadWebFile
from apps.exports.columns import UnknownColumn
from apps.exports.formats import FORMATS
from apps.exports.row_choice import RowChoice
from apps.exports.searches import selection_of
from apps.figures.quantities import number_of
from apps.jobs.tables import make_tables
from apps.webs.messages import error_words


class Command(BaseCommand):
    help = "Write the pages, the links or the frontier of a crawl to a file, or to stdout."
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("crawl", type=int, help="the crawl's number")
        parser.add_argument(
            "--format",
            required=True,
            choices=list(FORMATS),
            help="; ".join(f"{format.id}: {format.words}" for format in FORMATS.values()),
        )
        parser.add_argument("--relevant", action="store_true", help="relevant pages only")
        parser.add_argument("--without-seeds", action="store_true")
        parser.add_argument(
            "--without-duplicates", action="store_true", help="one of each group of near-duplicates"
        )
        parser.add_argument(
            "--without-script-only", action="store_true", help="without pages that need JavaScript"
        )
        parser.add_argument(
            "--topicality",
            type=float,
            metavar="TAU",
            help="at least this topicality, in steps of 0.05",
        )
        parser.add_argument(
            "--columns", metavar="NAME,NAME", help="the columns in their order, of those with any"
        )
        parser.add_argument("-o", "--output", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        crawl = crawl_numbered(options["crawl"])
        format = FORMATS[options["format"]]
        if format.missing:
            raise CommandError(f"{format.missing}.")
        asked = _query(options)
        if asked and not format.holds_pages:
            raise CommandError(
                f"{format.title} holds {format.unit}s, not pages: no filter applies to it."
            )
        if options["columns"] and not format.columns:
            raise CommandError(f"{format.title} has no columns to choose.")
        try:
            choice = RowChoice.read(asked)
        except UnknownColumn as error:
            raise CommandError(str(error)) from None
        if choice.without_duplicates or format.columns:
            _read_texts(crawl)
        search = search_crawl_of_site(crawl, asked)
        data = format.export(selection_of(search, format, None, choice))
        try:
            if options["output"] is None:
                _to_stdout(data)
            else:
                _to_file(data, options["output"])
        except BadWebFile as error:
            raise CommandError(error_words(error)) from None
        except OSError as error:
            raise CommandError(f"The export could not be written: {error.strerror}.") from None


def _read_texts(crawl: Crawl) -> None:
    """Indexes and reads the pages that no worker has read yet, for the columns of their texts."""
    list_pages(crawl)
    index_texts(crawl)
    if (progress := progress_of(crawl)) is None:
        return
    if number := progress.indexed - progress.read:
        print(f"Reading the text of {number_of(number, 'page')}.", file=sys.stderr)
    read_pages(progress)


def _query(options: Mapping[str, Any]) -> QueryDict:
    """The options as the parameters of a search."""
    query = QueryDict(mutable=True)
    for name in ("relevant", "without_seeds", "without_duplicates", "without_script_only"):
        if options[name]:
            query[name] = "1"
    if options["topicality"] is not None:
        query["tau_from"] = str(options["topicality"])
    if options["columns"]:
        query["columns"] = options["columns"]
    return query


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
