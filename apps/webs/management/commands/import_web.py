"""`crawlsite import_web NAME FILE`: a recorded web from a file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.engine.errors import BadWebFile
from apps.jobs.bar import progress_bar
from apps.jobs.tables import make_tables
from apps.webs.importing import WebRefused, import_web
from apps.webs.messages import error_words

SHOWN = 20


class Command(BaseCommand):
    help = (
        "Import a recorded web: JSON lines, an array or a HAR file; WARC, ARC or WACZ, in any "
        "packing; a folder or zip of these or of HTML pages. Answers with JSON."
    )
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of the web")
        parser.add_argument("file", type=Path, nargs="+", help="several web archives make one web")
        parser.add_argument(
            "--leave-out-bad",
            action="store_true",
            help="skip lines that are not pages, take what can be read of a file that breaks off",
        )
        parser.add_argument(
            "--redirects", type=Path, metavar="FILE", help='JSON: {"from": "to"}, served as 301'
        )

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        try:
            with progress_bar(unit="B", unit_scale=True) as bar:

                def report(read: int, size: int, pages: int) -> None:
                    bar.total = size
                    bar.update(read - bar.n)

                web, summary = import_web(
                    options["name"],
                    options["file"],
                    options["redirects"],
                    report,
                    leave_out_bad=options["leave_out_bad"],
                )
        except WebRefused as refused:
            raise CommandError(str(refused)) from None
        except BadWebFile as error:
            raise CommandError(error_words(error)) from None
        except OSError as error:
            raise CommandError(f"The web could not be written: {error.strerror}.") from None
        answer = {
            "name": web.name,
            "pages": summary.pages,
            "hosts": summary.hosts,
            "redirects": summary.redirects,
            "skipped": dict(summary.skipped),
            "skipped_first": [
                {"line": s.line, "reason": s.reason, "what": s.what}
                for s in summary.examples[:SHOWN]
            ],
        }
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
