"""Whether pages link to pages of similar status, among those a crawl has seen (SL §3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from apps.engine.evaluation.status_locality import Locality, StatusGraph, status_locality
from apps.engine.urls import host, registered_domain
from apps.experiments.studies.reading import TopicPages

SEED = 1


def status_by_distance(read: Sequence[TopicPages]) -> tuple[Locality, ...]:
    """Spearman's correlations at each distance over all links of the pages read; empty if no
    in-link count is known."""
    numbers: dict[str, int] = {}
    targets: dict[int, np.ndarray] = {}
    counts: dict[int, int] = {}
    for topic in read:
        for page in topic.pages:
            own = numbers.setdefault(page.url, len(numbers))
            linked = [numbers.setdefault(url, len(numbers)) for url in page.document.links.urls]
            targets[own] = np.array([number for number in linked if number != own], np.int64)
        counts |= _counts(numbers, topic.engine_topic.inlinks, counts)
    if not counts:
        return ()
    rows = [targets.get(number, np.empty(0, np.int64)) for number in range(len(numbers))]
    links = StatusGraph(
        np.array([counts.get(number, np.nan) for number in range(len(numbers))], np.float64),
        _domains(list(numbers)),
        np.concatenate([[0], np.cumsum([len(row) for row in rows])]),
        np.concatenate(rows),
    )
    return status_locality(links, seed=SEED)


def _counts(
    numbers: Mapping[str, int], inlinks: Mapping[str, int], counted: Mapping[int, int]
) -> dict[int, int]:
    """The in-links of the URLs whose counts the topic knows, by number."""
    asked = ((number, inlinks.get(url)) for url, number in numbers.items() if number not in counted)
    return {number: count for number, count in asked if count is not None}


def _domains(urls: Sequence[str]) -> np.ndarray:
    names: dict[str, int] = {}
    return np.array(
        [names.setdefault(registered_domain(host(url)), len(names)) for url in urls], np.int64
    )
