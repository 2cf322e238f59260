"""`manage.py simulate_month`: one policy's month, on an empty data folder."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import ArgumentParser
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.months.policies import FOLDERS, RUN, run_alone


class Command(BaseCommand):
    help = (
        "Simulates a month of a watch by one policy on this data folder, which has to be empty:"
        " `watching` and the site's workers start it. Prints the number of visits after each, then"
        " the result as JSON; ends when its standard input does."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", help="policy, script of the web and requests, as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        watch = _InputWatch()
        watch.start()
        try:
            result = run_alone(RUN.validate_json(options["run"]), self._print)
        finally:
            # What fails because the folder goes is no failure.
            if watch.is_over.is_set():
                watch.join()
        # From here on the folder is that of the other process to delete.
        watch.is_needed = False
        self._print(result.model_dump_json())

    def _print(self, what: object) -> None:
        self.stdout.write(str(what))
        self.stdout.flush()


class _InputWatch(Thread):
    """Ends this process once whoever started it is gone, with the folder that was made for it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.is_over = Event()
        self.is_needed = True

    def run(self) -> None:
        # Unbuffered: a lock on the buffer would still be held when the process ends.
        while os.read(sys.stdin.fileno(), 1024):
            pass
        if not self.is_needed:
            return
        self.is_over.set()
        if settings.DATA_DIR.name.startswith(FOLDERS):
            # Nothing is written any more where there is no such folder.
            gone = settings.DATA_DIR.with_suffix(".gone")
            settings.DATA_DIR.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
        os._exit(1)
