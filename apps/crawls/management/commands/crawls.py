"""`crawlsite crawls`: a list of all crawls."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.crawls.models import Crawl
from apps.crawls.summaries import summary
from apps.jobs.tables import make_tables


class Command(BaseCommand):
    help = "List every crawl: topic, strategy, state, reason, pages, measures."
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print a JSON list instead of text")

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        crawls = [summary(c) for c in Crawl.objects.select_related("topic", "web").order_by("id")]
        if options["json"]:
            self.stdout.write(json.dumps(crawls, ensure_ascii=False, indent=1))
        elif crawls:
            self.stdout.write("\n".join(map(_line, crawls)))
        else:
            self.stderr.write("No crawl yet.")


def _line(crawl: dict[str, Any]) -> str:
    reason = (crawl["reason"] or "").replace("_", " ")
    rate = crawl["metrics"]["harvest_rate"]
    harvest = "–" if rate is None else f"{100 * rate:.0f} %"
    return (
        f"#{crawl['crawl']} {crawl['topic']} · {crawl['strategy']} on {crawl['web']} · "
        f"{crawl['state']} {reason} · {crawl['pages']:,} pages, harvest rate {harvest}"
    )
