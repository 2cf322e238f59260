"""`manage.py write_pages`: the pages of docs/ that are generated."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.research import deviations
from apps.research.pages import PAGES
from apps.schemas.refused import Refused


class Command(BaseCommand):
    help = "Writes the pages of the documentation that report saved results, and the deviations."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--docs",
            type=Path,
            default=settings.BASE_DIR / "docs",
            metavar="FOLDER",
            help="NAME.md is written there, of the results in its folder NAME (%(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for name, write in PAGES.items():
            results = options["docs"] / name
            if not results.is_dir():
                continue
            try:
                text = write(results)
            except Refused as refused:
                raise CommandError(str(refused)) from None
            self._write(options["docs"], name, text)
        self._write(options["docs"], "deviations", deviations.write_document())

    def _write(self, docs: Path, name: str, text: str) -> None:
        page = docs / f"{name}.md"
        page.write_text(text, "utf-8")
        self.stdout.write(f"{page}")
