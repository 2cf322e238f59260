"""Status locality over all links that a crawl has seen, fetched or not (SL §3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from apps.crawls.measures.page_rows import MeasuredPage
from apps.crawls.models import Crawl
from apps.crawls.packing import unpack_numbers
from apps.engine.evaluation.status_locality import Locality, StatusGraph, status_locality
from apps.engine.model import Floats, Longs
from apps.engine.urls import host, registered_domain

MOST_LINKING = 500
"""The pages whose links are read, if the crawl has more than are drawn of it."""
AT_ONCE = 10_000


def localities(
    crawl: Crawl, pages: Sequence[MeasuredPage], counts: Mapping[str, int]
) -> tuple[Locality, ...]:
    """Spearman's correlations at each distance over the links of these pages; `counts` are in-links
    by URL."""
    if len(pages) < pages[-1].seq:
        pages = pages[:: -(-len(pages) // MOST_LINKING)]
    linking = _linking(crawl, pages)
    numbers = np.unique(np.concatenate([*linking.values(), [page.number for page in pages]]))
    nodes = np.searchsorted(numbers, [page.number for page in pages])
    degree = np.zeros(len(numbers), np.int64)
    rows = {}
    for node, page in zip(nodes.tolist(), pages, strict=True):
        row = linking.get(page.seq, _NO_LINKS)
        rows[node] = row[row != page.number]
        degree[node] = len(rows[node])
    targets = np.concatenate([_NO_LINKS, *(rows[node] for node in sorted(rows))])
    inlinks, domains = _with_counts(crawl, numbers, pages, counts)
    indptr = np.concatenate([[0], np.cumsum(degree)])
    links = StatusGraph(inlinks, domains, indptr, np.searchsorted(numbers, targets))
    return status_locality(links, seed=crawl.random_seed % 2**32)


_NO_LINKS = np.empty(0, np.int64)


def _linking(crawl: Crawl, pages: Sequence[MeasuredPage]) -> dict[int, Longs]:
    """The distinct URL numbers that each page links to, in order."""
    written = crawl.outlinks.filter(seq__in=[page.seq for page in pages])
    return {
        seq: np.unique(unpack_numbers(blob)).astype(np.int64)
        for seq, blob in written.values_list("seq", "targets")
    }


def _with_counts(
    crawl: Crawl, numbers: Longs, pages: Sequence[MeasuredPage], counts: Mapping[str, int]
) -> tuple[Floats, Longs]:
    """In-links and domain of each of these URLs; a page counts by its final URL."""
    inlinks = np.full(len(numbers), np.nan)
    domains = np.full(len(numbers), -1, np.int64)
    number_of: dict[str, int] = {}
    urls = dict(_urls(crawl, numbers)) | {page.number: page.final_url for page in pages}
    counted = {number: url for number, url in urls.items() if url in counts}
    for node, url in zip(np.searchsorted(numbers, [*counted]), counted.values(), strict=True):
        inlinks[node] = counts[url]
        domains[node] = number_of.setdefault(registered_domain(host(url)), len(number_of))
    return inlinks, domains


def _urls(crawl: Crawl, numbers: Longs) -> Iterator[tuple[int, str]]:
    for start in range(0, len(numbers), AT_ONCE):
        entries = crawl.frontier.filter(number__in=numbers[start : start + AT_ONCE].tolist())
        yield from entries.values_list("number", "url").iterator()
