"""The settings of a crawl: one schema for the form, the API, recipes and commands."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from apps.crawls.sources.catalogue import overs
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.scope import LINKS_PER_PAGE
from apps.schemas.input import Input, Text

MOST_PAGES = 10_000_000
MOST_HOURS = 10_000
MOST_SLOPE = 1_000
REQUESTS_A_PAGE = 5
JUDGES = ("separate", "lc", "sl")


def _in(unit: str) -> dict[str, Any]:
    """Names the unit in the messages to people."""
    return {"json_schema_extra": {"unit": unit}}


Texts = Annotated[tuple[Text, ...], Field(max_length=10_000, strict=False)]


class ScopeRules(Input):
    """Where a crawl may go. Hosts include their subdomains; patterns match whole addresses, with
    `*` for anything. Null means no limit."""

    allow_hosts: Texts = ()
    deny_hosts: Texts = ()
    deny_patterns: Texts = ()
    depth: Annotated[int | None, Field(ge=0, le=10_000)] = None
    pages_per_host: Annotated[int | None, Field(ge=1, le=MOST_PAGES)] = None
    frontier_cap: Annotated[int | None, Field(ge=1, le=MOST_PAGES)] = None
    links_per_page: Annotated[int | None, Field(ge=1, le=MOST_PAGES)] = LINKS_PER_PAGE


class PolitenessRules(Input):
    """Seconds between two requests to one host, robots.txt, the most requests at once, how often a
    request is repeated after a temporary failure, the kilobytes read of a page, and the pages a
    second over all hosts. Values left out are the web's defaults."""

    delay: Annotated[float | None, Field(ge=0, le=3600, **_in("seconds"))] = None
    obey_robots: bool | None = None
    concurrent: Annotated[int | None, Field(ge=1, le=100, **_in("requests"))] = None
    retries: Annotated[int | None, Field(ge=0, le=10)] = None
    page_kb: Annotated[int | None, Field(ge=1, le=10_240, **_in("kilobytes"))] = None
    pages_per_second: Annotated[
        float | None, Field(ge=0.1, le=1000, **_in("pages a second"))
    ] = None

    def rules(self) -> dict[str, Any]:
        """The rules that differ from the web's defaults."""
        return {name: value for name, value in self.given().items() if value is not None}


class CrawlSettings(Input):
    """All settings of a crawl but its topic, its web and the crawl it learns from.

    `over` says whether a recorded web is read from disk (`record`) or over HTTP if it is served.
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
    over: Literal[*overs()] | None = None
    request_limit: Annotated[int | None, Field(ge=1, le=REQUESTS_A_PAGE * MOST_PAGES)] = None
    scope: ScopeRules = ScopeRules()
    politeness: PolitenessRules = PolitenessRules()
    parent_policy: Literal[*POLICIES] = "max"
    pick_order: Literal[*ORDERS] = "best_first"
    judge: Literal[*JUDGES] = "separate"
