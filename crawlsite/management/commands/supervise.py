"""Restarts lost crawls and indexes new pages, every second; started by `up`."""

from __future__ import annotations

import logging
import os
import signal
import time
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from apps.collection import tasks as collection
from apps.crawls.pages.trimming import trim
from apps.crawls.running import supervisor
from apps.crawls.running.watchdog import Watchdog, backlog
from apps.dossiers.taking_down import erase_due
from apps.experiments.cells.queueing import tick
from apps.experiments.services import start_where_ready
from apps.exports.stored import delete_expired
from apps.jobs import queue
from apps.machines import workers
from apps.machines.registry import RedisDown
from apps.machines.watch import watch
from apps.papers.services import take_steps_due
from apps.stored_files.errors import StoreDown
from apps.watches.deliveries import retry_due
from apps.watches.digests import begin_digests
from apps.watches.visits import scheduling

log = logging.getLogger("crawlsite.supervisor")
ROUND_SECONDS = 1.0
ALIVE_SECONDS = 5.0
TRIM_SECONDS = 60.0


class Command(BaseCommand):
    help = "Queue crawls again whose runner or task was lost, and watch the workers (part of up)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--head", type=int, help="process to send SIGUSR1 when the crawl workers take nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rounds = Rounds(options["head"])
        while True:
            rounds.go()
            time.sleep(ROUND_SECONDS)


class Rounds:
    """Runs rounds repeatedly; a failure is reported once, not every second."""

    def __init__(self, head: int | None) -> None:
        self._head = head
        self._watchdog = Watchdog(settings.WATCHDOG_SECONDS)
        self._trouble = ""
        self._alive_at = -ALIVE_SECONDS
        self._trimmed_at = time.monotonic()

    def go(self) -> None:
        try:
            self._round()
        except Exception as error:
            # The cause (a database that restarts, no Redis) may be gone in the next round.
            self._report(f"{type(error).__name__}: {error}".strip())
            connection.close()
        else:
            self._report("")

    def _round(self) -> None:
        if time.monotonic() >= self._alive_at + ALIVE_SECONDS:
            workers.report_alive()
            self._watch()
            self._alive_at = time.monotonic()
        if time.monotonic() >= self._trimmed_at + TRIM_SECONDS:
            self._trimmed_at = time.monotonic()
            self._trim()
        for done in supervisor.tick():
            log.info(done)
        collection.ask_where_due()
        now = timezone.now()
        for done in (
            *scheduling.tick(now),
            *begin_digests(now),
            *retry_due(now),
            *erase_due(now),
        ):
            log.info(done)
        for done in (*queue.requeue_lost(), *start_where_ready(), *take_steps_due(), *tick()):
            log.info(done)
        if self._watchdog.is_stuck(backlog(), time.monotonic()):
            log.warning("A crawl waits although a worker is free.")
            if self._head:
                os.kill(self._head, signal.SIGUSR1)

    def _watch(self) -> None:
        with suppress(RedisDown):  # the next round asks again
            watch()

    def _trim(self) -> None:
        try:
            for done in delete_expired():
                log.info(done)
            freed = trim()
        except StoreDown as error:
            log.warning("Stored pages cannot be trimmed here: %s", error)
        else:
            if freed:
                log.info("%.0f MB of stored pages were deleted here", freed / 2**20)

    def _report(self, trouble: str) -> None:
        if trouble and trouble != self._trouble:
            log.error("Crawls cannot be supervised at the moment; trying again. %s", trouble)
        elif self._trouble and not trouble:
            log.info("Crawls are supervised again.")
        self._trouble = trouble
