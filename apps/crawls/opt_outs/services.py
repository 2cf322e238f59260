"""Keeps what was read in files of sites."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
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
    for readings in _in_turns([file for file in files if file.is_certain]):
        _write_signs(topic_id, readings)


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


def _in_turns(files: Sequence[SiteFileRecord]) -> Iterator[list[SiteFileRecord]]:
    """The readings in as few lists as let each have a file once; a later reading is in a later
    list."""
    turns: defaultdict[tuple[str, str], list[SiteFileRecord]] = defaultdict(list)
    for file in files:
        turns[file.origin, file.path].append(file)
    while turns:
        yield [readings.pop(0) for readings in turns.values()]
        turns = defaultdict(list, {file: left for file, left in turns.items() if left})


def _write_signs(topic_id: int, files: Sequence[SiteFileRecord]) -> None:
    """Writes the signs of one reading of each of these files. Most sites reserve nothing, so all
    the files of a batch together cost one query."""
    stored: defaultdict[tuple[str, str], dict[SiteSign, SiteOptOut]] = defaultdict(dict)
    rows = SiteOptOut.objects.filter(
        topic=topic_id,
        host__in={_host(file) for file in files},
        origin__in={file.origin for file in files},
        ended_at=None,
    )
    for row in rows:
        stored[row.origin, row.path][_sign_of(row)] = row
    read: list[SiteOptOut] = []
    new: list[SiteOptOut] = []
    for file in files:
        at, standing = _moment(file), stored[file.origin, file.path]
        for sign, row in standing.items():
            if sign in file.signs:
                row.read_at = at
            else:
                row.ended_at = at
            read.append(row)
        signs = (sign for sign in file.signs if sign not in standing)
        new += (_opt_out(topic_id, file, sign, at) for sign in signs)
    SiteOptOut.objects.bulk_update(read, ["read_at", "ended_at"])
    SiteOptOut.objects.bulk_create(new)


def _opt_out(topic_id: int, file: SiteFileRecord, sign: SiteSign, at: datetime) -> SiteOptOut:
    return SiteOptOut(
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


def _sign_of(row: SiteOptOut) -> SiteSign:
    return SiteSign(row.form, row.path, row.text, row.reserves, row.rules)


def _host(file: SiteFileRecord) -> str:
    return host_of_canonical(file.origin + "/")


def _moment(file: SiteFileRecord) -> datetime:
    return datetime.fromtimestamp(file.read_at, UTC)
