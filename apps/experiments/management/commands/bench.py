"""`manage.py bench`: throughput, and the cost of each stage of a page."""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.experiments.bench import bench


class Command(BaseCommand):
    help = (
        "Crawl the demo web over real HTTP and time its stages, in microseconds of CPU a page. "
        "The figures depend on the machine and its load: compare within one run only."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pages", type=int, default=2000, help="pages to crawl (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 10 <= options["pages"] <= 20_000:
            raise CommandError("Give a number of pages from 10 to 20,000.")
        with tempfile.TemporaryDirectory() as folder:
            result = bench(options["pages"], Path(folder))
        json.dump(result.as_json(), sys.stdout, indent=1)
        self.stdout.write("")
