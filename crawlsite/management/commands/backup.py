"""Writes everything stored into one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat

from apps.jobs.bar import progress_bar
from crawlsite import backup


class Command(BaseCommand):
    help = "Write the database and the data folder into one file, while the site runs or not."
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the new file, such as crawlsite.tar.gz")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        try:
            with progress_bar(unit="B", unit_scale=True) as bar:
                backup.write(settings.DATA_DIR, file, bar.update)
        except (backup.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file}: {filesizeformat(file.stat().st_size)}")
