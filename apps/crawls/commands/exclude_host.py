"""Excludes a host while the crawl runs, and includes it again; its links stay in the frontier."""

from __future__ import annotations

from apps.crawls.commands.command import (
    Command,
    EventKind,
    Payload,
    Person,
    Undo,
    ask,
    unless_running,
)
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, HostRecord

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
    known = HostRecord.objects.filter(crawl=crawl, host=host)
    if not known.exists():
        raise CrawlRefused("host", f"The crawl knows no host “{host[:100]}”.")
    if not known.filter(excluded=not excluded).update(excluded=excluded):
        raise CrawlRefused("host", f"{host} is {'' if excluded else 'not '}excluded.")
    ask(crawl, EXCLUDED if excluded else INCLUDED, {"host": host}, by)


def _is_excluded(crawl: Crawl, payload: Payload) -> bool:
    return HostRecord.objects.filter(crawl=crawl, host=payload["host"], excluded=True).exists()


def _host(payload: Payload) -> str:
    return str(payload["host"])


def _about(payload: Payload) -> tuple[str, str]:
    return "host", _host(payload)


def _exclude(crawl: Crawl, value: str, by: Person) -> str:
    exclude_host(crawl, value, by)
    return unless_running(crawl)


def _include(crawl: Crawl, value: str, by: Person) -> str:
    include_host(crawl, value, by)
    return unless_running(crawl)


EXCLUDE_HOST = Command(
    name=EXCLUDED,
    title="Exclude host",
    does="Sends a host no more requests; its links stay in the frontier, so that it can be"
    " included again without loss.",
    act=_exclude,
    value="a host of the crawl",
    events=(
        EventKind(
            EXCLUDED, "Host excluded", _host,
            apply=lambda steering, p: steering.exclude_host(p["host"]),
            undo=Undo(
                _about, stands=_is_excluded,
                carry_out=lambda crawl, p, by: include_host(crawl, p["host"], by),
            ),
        ),
    ),
)
INCLUDE_HOST = Command(
    name=INCLUDED,
    title="Include host",
    does="Lets requests be sent to an excluded host again.",
    act=_include,
    value="an excluded host",
    events=(
        EventKind(
            INCLUDED, "Host included again", _host,
            apply=lambda steering, p: steering.include_host(p["host"]),
            undo=Undo(
                _about, stands=lambda crawl, p: not _is_excluded(crawl, p),
                carry_out=lambda crawl, p, by: exclude_host(crawl, p["host"], by),
            ),
        ),
    ),
)
