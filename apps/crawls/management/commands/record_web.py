"""`crawlsite record_web CRAWL`: makes a recorded web of the pages that a crawl has fetched."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.crawls.errors import CrawlRefused
from apps.crawls.management.numbered import crawl_numbered
from apps.crawls.pages.recorded_web import web_of_pages
from apps.jobs.tables import make_tables
from apps.webs.opening import open_web


class Command(BaseCommand):
    help = (
        "Make a recorded web of a crawl's pages; those its judge calls relevant carry the label "
        "(SLC's virtual web: crawl breadth_first with --depth first). Answers with JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("crawl", type=int, help="the crawl's number")
        parser.add_argument(
            "--label",
            default="",
            metavar="NAME",
            help="the label of relevant pages (default: none)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        crawl = crawl_numbered(options["crawl"])
        label = options["label"].strip()
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,40}", label):
            raise CommandError("--label: use letters, digits, dashes and underscores, up to 40.")
        if label and not crawl.pages_fetched.filter(relevant=True).exists():
            raise CommandError(
                "The crawl's judge calls no page relevant, so there is nothing to label."
            )
        try:
            web = web_of_pages(crawl, label)
        except CrawlRefused as refused:
            raise CommandError(refused.message) from None
        opened = open_web(web)
        relevant = sum(label in opened.labels(url) for url in opened.urls()) if label else None
        answer = {
            "name": web.name,
            "pages": web.pages,
            "hosts": web.hosts,
            "label": label or None,
            "relevant": relevant,
        }
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
