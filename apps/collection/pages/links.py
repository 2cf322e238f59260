"""The pages that link to a page of a crawl, and where its own links lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.crawls.models import FrontierEntry, Outlinks, Page
from apps.crawls.packing import holds, unpack_numbers

LOOKED_THROUGH = 5_000
"""The pages searched for links to a page, from its first on."""
SHOWN = 200


@dataclass(frozen=True, slots=True)
class Link:
    """An address at the other end of a link, with its page if that was fetched."""

    url: str
    page: Page | None


@dataclass(frozen=True, slots=True)
class PageLinks:
    """`into` are pages that link to the page, from `hosts` hosts; at least so many, if not every
    page was `searched`. `out` are the first addresses that it links to, of `out_count`, of which
    `fetched` were fetched and `relevant` of these are relevant."""

    into: tuple[Page, ...]
    into_count: int
    hosts: int
    searched: bool
    out: tuple[Link, ...]
    out_count: int
    fetched: int
    relevant: int


def page_links(page: Page) -> PageLinks:
    """The links of a page and to it, within its crawl."""
    rows = Outlinks.objects.filter(crawl=page.crawl_id)
    seqs = list(_linking(page))
    linking = Page.objects.filter(crawl=page.crawl_id, seq__in=seqs)
    hosts = len({*linking.order_by().values_list("host", flat=True)})
    own = rows.filter(seq=page.seq).first()
    targets = [int(number) for number in unpack_numbers(own.targets)] if own else []
    targets = [number for number in dict.fromkeys(targets) if number != page.number]
    pages = {p.number: p for p in Page.objects.filter(crawl=page.crawl_id).numbered(targets)}
    return PageLinks(
        into=tuple(linking.order_by("seq")[:SHOWN]),
        into_count=len(seqs),
        hosts=hosts,
        searched=rows.count() <= LOOKED_THROUGH,
        out=tuple(_links(page, targets[:SHOWN], pages)),
        out_count=len(targets),
        fetched=len(pages),
        relevant=sum(bool(other.relevant) for other in pages.values()),
    )


def _linking(page: Page) -> Iterator[int]:
    """The numbers of pages that link to it, in the order in which they were fetched."""
    rows = Outlinks.objects.filter(crawl=page.crawl_id).order_by("seq")
    for seq, targets in rows.values_list("seq", "targets")[:LOOKED_THROUGH].iterator(500):
        if seq != page.seq and holds(page.number, targets):
            yield seq


def _links(page: Page, numbers: Sequence[int], pages: dict[int, Page]) -> Iterator[Link]:
    """The links, those fetched first, relevant ones before the others."""
    rows = FrontierEntry.objects.filter(crawl=page.crawl_id, number__in=numbers)
    urls = dict(rows.values_list("number", "url"))
    ordered = sorted(numbers, key=lambda n: (n not in pages, not _is_relevant(pages.get(n))))
    for number in ordered:
        if number in urls:
            yield Link(urls[number], pages.get(number))


def _is_relevant(page: Page | None) -> bool:
    return bool(page and page.relevant)
