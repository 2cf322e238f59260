"""The demo's process: made once for a data folder, then served; started by `up`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from crawlsite import start_up


class Command(BaseCommand):
    help = "Make the demo where it has not been made yet, and serve its web (part of up)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--fd", type=int, help="number of the open socket that listens")
        parser.add_argument("--port", type=int, help="the port of that socket")

    def handle(self, *args: Any, **options: Any) -> None:
        # What is made is served by the very process: drawing the web takes a second each time.
        web = start_up.make_demo(options["port"])
        call_command(
            "serve_web", web.name, fd=options["fd"], verbosity=0, latency=settings.DEMO_LATENCY
        )
