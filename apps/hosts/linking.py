"""The links between hosts, summed up from the links of pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from apps.crawls.models import Crawl, Outlinks, Page
from apps.crawls.packing import Blob, unpack_numbers
from apps.hosts.models import HostProgress
from apps.hosts.numbering import hosts_by_number, progress_of
from apps.topics.lock import lock_topic

CHUNK = 500
_ADD = """
INSERT INTO hosts_hostlink (crawl_id, source_id, target_id, links) VALUES (%s, %s, %s, %s)
ON CONFLICT (crawl_id, source_id, target_id) DO UPDATE SET links = hosts_hostlink.links + %s
"""


def link_hosts(crawl: Crawl) -> int:
    """Adds the links of a crawl's new pages, whose addresses have their hosts; returns how many
    pages."""
    if progress_of(crawl).pages >= crawl.pages:
        return 0
    hosts, done = hosts_by_number(crawl), 0
    while now := _link_chunk(crawl, hosts):
        done += now
    return done


def _link_chunk(crawl: Crawl, hosts: NDArray[np.int32]) -> int:
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        before = progress_of(crawl).pages
        rows = Outlinks.objects.filter(crawl=crawl, seq__gt=before).order_by("seq")
        # A running crawl may have added pages since its addresses were given their hosts.
        pages = list(takewhile(_fits(hosts), _unpack(rows.values_list("seq", "targets")[:CHUNK])))
        if not pages:
            return 0
        numbers = dict(
            Page.objects.filter(crawl=crawl, seq__gt=before, seq__lte=pages[-1][0]).values_list(
                "seq", "number"
            )
        )
        links: Counter[tuple[int, int]] = Counter()
        for seq, targets in pages:
            ends, counts = np.unique(hosts[targets], return_counts=True)
            source = int(hosts[numbers[seq]])
            for target, count in zip(ends.tolist(), counts.tolist(), strict=True):
                links[source, target] += count
        with connection.cursor() as cursor:
            cursor.executemany(
                _ADD, [(crawl.pk, *ends, count, count) for ends, count in sorted(links.items())]
            )
        HostProgress.objects.filter(crawl=crawl).update(pages=pages[-1][0])
    return len(pages)


Linked = tuple[int, NDArray[np.int32]]


def _unpack(rows: Iterable[tuple[int, Blob]]) -> Iterator[Linked]:
    return ((seq, unpack_numbers(targets)) for seq, targets in rows)


def _fits(hosts: NDArray[np.int32]) -> Callable[[Linked], bool]:
    return lambda page: not len(page[1]) or int(page[1].max()) < len(hosts)
