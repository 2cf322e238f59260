"""The demo of the first start; run by `up` in a process of its own, which needs memory for it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from crawlsite import start_up


class Command(BaseCommand):
    help = "Make the demo web and topic and begin the demo crawl, once for a data folder."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        start_up.prepare_first_start()
