"""Writes what a batch has sent besides pages and failures, and the robots.txt it has read."""

from __future__ import annotations

from datetime import UTC, datetime

from django.utils import timezone

from apps.crawls.models import HostRequest, RobotsVersion
from apps.crawls.packing import compress
from apps.engine.events import Batch, RobotsReading
from apps.engine.urls import host_of_canonical


def moment(seconds: float) -> datetime:
    """Unix seconds as a time; now for 0."""
    return datetime.fromtimestamp(seconds, UTC) if seconds else timezone.now()


def write_requests(crawl_id: int, batch: Batch) -> None:
    """Writes the rows, in the caller's transaction."""
    if batch.requests:
        HostRequest.objects.bulk_create(
            HostRequest(
                crawl_id=crawl_id,
                host=host_of_canonical(hop.url),
                url=hop.url,
                at=moment(hop.at),
                purpose=purpose,
                status=hop.status,
                failure=hop.failure or "",
                size=hop.size,
                retry_after=hop.retry_after,
            )
            for purpose, hop in ((each.purpose, each.hop) for each in batch.requests)
        )
    if batch.robots:
        _write_robots(crawl_id, batch.robots)


def _write_robots(crawl_id: int, readings: tuple[RobotsReading, ...]) -> None:
    """A new row where the answer is another than at the last reading of the origin; else the last
    row's time rises."""
    hosts = {host_of_canonical(f"{each.origin}/") for each in readings}
    rows = RobotsVersion.objects.filter(crawl_id=crawl_id, host__in=hosts).defer("text")
    last = {row.origin: row for row in rows.order_by("id")}
    new: list[RobotsVersion] = []
    again: dict[int, RobotsVersion] = {}
    for reading in readings:
        at, row = moment(reading.at), last.get(reading.origin)
        if row is not None and _answer_of(row) == _answer_of(reading):
            row.last_at, row.reads = at, row.reads + 1
            if row.pk is not None:
                again[row.pk] = row
        else:
            new.append(_version(crawl_id, reading, at))
            last[reading.origin] = new[-1]
    RobotsVersion.objects.bulk_update(again.values(), ["last_at", "reads"])
    RobotsVersion.objects.bulk_create(new)


def _version(crawl_id: int, reading: RobotsReading, at: datetime) -> RobotsVersion:
    return RobotsVersion(
        crawl_id=crawl_id,
        host=host_of_canonical(f"{reading.origin}/"),
        origin=reading.origin,
        first_at=at,
        last_at=at,
        status=reading.status,
        failure=reading.failure,
        digest=reading.digest,
        size=reading.size,
        text=compress(reading.text),
    )


def _answer_of(version: RobotsVersion | RobotsReading) -> tuple[int | None, str, str]:
    return version.status, version.failure, version.digest
