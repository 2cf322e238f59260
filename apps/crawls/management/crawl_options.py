"""The options of `crawlsite crawl`, and the settings of a crawl that they give."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from apps.crawls.management.numbered import crawl_numbered
from apps.crawls.schemas import PolitenessRules, ScopeRules
from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.scope import LINKS_PER_PAGE, LISTED_PER_HOST
from apps.schemas.input import Input


def add_scope_options(parser: ArgumentParser) -> None:
    """The options of where a crawl may go and what it takes."""
    _add_hosts_and_patterns(parser)
    _add_limits(parser)
    _add_lists_and_pages(parser)


def _add_hosts_and_patterns(parser: ArgumentParser) -> None:
    """The hosts and addresses that are in or out."""
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


def _add_limits(parser: ArgumentParser) -> None:
    """How far from the seeds and how much is taken."""
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


def _add_lists_and_pages(parser: ArgumentParser) -> None:
    """The lists of a site that are read, and what its pages must be."""
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


def add_politeness_options(parser: ArgumentParser) -> None:
    """The options of how hosts are asked."""
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
    """The arguments of `create_crawl`, from the command line. Raises CommandError."""
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
    """The rules that are given as options."""
    return {name: options[name] for name in rules.model_fields if options.get(name) is not None}


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set {text}: write NAME=VALUE.")
    return name.strip(), value.strip()
