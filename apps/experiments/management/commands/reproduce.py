"""`manage.py reproduce TABLE --web FILE`: reproduces a paper's table beside its published
figures."""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.engine.errors import EngineError
from apps.engine.networking.virtual_web import VirtualWeb
from apps.engine.networking.web_import import import_json_lines
from apps.experiments.reproduce import TABLES, Table
from apps.experiments.reproduce.hcla_protocol import QUERIES
from apps.experiments.reproduce.options import Options
from apps.experiments.reproduce.parted_web import ROOT_LABEL, PartedWeb
from apps.webs.opening import webs_folder


class Command(BaseCommand):
    help = "Reproduces a paper's table on a web of the same kind and prints it beside the paper's."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("table", choices=sorted(TABLES))
        parser.add_argument("--web", required=True, metavar="FILE",
                            help="JSON lines (plain or gzipped), or the name of an imported web")
        parser.add_argument("--redirects", metavar="FILE",
                            help="default: NAME.redirects.json beside NAME.jsonl.gz, if there")
        parser.add_argument("--pages", type=int, metavar="N",
                            help="the most pages of a crawl (default: all that can be reached)")
        parser.add_argument("--categories", nargs="+", default=(), metavar="NAME",
                            help=f"of {', '.join(QUERIES)}, or labels of the web for the tables "
                            "of LC and SL (default: the table's)")
        parser.add_argument("--universities", nargs="+", default=(), metavar="NAME",
                            help="parts of the web that have a department page (default: all)")
        parser.add_argument("--crawlers", nargs="+", default=(), metavar="ID",
                            help="lines of the table; a wrong name lists the right ones")
        parser.add_argument("--examples", type=int, metavar="N",
                            help="positive examples of a topic (default: the paper's 20 or 250)")
        parser.add_argument("--json", action="store_true", help="print all figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        table = TABLES[options["table"]]
        if not table.by_label:
            _require_known(options, "category", "categories", table.categories)
        if options["examples"] is not None and not (table.by_label and options["examples"] > 1):
            raise CommandError("--examples must be 2 or more." if table.by_label
                               else f"{options['table']} takes no --examples.")
        _require_known(options, "crawler", "crawlers", table.crawlers)
        if options["pages"] is not None and options["pages"] < 1:
            raise CommandError("--pages must be 1 or more.")
        try:
            with self._opened(options["web"], options["redirects"]) as web:
                found = table.reproduce(web, _options(web, table, options), self._say)
        except EngineError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            json.dump(found.as_dict(), sys.stdout, indent=1)
            self.stdout.write("")
        else:
            self.stdout.write(found.text())

    def _say(self, line: str) -> None:
        self.stderr.write(line)

    @contextmanager
    def _opened(self, web: str, redirects: str | None) -> Iterator[PartedWeb]:
        """The web of a file, imported into a temporary folder, or one that is imported already."""
        path = Path(web)
        if not path.is_file():
            if not _is_name(web) or not (webs_folder() / web).is_dir():
                raise CommandError(f"There is no file {web}, and no imported web of that name.")
            with self._parted(webs_folder() / web) as parted:
                yield parted
            return
        beside = Path(redirects) if redirects else _beside(path)
        if redirects and not Path(redirects).is_file():
            raise CommandError(f"There is no file {redirects}.")
        with tempfile.TemporaryDirectory(prefix="crawlsite-reproduce-") as folder:
            self._say(f"reading {path.name}" + (f" with {beside.name}" if beside else ""))
            import_json_lines(path, Path(folder) / "web", beside)
            with self._parted(Path(folder) / "web") as parted:
                yield parted

    @contextmanager
    def _parted(self, folder: Path) -> Iterator[PartedWeb]:
        web = VirtualWeb(folder)
        try:
            yield PartedWeb(web)
        finally:
            web.close()


def _options(web: PartedWeb, table: Table, options: dict[str, Any]) -> Options:
    if table.in_parts and not web.names:
        raise CommandError(
            "No part of this web can be crawled: a part needs `split` on its lines and one page"
            f" with the topic `{ROOT_LABEL}` to start from."
        )
    _require_known(
        options, "university", "universities", web.names if table.in_parts else ())
    return Options(
        web_name=Path(options["web"]).name,
        pages=options["pages"],
        categories=tuple(options["categories"]),
        universities=tuple(options["universities"]),
        crawlers=tuple(options["crawlers"]),
        examples=options["examples"],
    )


def _require_known(
    options: dict[str, Any], kind: str, name_of_all: str, known: Collection[str]
) -> None:
    """Refuses unknown names of an option, or the option itself if the table does not take it."""
    given = options[name_of_all]
    if given and not known:
        raise CommandError(f"{options['table']} takes no --{name_of_all}.")
    for name in given:
        if name not in known:
            raise CommandError(f"There is no {kind} {name}; there are: {', '.join(known)}.")


def _is_name(text: str) -> bool:
    return Path(text).name == text


def _beside(path: Path) -> Path | None:
    """`NAME.redirects.json` beside `NAME.jsonl` or `NAME.jsonl.gz`."""
    found = path.with_name(path.name.split(".jsonl")[0] + ".redirects.json")
    return found if found.is_file() else None
