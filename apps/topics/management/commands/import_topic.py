"""`crawlsite import_topic FILE.json`: a topic from a file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.services import ensure_owner
from apps.engine.errors import EngineError
from apps.jobs.tables import make_tables
from apps.schemas.json_text import read_file
from apps.schemas.refused import Refused
from apps.topics.definition.schemas import TopicFile
from apps.topics.importing import import_report, import_topic
from apps.topics.management.progress import fetch_with_progress
from apps.webs.messages import error_words
from apps.webs.models import Web


class Command(BaseCommand):
    help = (
        "Import a topic from a JSON object: name, keywords, language, seeds, positives, negatives, "
        "targets, evaluation {positives, negatives}, web_label; and its inputs: inlinks {url: "
        "count}, backlinks [url] (pages that link to the examples), corpus [url] (unlabelled pages "
        "of the field), traffic {host: rank}, directory [domain] (listed sites, for reliability). "
        "An entry of a list of pages is a URL or {url, html}. Without positives, named negatives "
        "make the seeds the positives. Fetches the pages, politely, and trains the classifier"
        " before it ends; shows its progress on a terminal. Answers with JSON."
    )
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a JSON file")
        parser.add_argument(
            "--web",
            metavar="NAME",
            help="the recorded web its pages are read from (default: the live Web)",
        )
        parser.add_argument(
            "--replace", action="store_true", help="update a topic of the same name"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        web = None if options["web"] is None else _web_named(options["web"])
        try:
            file = TopicFile.read(read_file(options["file"]))
            saved = import_topic(
                ensure_owner(),
                file,
                web.pk if web else None,
                replace=options["replace"],
                fetch=fetch_with_progress,
            )
        except Refused as refused:
            raise CommandError(str(refused)) from None
        except EngineError as error:
            raise CommandError(error_words(error)) from None
        except OSError as error:
            raise CommandError(f"The pages could not be written: {error.strerror}.") from None
        self.stdout.write(json.dumps(import_report(saved), ensure_ascii=False, indent=1))


def _web_named(name: str) -> Web:
    web = Web.objects.filter(name=name).exclude(source=Web.Source.LIVE).first()
    if web is None:
        webs = Web.objects.exclude(source=Web.Source.LIVE)
        names = ", ".join(webs.values_list("name", flat=True)) or "none yet"
        raise CommandError(
            f"There is no web {name}. Webs: {names}. `crawlsite import_web` makes one."
        )
    return web
