"""Keeps what was read in files of sites."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from apps.crawls.models import SiteFile, SiteFileClaim, SiteOptOut
from apps.engine.events import SiteFileRecord, SiteSign
from apps.engine.networking.robots import DAY
from apps.engine.urls import host_of_canonical


def write_site_files(topic_id: int, files: Sequence[SiteFileRecord]) -> None:
    """Writes readings of files in the caller's transaction: new signs begin with them, and signs
    that a certain reading lacks end."""
    if not files:
        return
    SiteFile.objects.bulk_create(
        [_site_file(topic_id, file) for file in _last_of_each(files)],
        update_conflicts=True,
        unique_fields=["topic", "origin", "path"],
        update_fields=["read_at", "status"],
    )
    for file in files:
        if file.is_certain:
            _write_signs(topic_id, file)


def claim_site_file(origin: str, path: str) -> bool:
    """Whether a file of a site is the caller's to ask for, since no crawl has claimed it within a
    day."""
    now = timezone.now()
    claims = SiteFileClaim.objects.filter(origin=origin, path=path)
    if claims.filter(at__lte=now - timedelta(seconds=DAY)).update(at=now):
        return True
    _, is_new = SiteFileClaim.objects.get_or_create(origin=origin, path=path, defaults={"at": now})
    return is_new


def _last_of_each(files: Sequence[SiteFileRecord]) -> list[SiteFileRecord]:
    return list({(file.origin, file.path): file for file in files}.values())


def _site_file(topic_id: int, file: SiteFileRecord) -> SiteFile:
    return SiteFile(
        topic_id=topic_id,
        origin=file.origin,
        host=_host(file),
        path=file.path,
        read_at=_moment(file),
        status=file.status,
    )


def _write_signs(topic_id: int, file: SiteFileRecord) -> None:
    rows = SiteOptOut.objects.filter(
        topic=topic_id, origin=file.origin, path=file.path, ended_at=None
    )
    stored = {_sign_of(row): row.pk for row in rows}
    at = _moment(file)
    still = [key for sign, key in stored.items() if sign in file.signs]
    ended = [key for sign, key in stored.items() if sign not in file.signs]
    SiteOptOut.objects.filter(pk__in=still).update(read_at=at)
    SiteOptOut.objects.filter(pk__in=ended).update(ended_at=at)
    SiteOptOut.objects.bulk_create(
        SiteOptOut(
            topic_id=topic_id,
            origin=file.origin,
            host=_host(file),
            path=file.path,
            form=sign.form,
            text=sign.text,
            reserves=sign.reserves,
            rules=sign.rules,
            since=at,
            read_at=at,
        )
        for sign in file.signs
        if sign not in stored
    )


def _sign_of(row: SiteOptOut) -> SiteSign:
    return SiteSign(row.form, row.path, row.text, row.reserves, row.rules)


def _host(file: SiteFileRecord) -> str:
    return host_of_canonical(file.origin + "/")


def _moment(file: SiteFileRecord) -> datetime:
    return datetime.fromtimestamp(file.read_at, UTC)
