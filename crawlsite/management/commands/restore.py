"""Fills a new data folder and an empty database with a backup."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from crawlsite import backup


class Command(BaseCommand):
    help = "Fill a new data folder and an empty database with what the command backup wrote."
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backup.restore(settings.DATA_DIR, options["file"])
        except (backup.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored into {settings.DATA_DIR}. Crawls go on at the next start.")
