"""Puts the data folder of a site that has run without a bucket into one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.figures.quantities import number_of
from apps.jobs import site
from apps.jobs.tables import make_tables
from apps.stored_files.errors import StoreDown
from apps.stored_files.files import is_elsewhere
from crawlsite.filling import fill


class Command(BaseCommand):
    help = "Put the files that only the data folder has into the bucket, while the site is ended."
    requires_system_checks = ["crawlsite"]

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_elsewhere():
            raise CommandError("There is no bucket: name one in CRAWLSITE_S3_BUCKET.")
        try:
            with site.take(settings.DATA_DIR):
                make_tables()
                added = fill(settings.DATA_DIR)
        except site.AlreadyRunning as error:
            raise CommandError(str(error)) from error
        except StoreDown as error:
            raise CommandError(f"{error}. What is in the bucket stays there: try again.") from error
        self.stdout.write(
            f"{number_of(added, 'file')} of {settings.DATA_DIR} put into the bucket"
            f" {settings.S3_BUCKET}; all others were there."
        )
