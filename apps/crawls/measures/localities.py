"""Status locality over all links that a crawl has seen, fetched or not (SL §3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from apps.crawls.measures.page_rows import PageRow
from apps.crawls.models import Crawl, Outlinks
from apps.crawls.packing import unpack_numbers
from apps.engine.evaluation.status_locality import KnownLinks, Locality, status_locality
from apps.engine.model import Floats, Longs
from apps.engine.urls import host, registered_domain


def localities(
    crawl: Crawl, pages: Sequence[PageRow], counts: Mapping[str, int]
) -> tuple[Locality, ...]:
    """Spearman's correlations at each distance; `counts` are in-links by URL."""
    written = Outlinks.objects.filter(crawl=crawl, seq__lte=len(pages))
    linking = {}
    for seq, blob in written.values_list("seq", "targets"):
        number, targets = pages[seq - 1].number, np.unique(unpack_numbers(blob))
        linking[number] = targets[targets != number]
    last = [int(row[-1]) for row in linking.values() if len(row)]
    size = 1 + max([page.number for page in pages] + last)
    inlinks, domains = _known(crawl, pages, counts, size)
    rows = [linking.get(number, _NO_LINKS) for number in range(size)]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    links = KnownLinks(inlinks, domains, indptr, np.concatenate(rows).astype(np.int64))
    return status_locality(links, seed=crawl.random_seed % 2**32)


_NO_LINKS = np.empty(0, np.int32)


def _known(
    crawl: Crawl, pages: Sequence[PageRow], counts: Mapping[str, int], size: int
) -> tuple[Floats, Longs]:
    """In-links and domain of each discovered URL; a page counts by its final URL."""
    entries = crawl.frontier.filter(number__lt=size).values_list("number", "url").iterator()
    inlinks = np.full(size, np.nan)
    domains = np.full(size, -1, np.int64)
    number_of: dict[str, int] = {}
    for number, url in chain(entries, ((page.number, page.final_url) for page in pages)):
        count = counts.get(url)
        inlinks[number] = np.nan if count is None else count
        if count is not None:
            domain = registered_domain(host(url))
            domains[number] = number_of.setdefault(domain, len(number_of))
    return inlinks, domains
