"""`manage.py bench`: throughput, the cost of each stage of a page, and of a page in an
experiment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.engine.intelligence.strategies import CATALOGUE
from apps.research.bench.articles import SCRIPTS
from apps.research.bench.document import BUSY_GOAL, SCREEN_GOAL
from apps.research.bench.others import installed_crawlers
from apps.research.bench.runs import bench
from apps.research.bench.screens.own_site import bench_screens, saved_screens
from apps.research.bench.starts.costs import start_costs
from apps.research.bench.storage.costs import storage_cost
from apps.research.bench.strategy import strategy_costs

PAGES, SITE_PAGES = 2_000, 100_000
ROUNDS, SCREEN_ROUNDS = 3, 10


class Command(BaseCommand):
    help = (
        "Crawl a web of articles over real HTTP and time its stages, and a Full Page crawl of its "
        "pages as an experiment runs it (replay), in microseconds of CPU a page. "
        "The figures depend on the machine and its load: compare within one run only."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--pages",
            type=int,
            help=f"pages to crawl ({PAGES:,}); with --screens those of the large crawl"
            f" ({SITE_PAGES:,})",
        )
        parser.add_argument(
            "--rounds",
            type=int,
            help="how often all crawls, or screens, are measured in turn"
            f" ({ROUNDS}; with --screens {SCREEN_ROUNDS})",
        )
        parser.add_argument(
            "--script",
            choices=list(SCRIPTS),
            help="the script of all pages (default: most Latin, the others mixed in)",
        )
        parser.add_argument(
            "--others",
            metavar="PYTHON",
            default=sys.executable,
            help="a Python interpreter that has Scrapy or crawlee, which then crawl"
            " the same web in the same run (default: this one)",
        )
        parser.add_argument(
            "--save",
            type=Path,
            metavar="FOLDER",
            help="keep the figures there (docs/scale, of which `write_pages` writes docs/scale.md)",
        )
        parser.add_argument(
            "--strategies",
            nargs="+",
            default=[],
            metavar="ID",
            choices=[each.id for each in CATALOGUE],
            help="instead, the cost of a page by these strategies as the queue"
            " grows by about forty links a page",
        )
        parser.add_argument(
            "--screens",
            action="store_true",
            help="instead, milliseconds of every screen of a site with many pages and crawls, in"
            " a data folder and database of their own on the server of DATABASE_URL",
        )
        parser.add_argument(
            "--busy",
            action="store_true",
            help="with --screens: while two other processes crawl and index",
        )
        parser.add_argument(
            "--storage",
            action="store_true",
            help="instead, milliseconds of CPU of a page with its rows, of the crawl's process and"
            " of PostgreSQL, in a data folder and database as those of --screens",
        )
        parser.add_argument(
            "--crawls",
            type=int,
            default=1_000,
            help="with --screens: further crawls of some pages each (%(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["rounds"] is None:
            options["rounds"] = SCREEN_ROUNDS if options["screens"] else ROUNDS
        rounds = options["rounds"]
        if not 1 <= rounds <= 99:
            raise CommandError("Give a number of rounds from 1 to 99.")
        if options["screens"]:
            pages = options["pages"] or SITE_PAGES
            busy, folder = options["busy"], options["save"]
            self._bench_screens(pages, options["crawls"], rounds, busy, folder)
            return
        options["pages"] = options["pages"] or PAGES
        if not 10 <= options["pages"] <= 20_000:
            raise CommandError("Give a number of pages from 10 to 20,000.")
        if options["storage"]:
            self._bench_storage(options["pages"])
            return
        if options["strategies"]:
            costs = strategy_costs(options["strategies"], options["pages"])
            json.dump(
                {id: [asdict(each) for each in measured] for id, measured in costs.items()},
                sys.stdout,
                indent=1,
            )
            self.stdout.write("")
            return
        with tempfile.TemporaryDirectory() as folder:
            try:
                result = bench(
                    options["pages"],
                    Path(folder),
                    script=options["script"],
                    others=installed_crawlers(options["others"]),
                    python=options["others"],
                    rounds=rounds,
                )
            except subprocess.CalledProcessError as error:
                output = error.stderr[-800:]
                raise CommandError(f"Another crawler did not finish: {output}") from None
            except OSError as error:
                raise CommandError(f"There is no interpreter {error.filename}.") from None
        try:
            result = result.model_copy(update={"starts": start_costs(rounds)})
        except subprocess.CalledProcessError:
            raise CommandError("A short crawl of the bench did not finish.") from None
        if options["save"]:
            result.save(options["save"])
        self.stdout.write(result.model_dump_json(indent=1))

    def _bench_storage(self, pages: int) -> None:
        try:
            cost = storage_cost(pages)
        except subprocess.CalledProcessError:
            raise CommandError("The crawl of the bench did not finish.") from None
        self.stdout.write(json.dumps({**cost, "load": round(os.getloadavg()[0], 2)}, indent=1))

    def _bench_screens(
        self, pages: int, crawls: int, rounds: int, busy: bool, folder: Path | None
    ) -> None:
        if not (1_000 <= pages <= 1_000_000 and 20 <= crawls <= 100_000):
            raise CommandError("Give 1,000 to 1,000,000 pages and 20 to 100,000 crawls.")
        load = os.getloadavg()[0]
        try:
            timed = bench_screens(pages, crawls, rounds, busy)
        except subprocess.CalledProcessError:
            raise CommandError("The site of the bench could not be made or read.") from None
        read = [each for each in timed if each.status < 400]
        if folder:
            saved_screens(read, pages, crawls, rounds, busy, load).save(folder)
        self.stdout.write(
            "   CPU ms: first median    p95   wall ms: median    p95      kB  address"
        )
        for each in read:
            self.stdout.write(
                f"{each.first.cpu:15.0f} {each.median.cpu:6.0f} {each.p95.cpu:6.0f}"
                f" {each.median.wall:17.0f} {each.p95.wall:6.0f} {each.kilobytes:7.0f}"
                f"  {each.address}"
            )
        measure, goal = ("wall", BUSY_GOAL) if busy else ("cpu", SCREEN_GOAL)
        slow = sum(getattr(each.p95, measure) > goal for each in read)
        self.stdout.write(
            f"{len(read)} addresses read, {slow} above {goal} ms ({measure}) at the 95th"
            f" percentile; {len(timed) - len(read)} take forms only or lead to nothing here."
        )
