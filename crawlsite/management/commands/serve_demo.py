"""Makes the demo once per data folder, then serves it; started by `up`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from crawlsite import start_up


class Command(BaseCommand):
    help = "Make the demo if it is missing, and serve its web (part of up)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--fd", type=int, help="file descriptor of the listening socket")
        parser.add_argument("--port", type=int, help="the port of that socket")

    def handle(self, *args: Any, **options: Any) -> None:
        # The same process makes and serves the web, since generating it takes a second.
        web = start_up.make_demo(options["port"], self._report)
        call_command(
            "serve_web", web.name, fd=options["fd"], verbosity=0, latency=settings.DEMO_LATENCY
        )

    def _report(self, step: str) -> None:
        self.stdout.write(f"First start: {step}")
        self.stdout.flush()
