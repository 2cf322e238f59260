"""`crawlsite crawl TOPIC`: one crawl in the foreground."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.errors import CrawlRefused
from apps.crawls.lifecycle.lease import claim
from apps.crawls.management.crawl_options import (
    add_politeness_options,
    add_scope_options,
    settings_of,
)
from apps.crawls.measures.crawl_report import crawl_report
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.crawls.running.runner import Runner
from apps.crawls.services import create_crawl
from apps.crawls.sources.catalogue import overs
from apps.crawls.summaries import summary
from apps.engine.codes import State
from apps.engine.errors import EngineError
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.parents import POLICIES
from apps.jobs.bar import progress_bar
from apps.topics.management.named import topic_named
from apps.topics.management.progress import fetch_with_progress
from apps.topics.models import Example, Topic
from apps.webs.messages import error_words
from apps.webs.models import Web
from apps.webs.selectors import LIVE, live_web


class Command(BaseCommand):
    help = "Crawls for a topic in the foreground, with a progress bar."
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("topic", help="a topic's name or number")
        parser.add_argument("--strategy", required=True, metavar="ID")
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="a parameter of the strategy; may be given several times",
        )
        parser.add_argument("--pages", type=int, required=True, help="how many pages to fetch")
        parser.add_argument("--requests", type=int, help="the most requests (default: 5 × pages)")
        parser.add_argument("--hours", type=float, help="the most hours at work")
        parser.add_argument(
            "--recall", type=float, metavar="SHARE", help="stop at this estimated recall (0.8)"
        )
        parser.add_argument(
            "--slope",
            type=float,
            metavar="N",
            help="stop when 1,000 requests should add fewer relevant pages",
        )
        parser.add_argument(
            "--web",
            metavar="NAME",
            help=f"a recorded web, or {LIVE} for the live Web (default: the topic’s web)",
        )
        parser.add_argument(
            "--over",
            choices=overs(),
            help="read a recorded web from disk, or over HTTP if it is served",
        )
        parser.add_argument("--seed-value", type=int, metavar="S", help="the random seed")
        parser.add_argument(
            "--parents",
            choices=list(POLICIES),
            default="max",
            help="how several links to one page are combined",
        )
        parser.add_argument(
            "--order",
            choices=list(ORDERS),
            default="best_first",
            help="which waiting link is fetched next",
        )
        parser.add_argument("--judge", choices=["separate", "lc", "sl"], default="separate")
        parser.add_argument(
            "--earlier",
            type=int,
            metavar="ID",
            help="the crawl to learn from, for strategies that need one",
        )
        add_scope_options(parser)
        add_politeness_options(parser)
        parser.add_argument("--json", action="store_true", help="print the whole record")

    def handle(self, *args: Any, **options: Any) -> None:
        topic = topic_named(options["topic"])
        _fetch_examples(topic)
        try:
            web = web_named(options["web"], topic)
            crawl = _started(topic.owner, topic, web, **settings_of(options))
        except CrawlRefused as refused:
            option = " Give --earlier ID." if refused.field == "earlier" else ""
            raise CommandError(f"{refused.field}: {refused.message}{option}") from None
        crawl = _run(crawl)
        if options["json"]:
            record = summary(crawl, trajectory=True)
            record["measures"] = crawl_report(crawl).as_dict()
            self.stdout.write(json.dumps(record))
        self.stderr.write(f"Crawl {crawl.pk} {state_words(crawl).in_full}")
        if crawl.state == State.FAILED:
            sys.exit(1)


def _fetch_examples(topic: Topic) -> None:
    """Fetches the waiting examples: a crawl learns only from those that are there when it starts.

    Raises CommandError, also if a worker is fetching them now.
    """
    if not topic.examples.filter(fetch=Example.Fetch.WAITING).exists():
        return
    if topic.job_state == Topic.State.WORKING:
        raise CommandError(
            "A worker is fetching the topic’s examples: start the crawl when they are fetched."
        )
    try:
        fetch_with_progress(topic)
    except EngineError as error:
        raise CommandError(error_words(error)) from None


def _started(*what: Any, **how: Any) -> Crawl:
    """A crawl that this process may claim; it is deleted if it cannot start."""
    with transaction.atomic():
        return start_here(create_crawl(*what, **how))


def _run(crawl: Crawl) -> Crawl:
    claimed = claim(crawl.pk, crawl.epoch)
    if claimed is None:
        raise CommandError(f"Crawl {crawl.pk} was taken by a worker; watch it in the browser.")
    with progress_bar(total=claimed.budget, unit="page") as bar:

        def report(row: Crawl) -> None:
            bar.set_postfix(_figures(row), refresh=False)
            bar.update(row.pages - bar.n)

        Runner(claimed, keep=True, report=report).run()
    return Crawl.objects.select_related("topic", "web").get(pk=crawl.pk)


def _figures(crawl: Crawl) -> dict[str, str]:
    names = {"harvest": "harvest_rate", "recall": "target_recall", "α": "alpha"}
    values = {short: crawl.metrics.get(name) for short, name in names.items()}
    return {short: f"{value:.2f}" for short, value in values.items() if value is not None}


def web_named(name: str | None, topic: Topic) -> Web:
    """The web of that name; without a name the one the topic's pages come from. Raises
    CommandError, listing the webs."""
    if name is None:
        return topic.web or live_web()
    if name == LIVE:
        return live_web()
    web = Web.objects.filter(name=name).first()
    if web is None:
        names = ", ".join(Web.objects.values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no web {name}. Webs: {names}.")
    return web
