"""Keeps the agents of this machine serving; started by `up --agents`."""

from __future__ import annotations

import logging
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.jobs.site import is_stopping
from apps.machines.registry import RedisDown
from apps.machines.tasks import keep_serving

log = logging.getLogger("crawlsite.agents")
ROUND_SECONDS = 1.0


class Command(BaseCommand):
    help = "Queue the agents of this machine again whose process was lost (part of up --agents)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("count", type=int, help="how many agents serve")

    def handle(self, *args: Any, **options: Any) -> None:
        from redis import RedisError

        trouble = ""
        while True:
            try:
                if not is_stopping(settings.DATA_DIR):
                    keep_serving(options["count"])
                trouble = ""
            except (RedisDown, RedisError, OSError) as error:
                if trouble != str(error):
                    trouble = str(error)
                    log.error("Redis cannot be reached; trying again. %s", trouble)
            time.sleep(ROUND_SECONDS)
