"""Reads what files of a topic's sites reserve."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from apps.crawls.models import SiteFile, SiteOptOut
from apps.engine.crawl.fetching.site_opt_outs import reserving
from apps.engine.events import SiteFileRecord, SiteSign
from apps.engine.networking.robots import DAY
from apps.engine.parsing.opt_outs.site_catalogue import SITE_TITLES
from apps.topics.models import Topic

HOSTS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class HostOptOut:
    """A sign in a file of a host: the form's title, the file's path, what it says as written,
    whether that reserves something, since when crawls of the topic read it, and since when they no
    longer do."""

    title: str
    path: str
    text: str
    reserves: bool
    since: datetime
    read_at: datetime
    ended_at: datetime | None
    rules: str = ""


@dataclass(frozen=True, slots=True)
class HostFile:
    """A file of a host that was asked for: when it was read last, and the answer's status code."""

    path: str
    read_at: datetime
    status: int


@dataclass(frozen=True, slots=True)
class HostOptOuts:
    """The signs of a host, reservations first, and the files that they were looked for in."""

    signs: tuple[HostOptOut, ...]
    files: tuple[HostFile, ...]


def host_opt_outs(topic: Topic, host: str) -> HostOptOuts:
    """All opt-outs that a host's files have declared, including those withdrawn since."""
    rows = SiteOptOut.objects.filter(topic=topic, host=host).order_by("-reserves", "path", "since")
    files = SiteFile.objects.filter(topic=topic, host=host).order_by("path", "origin")
    return HostOptOuts(
        tuple(map(_host_opt_out, rows)),
        tuple(HostFile(file.path, file.read_at, file.status) for file in files),
    )


def _host_opt_out(row: SiteOptOut) -> HostOptOut:
    return HostOptOut(
        SITE_TITLES.get(row.form, row.form),
        row.path,
        row.text,
        row.reserves,
        row.since,
        row.read_at,
        row.ended_at,
        row.rules,
    )


class SiteReservations:
    """The opt-outs now in force on some hosts, for the pages of one topic."""

    def __init__(self, topic_id: int, hosts: Collection[str]) -> None:
        self._signs: dict[str, list[SiteSign]] = {}
        wanted = sorted(set(hosts))
        for start in range(0, len(wanted), HOSTS_AT_ONCE):
            rows = SiteOptOut.objects.filter(
                topic=topic_id,
                host__in=wanted[start : start + HOSTS_AT_ONCE],
                reserves=True,
                ended_at=None,
            )
            for row in rows:
                sign = SiteSign(row.form, row.path, row.text, row.reserves, row.rules)
                self._signs.setdefault(row.host, []).append(sign)

    def text(self, host: str, url: str) -> str:
        """The first sign that reserves something at a URL, as `robots.txt: …`, or empty."""
        sign = reserving(self._signs.get(host, ()), url)
        return f"{sign.path.rpartition('/')[2]}: {sign.text}" if sign is not None else ""


def files_of_today(origin: str) -> Sequence[SiteFileRecord]:
    """The last reading within a day of each file of an origin, by a crawl of any topic."""
    earliest = timezone.now() - timedelta(seconds=DAY)
    rows = SiteFile.objects.filter(origin=origin, read_at__gt=earliest).order_by("read_at")
    last = {row.path: row for row in rows}
    return [
        SiteFileRecord(origin, path, row.read_at.timestamp(), row.status, _signs(row))
        for path, row in last.items()
    ]


def _signs(file: SiteFile) -> tuple[SiteSign, ...]:
    rows = SiteOptOut.objects.filter(
        topic=file.topic_id, origin=file.origin, path=file.path, ended_at=None
    )
    return tuple(SiteSign(r.form, r.path, r.text, r.reserves, r.rules) for r in rows)
