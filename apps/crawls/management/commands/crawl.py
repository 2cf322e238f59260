"""`crawlsite crawl TOPIC`: one crawl in the foreground."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.crawls.commands.start import start_here
from apps.crawls.errors import CrawlRefused
from apps.crawls.lifecycle.lease import claim
from apps.crawls.management.numbered import crawl_numbered
from apps.crawls.measures.crawl_report import crawl_report
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.crawls.running.runner import Runner
from apps.crawls.schemas import PolitenessRules, ScopeRules
from apps.crawls.services import create_crawl
from apps.crawls.sources.catalogue import overs
from apps.crawls.summaries import summary
from apps.engine.codes import State
from apps.engine.errors import EngineError
from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.scope import LINKS_PER_PAGE, LISTED_PER_HOST
from apps.jobs.bar import progress_bar
from apps.schemas.input import Input
from apps.schemas.numbers import whole_number
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
        _add_scope(parser)
        _add_politeness(parser)
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


def _add_scope(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--only-host",
        action="append",
        metavar="HOST",
        dest="allow_hosts",
        help="stay on this host and its subdomains; may be given several times",
    )
    parser.add_argument(
        "--reach",
        choices=tuple(Reach),
        help="how far to go from the hosts of the topic that are in: to all hosts that are not out"
        " (default), one link beyond, or only to those in",
    )
    parser.add_argument(
        "--never-host",
        action="append",
        metavar="HOST",
        dest="deny_hosts",
        help="leave out this host and its subdomains; may be given several times",
    )
    parser.add_argument(
        "--never",
        action="append",
        metavar="PATTERN",
        dest="deny_patterns",
        help="leave out addresses like this, with * for anything; may be given several times",
    )
    parser.add_argument(
        "--only",
        action="append",
        metavar="PATTERN",
        dest="allow_patterns",
        help="take only addresses like this, with * for anything; may be given several times",
    )
    parser.add_argument(
        "--depth", type=int, metavar="N", help="the most links from a seed (default: no limit)"
    )
    parser.add_argument(
        "--host-pages",
        type=int,
        metavar="N",
        dest="pages_per_host",
        help="the most pages of one host (default: no limit)",
    )
    parser.add_argument(
        "--waiting",
        type=int,
        metavar="N",
        dest="frontier_cap",
        help="the most links that wait (default: no limit)",
    )
    parser.add_argument(
        "--links",
        type=int,
        metavar="N",
        dest="links_per_page",
        help=f"how many links of a page count (default: {LINKS_PER_PAGE:,})",
    )
    parser.add_argument(
        "--sitemaps",
        action=BooleanOptionalAction,
        default=None,
        dest="site_lists",
        help="ask hosts for their sitemaps and feeds (default: where requests are sent)",
    )
    parser.add_argument(
        "--listed",
        type=int,
        metavar="N",
        dest="listed_per_host",
        help=f"the most addresses of a host’s sitemaps and feeds (default: {LISTED_PER_HOST:,})",
    )
    parser.add_argument(
        "--documents",
        action=BooleanOptionalAction,
        default=None,
        help="read PDF and office documents like pages (default: on the live Web)",
    )
    parser.add_argument(
        "--language",
        action="append",
        metavar="CODE",
        dest="languages",
        help="leave out pages that are clearly in another language (may be repeated)",
    )
    parser.add_argument(
        "--main-text",
        action="store_true",
        default=None,
        help="judge pages by their main text, without menus and notices",
    )
    parser.add_argument(
        "--opt-out-files",
        action="store_true",
        default=None,
        help="ask each host for tdmrep.json and ai.txt, two requests a day",
    )
    parser.add_argument(
        "--obey-opt-outs",
        action="store_true",
        default=None,
        help="collect no page of which a use is reserved",
    )
    parser.add_argument(
        "--render",
        action="store_true",
        default=None,
        help="render pages that show their text only by script (needs Chromium)",
    )


def _add_politeness(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--delay", type=float, metavar="SECONDS", help="pause between two requests to one host"
    )
    parser.add_argument(
        "--at-once", type=int, metavar="N", dest="concurrent", help="the most requests at once"
    )
    parser.add_argument(
        "--redirects", type=int, metavar="N", help="the most redirects of an address (default: 10)"
    )
    parser.add_argument(
        "--contact", metavar="TEXT", help="what hosts are told in place of the site's contact"
    )
    parser.add_argument(
        "--header",
        action="append",
        metavar="NAME: VALUE",
        dest="headers",
        help="sent with every request; may be given several times",
    )
    parser.add_argument(
        "--hosts-per-domain",
        type=int,
        metavar="N",
        help="hosts of one registered domain that are asked at once (default: 2)",
    )
    parser.add_argument(
        "--hosts-per-address",
        type=int,
        metavar="N",
        help="hosts of one address that are asked at once (default: 10)",
    )
    parser.add_argument(
        "--page-kb",
        type=int,
        metavar="N",
        help="kilobytes read of a page (LC: 10; default: 10,240)",
    )
    parser.add_argument(
        "--pace",
        type=float,
        metavar="N",
        dest="pages_per_second",
        help="the most pages a second over all hosts (default: no limit)",
    )
    parser.add_argument(
        "--ignore-robots",
        action="store_false",
        default=None,
        dest="obey_robots",
        help="do not read robots.txt",
    )


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """What `create_crawl` takes, from the options of the command line. Raises CommandError."""
    return {
        "strategy": options["strategy"],
        "parameters": dict(_pair(text) for text in options["set"]),
        "budget": options["pages"],
        "request_limit": options["requests"],
        "hours": options["hours"],
        "recall": options["recall"],
        "slope": options["slope"],
        "random_seed": options["seed_value"],
        "over": options["over"],
        "parent_policy": options["parents"],
        "pick_order": options["order"],
        "judge": options["judge"],
        "scope": _sent_options(ScopeRules, options),
        "politeness": _sent_options(PolitenessRules, options),
        "earlier": None if options["earlier"] is None else crawl_numbered(options["earlier"]),
    }


def _sent_options(rules: type[Input], options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the rules that are given as options."""
    return {name: options[name] for name in rules.model_fields if options.get(name) is not None}


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


def topic_named(text: str) -> Topic:
    """The topic of that name or number. Raises CommandError, listing the topics."""
    topics = Topic.objects.filter(name=text) or Topic.objects.filter(pk=whole_number(text) or 0)
    if len(topics) == 1:
        return topics[0]
    if topics:
        numbers = ", ".join(str(topic.pk) for topic in topics)
        raise CommandError(f"Several topics are called {text}: give a number ({numbers}).")
    names = ", ".join(Topic.objects.values_list("name", flat=True)[:20]) or "none yet"
    raise CommandError(f"There is no topic {text}. Topics: {names}.")


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


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set {text}: write NAME=VALUE.")
    return name.strip(), value.strip()
