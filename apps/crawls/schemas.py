"""The settings of a crawl: one schema for the form, the API, recipes and commands."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from apps.crawls.most import MOST_HOURS, MOST_PAGES, MOST_SLOPE, REQUESTS_A_PAGE
from apps.crawls.sources.catalogue import overs
from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.scope import LINKS_PER_PAGE, LISTED_PER_HOST
from apps.schemas.input import Input, Text, accepts
from apps.schemas.one_of import OneOf
from apps.search.languages import language_code

MOST_LISTED = 50_000
JUDGES = ("separate", "lc", "sl")


def _in(unit: str) -> dict[str, Any]:
    """Names the unit in the messages to people."""
    return {"json_schema_extra": {"unit": unit}}


Texts = Annotated[tuple[Text, ...], Field(max_length=10_000, strict=False)]


MOST_PATTERNS = 1_000
MOST_PATTERN_CHARACTERS = 20_000


def _affordable(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns, each of which is looked for in every address that a crawl finds."""
    if sum(map(len, patterns)) > MOST_PATTERN_CHARACTERS:
        raise ValueError("patterns of fewer characters")
    return patterns


MOST_HEADERS = 10
LONGEST_HEADER = 500
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]*:[ ]?[ -~]*[!-~]")
_OUR_HEADERS = frozenset(
    "accept-encoding authorization connection content-length cookie expect host keep-alive"
    " proxy-authorization te trailer transfer-encoding upgrade user-agent".split()
)
"""Headers that the fetcher sets, and those that would give a secret to every host."""


def _sendable(headers: tuple[str, ...]) -> tuple[str, ...]:
    """Lines as `Name: value`, which every host gets."""
    for line in headers:
        name = line.partition(":")[0].strip().lower()
        if not _HEADER.fullmatch(line) or len(line) > LONGEST_HEADER or name in _OUR_HEADERS:
            raise ValueError("headers as `Name: value`")
    return headers


Headers = Annotated[
    Texts,
    Field(max_length=MOST_HEADERS),
    AfterValidator(_sendable),
    accepts(
        f"up to {MOST_HEADERS} lines as `Name: value`, which every host gets; not"
        f" {', '.join(sorted(_OUR_HEADERS))}"
    ),
]
Contact = Annotated[
    str,
    Field(max_length=200, pattern=r"^[!-'*-~]([ -'*-~]*[!-'*-~])?$"),
    accepts("an address or page of up to 200 plain characters, without brackets"),
]

Patterns = Annotated[
    Texts,
    Field(max_length=MOST_PATTERNS),
    AfterValidator(_affordable),
    accepts(
        f"up to {MOST_PATTERNS:,} patterns, together of up to {MOST_PATTERN_CHARACTERS:,}"
        " characters; a host is a rule for hosts, which may be 10,000"
    ),
]


MOST_LANGUAGES = 20


def _codes(languages: tuple[str, ...]) -> tuple[str, ...]:
    """The codes of languages by code or English name, each once."""
    codes = [language_code(language) for language in languages]
    if None in codes:
        raise ValueError("languages by code or English name, as in de or German")
    return tuple(dict.fromkeys(filter(None, codes)))


Languages = Annotated[
    Texts,
    Field(max_length=MOST_LANGUAGES),
    AfterValidator(_codes),
    accepts(f"up to {MOST_LANGUAGES} languages by code or English name, as in de or German"),
]


