"""The link graph of several crawls, in which a page is one node whoever fetched it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.crawls.models import Crawl, FrontierEntry, Outlinks, Page
from apps.crawls.packing import unpack_numbers
from apps.engine.digests import digest

CHUNK = 1_000


class Nodes:
    """The pages of a graph in node order, indexed by address."""

    def __init__(self) -> None:
        self._by_address: dict[int, int] = {}
        self._names: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._names)

    def add(self, pages: Sequence[Page]) -> list[Page]:
        """Makes nodes of the new pages and returns these."""
        fresh = []
        for page in pages:
            address = digest(page.final_url)
            if address not in self._by_address:
                self._by_address[address] = len(self._names)
                self._names.append((page.crawl_id, page.number))
                fresh.append(page)
        return fresh

    def at(self, url: str) -> int:
        """The node of an address, or −1."""
        return self._by_address.get(digest(url), -1)

    def name(self, node: int) -> str:
        """`crawl-number`."""
        return "{}-{}".format(*self._names[node])


@dataclass(frozen=True, slots=True)
class _Seen:
    """One crawl's view of the nodes: the node of each URL number (−1 for none), and the page number
    of each node (0 if the crawl has not fetched it)."""

    crawl: int
    nodes: NDArray[np.int32]
    seqs: NDArray[np.int32]


def edges(graph: Nodes, crawls: Sequence[Crawl]) -> Iterator[bytes]:
    """The XML lines of the links between nodes that any of the crawls has seen, in chunks."""
    # A URL that only another crawl has fetched can only be matched by its address.
    seen = [_seen_by(crawl, graph, others=len(crawls) > 1) for crawl in crawls]
    for start in range(0, len(graph), CHUNK):
        targets: dict[int, list[NDArray[np.int32]]] = {}
        for each in seen:
            for source, linked in _links(each, start):
                targets.setdefault(source, []).append(linked)
        yield "".join(
            _edge(graph.name(source), graph.name(target))
            for source, linked in sorted(targets.items())
            for target in np.unique(np.concatenate(linked)).tolist()
        ).encode()


def _edge(source: str, target: str) -> str:
    return f'<edge id="{source}_{target}" source="{source}" target="{target}"/>\n'


def _seen_by(crawl: Crawl, graph: Nodes, others: bool) -> _Seen:
    nodes = np.full(_numbers(crawl), -1, np.int32)
    seqs = np.zeros(len(graph), np.int32)
    # A running crawl may have fetched more since they were counted.
    pages = Page.objects.filter(crawl=crawl, number__lt=len(nodes)).order_by()
    for number, seq, url in pages.values_list("number", "seq", "final_url").iterator(CHUNK):
        nodes[number] = node = graph.at(url)
        if node >= 0:
            seqs[node] = seq
    if others:
        urls = FrontierEntry.objects.filter(crawl=crawl, number__lt=len(nodes))
        rest = urls.exclude(state=FrontierEntry.State.FETCHED)
        for number, url in rest.order_by().values_list("number", "url").iterator(CHUNK):
            nodes[number] = graph.at(url)
    return _Seen(crawl.pk, nodes, seqs)


def _numbers(crawl: Crawl) -> int:
    """One more than the highest number of a URL."""
    highest = (
        rows.filter(crawl=crawl).order_by("-number").values_list("number", flat=True).first()
        for rows in (Page.objects, FrontierEntry.objects)
    )
    return 1 + max((number for number in highest if number is not None), default=-1)


def _links(seen: _Seen, start: int) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """The links of the nodes from `start` on that the crawl has fetched, with their targets."""
    sources = {
        seq: node
        for node, seq in enumerate(seen.seqs[start : start + CHUNK].tolist(), start)
        if seq
    }
    for row in Outlinks.objects.filter(crawl=seen.crawl, seq__in=list(sources)):
        numbers = unpack_numbers(row.targets)
        nodes = seen.nodes[numbers[numbers < len(seen.nodes)]]
        yield sources[row.seq], nodes[nodes >= 0]
