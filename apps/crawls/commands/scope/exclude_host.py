"""Excludes a host while the crawl runs, and includes it again; its links stay in the frontier."""

from __future__ import annotations

from apps.crawls.commands.command import Person, ask
from apps.crawls.commands.scope.exclusion import ExclusionRule
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, HostRecord
from apps.engine.crawl.steering import Steering

EXCLUDED, INCLUDED = "exclude_host", "include_host"


def exclude_host(crawl: Crawl, host: str, by: Person = None) -> None:
    """Sends the host no more requests until it is included again. Raises CrawlRefused."""
    _switch(crawl, host, True, by)


def include_host(crawl: Crawl, host: str, by: Person = None) -> None:
    """Lets requests be sent to an excluded host again. Raises CrawlRefused."""
    _switch(crawl, host, False, by)


def _switch(crawl: Crawl, host: str, excluded: bool, by: Person) -> None:
    if not host:
        raise CrawlRefused("host", "Give a host as it is in the table of hosts.")
    rows = HostRecord.objects.filter(crawl=crawl, host=host)
    if not rows.exists():
        raise CrawlRefused("host", f"The crawl knows no host “{host[:100]}”.")
    if not rows.filter(excluded=not excluded).update(excluded=excluded):
        raise CrawlRefused("host", f"{host} is {'' if excluded else 'not '}excluded.")
    ask(crawl, EXCLUDED if excluded else INCLUDED, {"host": host}, by)


def _is_excluded(crawl: Crawl, host: str) -> bool:
    return HostRecord.objects.filter(crawl=crawl, host=host, excluded=True).exists()


HOSTS = ExclusionRule("host", exclude_host, include_host, _is_excluded, words=str)
EXCLUDE_HOST = HOSTS.command(
    excludes=True,
    name=EXCLUDED,
    title="Exclude host",
    does="Sends a host no more requests; its links stay in the frontier, so that it can be"
    " included again without loss.",
    value="a host of the crawl",
    event="Host excluded",
    steer=Steering.exclude_host,
)
INCLUDE_HOST = HOSTS.command(
    excludes=False,
    name=INCLUDED,
    title="Include host",
    does="Lets requests be sent to an excluded host again.",
    value="an excluded host",
    event="Host included again",
    steer=Steering.include_host,
)
