"""The host of every address that a crawl has met."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from apps.crawls.models import Crawl, FrontierEntry
from apps.crawls.packing import pack_numbers, unpack_numbers
from apps.hosts.groups import spot_of
from apps.hosts.models import HostProgress, HostSummary, NumberedHosts
from apps.topics.lock import lock_topic

AT_ONCE = 5_000
CHUNK = 500
Spot = tuple[str, str]


def number_hosts(crawl: Crawl, most: int | None = None) -> int:
    """Gives each new address of a crawl its host, of at most so many; returns how many."""
    done = 0
    while most is None or done < most:
        if not (now := _number_chunk(crawl, AT_ONCE)):
            break
        done += now
    return done


def hosts_by_number(crawl: Crawl) -> NDArray[np.int32]:
    """The key of the host of each address of a crawl, by the address's number."""
    rows = NumberedHosts.objects.filter(crawl=crawl).order_by("start")
    parts = [unpack_numbers(row) for row in rows.values_list("hosts", flat=True).iterator()]
    return np.concatenate(parts) if parts else np.zeros(0, np.int32)


def progress_of(crawl: Crawl) -> HostProgress:
    """How far the crawl is counted."""
    return HostProgress.objects.get_or_create(crawl=crawl)[0]


def keys_of(topic_id: int, spots: Iterable[Spot]) -> dict[Spot, int]:
    """The keys of these hosts; new ones get a row."""
    wanted = list(dict.fromkeys(spots))
    keys: dict[Spot, int] = {}
    for start in range(0, len(wanted), CHUNK):
        some = wanted[start : start + CHUNK]
        keys |= _present(topic_id, some)
        HostSummary.objects.bulk_create(
            [HostSummary(topic_id=topic_id, unit=u, name=n) for u, n in some if (u, n) not in keys],
            ignore_conflicts=True,
        )
        keys |= _present(topic_id, [spot for spot in some if spot not in keys])
    return keys


def _present(topic_id: int, spots: list[Spot]) -> dict[Spot, int]:
    wanted = set(spots)
    names = [name for _, name in spots]
    rows = HostSummary.objects.filter(topic=topic_id, name__in=names)
    present = {(unit, name): pk for pk, unit, name in rows.values_list("pk", "unit", "name")}
    return {spot: pk for spot, pk in present.items() if spot in wanted}


def _number_chunk(crawl: Crawl, most: int) -> int:
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        before = progress_of(crawl).addresses
        rows = FrontierEntry.objects.filter(crawl=crawl, number__gte=before).order_by("number")
        entries = list(rows.values_list("number", "url", "parent")[:most])
        if not entries:
            return 0
        spots = [spot_of(url) for _, url, _ in entries]
        keys = keys_of(crawl.topic_id, spots)
        NumberedHosts.objects.create(
            crawl=crawl, start=before, hosts=pack_numbers([keys[spot] for spot in spots])
        )
        HostProgress.objects.filter(crawl=crawl).update(addresses=before + len(entries))
        parents: dict[int, int] = {}
        for spot, (_, _, parent) in zip(spots, entries, strict=True):
            parents.setdefault(keys[spot], parent)
        _date(crawl, parents)
    return len(entries)


def _date(crawl: Crawl, parents: Mapping[int, int]) -> None:
    """Writes when hosts were seen first, by the page that linked to their first address."""
    begun, keys = crawl.started_at or crawl.created_at, list(parents)
    for start in range(0, len(keys), CHUNK):
        some = {key: parents[key] for key in keys[start : start + CHUNK]}
        pages = crawl.pages_fetched.numbered([parent for parent in some.values() if parent >= 0])
        met = dict(pages.values_list("number", "fetched_at"))
        dated = []
        for row in HostSummary.objects.filter(pk__in=some):
            seen = met.get(some[row.pk], begun)
            if row.met_at is None or seen < row.met_at:
                row.met_at = seen
                dated.append(row)
        HostSummary.objects.bulk_update(dated, ["met_at"])
