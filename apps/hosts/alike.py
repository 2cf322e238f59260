"""Hosts whose pages have words in common, by the vectors of their pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apps.collection.blocks import in_blocks
from apps.collection.models import Entry
from apps.collection.vectors.page_vectors import vector_blocks, vectors_of_topic
from apps.collection.vectors.text_space import Rows
from apps.crawls.models import Crawl
from apps.hosts.models import HostSummary
from apps.topics.models import Topic

NEAREST = 5
CHUNK = 500


def alike_hosts(topic: Topic, hosts: Sequence[HostSummary]) -> tuple[tuple[int, int, int], ...]:
    """Pairs of hosts, by their positions, with their similarity in percent, the most alike first.

    A host is paired with the five to whose pages its own are nearest: by the cosine of the means of
    their pages' vectors, if above 0. Empty while no page can be compared.
    """
    positions, means = _means(topic, hosts)
    if len(positions) < 2:
        return ()
    cosines = means @ means.T
    np.fill_diagonal(cosines, -1)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :NEAREST]
    pairs = {
        (min(one, other), max(one, other)): round(100 * float(cosines[one, other]))
        for one, row in enumerate(nearest.tolist())
        for other in row
    }
    ordered = sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(
        (positions[one], positions[other], percent)
        for (one, other), percent in ordered
        if percent > 0
    )


def _means(topic: Topic, hosts: Sequence[HostSummary]) -> tuple[list[int], Rows]:
    """The positions of the hosts with a page that can be compared, and the mean of each one's
    pages, of length 1."""
    space, sums = vectors_of_topic(topic.pk), np.empty((0, 0), np.float32)
    if space is None:
        return [], sums
    position = {host.name: number for number, host in enumerate(hosts)}
    crawls = list(Crawl.objects.filter(topic=topic).values_list("pk", flat=True))
    for keys, rows in vector_blocks(crawls, space.version):
        if not len(sums):
            sums = np.zeros((len(hosts), rows.shape[1]), np.float32)
        at = _positions(keys, position)
        np.add.at(sums, at[at >= 0], rows[at >= 0])
    lengths = np.linalg.norm(sums, axis=1)
    some = np.flatnonzero(lengths)
    return some.tolist(), sums[some] / lengths[some, None]


def _positions(keys: NDArray[np.int64], position: dict[str, int]) -> NDArray[np.int64]:
    """The position of each page's host, −1 if it is another or the page is not shown."""
    host_of: dict[int, str] = {}
    for some in in_blocks(keys.tolist(), CHUNK):
        rows = Entry.objects.filter(page_id__in=some)
        host_of.update(rows.values_list("page_id", "host"))
    return np.array([position.get(host_of.get(key, ""), -1) for key in keys.tolist()], np.int64)
