"""`crawlsite import_recipe FILE`: a draft of a crawl from a recipe."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.services import account_named
from apps.crawls.summaries import summary
from apps.recipes.reruns import import_recipe
from apps.recipes.schemas import Recipe
from apps.schemas.json_text import read_file
from apps.schemas.refused import Refused
from apps.topics import tasks


class Command(BaseCommand):
    help = "Make a draft of a crawl from a recipe, with its topic; the examples are fetched now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a recipe as downloaded from a crawl's page")
        parser.add_argument(
            "--owner", metavar="NAME", help="the account that gets it (default: the owner's)"
        )
        parser.add_argument("--json", action="store_true", help="print the draft's record")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            recipe = Recipe.read(read_file(options["file"]))
            crawl = import_recipe(account_named(options["owner"]), recipe)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        if crawl.topic.work:
            tasks.run_here(crawl.topic)
        if options["json"]:
            self.stdout.write(json.dumps(summary(crawl), indent=1))
        self.stderr.write(f"Crawl {crawl.pk} is a draft of the topic {crawl.topic}.")
