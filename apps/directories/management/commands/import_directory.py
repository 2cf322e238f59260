"""`crawlsite import_directory FILE`: a topic directory from an ODP dump, a CSV or a TSV."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.services import ensure_owner
from apps.directories.importing import import_directory, summary
from apps.directories.readers.listing import BadDirectoryFile
from apps.directories.readers.reading import read_directory
from apps.jobs.bar import progress_bar
from apps.jobs.tables import make_tables


class Command(BaseCommand):
    help = (
        "Import a topic directory: the Open Directory's content.rdf.u8, or lines "
        "url,topic[,title,description]; plain or gzipped. Answers with JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="RDF, CSV or TSV")
        parser.add_argument("--name", help="what to call it (default: the file's name)")

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        path: Path = options["file"]
        if not path.is_file():
            raise CommandError(f"There is no file {path}.")
        name = (options["name"] or path.name)[:200]
        try:
            with progress_bar(total=path.stat().st_size, unit="B", unit_scale=True) as bar:
                listed = read_directory(path, lambda read, of: bar.update(read - bar.n))
                directory = import_directory(ensure_owner(), name, listed)
        except BadDirectoryFile as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(summary(directory), ensure_ascii=False, indent=1))