class ScopeRules(Input):
    """The scope of a crawl. Hosts include their subdomains; patterns match whole addresses, with
    `*` for any characters; if any are allowed, an address has to match one of them. Null means no
    limit. With `site_lists` the sitemaps and feeds of sites are asked for, and each host adds at
    most `listed_per_host` addresses by them; null is yes where requests are sent, no on a recorded
    web. `documents`: whether PDF and office documents are read like pages, which a crawl of the
    live Web does unless it is false. With `opt_out_files` each host is asked for
    /.well-known/tdmrep.json and /ai.txt once a day; with `obey_opt_outs` no page is collected of
    which a use is reserved, by itself, its headers or a file of its site. With `render` pages that
    show their text only by script are rendered. Pages that are clearly in none of `languages`, if
    there are any, are not collected; their links are followed. With `main_text` pages are judged by
    their main text, without menus and notices, and links by the words around them as ever. `reach`
    is how far a crawl goes from the hosts of its topic that are in: to `all` hosts but those that
    are out, `one_link` beyond, or only to those `in`."""

    allow_hosts: Texts = ()
    deny_hosts: Texts = ()
    deny_patterns: Patterns = ()
    allow_patterns: Patterns = ()
    depth: Annotated[int | None, Field(ge=0, le=10_000)] = None
    pages_per_host: Annotated[int | None, Field(ge=1, le=MOST_PAGES)] = None
    frontier_cap: Annotated[int | None, Field(ge=1, le=MOST_PAGES)] = None
    links_per_page: Annotated[int | None, Field(ge=1, le=MOST_PAGES)] = LINKS_PER_PAGE
    site_lists: bool | None = None
    listed_per_host: Annotated[int, Field(ge=1, le=MOST_LISTED)] = LISTED_PER_HOST
    documents: bool = False
    opt_out_files: bool = False
    obey_opt_outs: bool = False
    render: bool = False
    reach: Annotated[str, OneOf(tuple(Reach))] = Reach.ALL.value
    languages: Languages = ()
    main_text: bool = False


class PolitenessRules(Input):
    """Seconds between two requests to one host, robots.txt, the most requests at once, how often a
    request is repeated after a temporary failure, the kilobytes read of a page, the pages a
    second over all hosts, how many hosts of one registered domain, and of one address, are
    asked at once, and the most redirects that are followed. `contact` is what hosts are told in
    place of the site's contact, `headers` are sent with every request. Values left out are the
    web's defaults."""

    delay: Annotated[float | None, Field(ge=0, le=3600, **_in("seconds"))] = None
    obey_robots: bool | None = None
    concurrent: Annotated[int | None, Field(ge=1, le=100, **_in("requests"))] = None
    retries: Annotated[int | None, Field(ge=0, le=10)] = None
    page_kb: Annotated[int | None, Field(ge=1, le=10_240, **_in("kilobytes"))] = None
    pages_per_second: Annotated[float | None, Field(ge=0.1, le=1000, **_in("pages a second"))] = (
        None
    )
    redirects: Annotated[int | None, Field(ge=1, le=20, **_in("redirects"))] = None
    contact: Contact | None = None
    headers: Headers | None = None
    hosts_per_domain: Annotated[int | None, Field(ge=1, le=100, **_in("hosts"))] = None
    hosts_per_address: Annotated[int | None, Field(ge=1, le=100, **_in("hosts"))] = None

    def rules(self) -> dict[str, Any]:
        """The rules that differ from the web's defaults."""
        return {name: value for name, value in self.sent_values().items() if value is not None}


class CrawlSettings(Input):
    """All settings of a crawl but its topic, its web and the crawl it learns from.

    `over`: whether a recorded web is read from disk (`record`) or over HTTP if it is served.
    `hours` at work, `recall` (the estimated share of the relevant pages found) and `slope` (the
    fewest relevant pages to be expected of 1,000 requests) end the crawl too.
    """

    strategy: Text
    budget: Annotated[int, Field(ge=1, le=MOST_PAGES, **_in("pages"))]
    hours: Annotated[float | None, Field(ge=0.01, le=MOST_HOURS, **_in("hours"))] = None
    recall: Annotated[float | None, Field(ge=0.01, le=1)] = None
    slope: Annotated[float | None, Field(gt=0, le=MOST_SLOPE)] = None
    parameters: dict[str, Any] = {}
    random_seed: Annotated[int | None, Field(ge=0, le=2**62 - 1)] = None
    over: Annotated[str, OneOf(overs())] | None = None
    request_limit: Annotated[int | None, Field(ge=1, le=REQUESTS_A_PAGE * MOST_PAGES)] = None
    scope: ScopeRules = ScopeRules()
    politeness: PolitenessRules = PolitenessRules()
    parent_policy: Annotated[str, OneOf(POLICIES)] = "max"
    pick_order: Annotated[str, OneOf(ORDERS)] = "best_first"
    judge: Annotated[str, OneOf(JUDGES)] = "separate"
