"""Pages of three groups of words, which share words within each group only."""

from __future__ import annotations

from random import Random

from apps.collection.indexing.reading import read_pages
from apps.collection.models import Progress
from apps.collection.vectors.page_vectors import make_page_vectors
from apps.crawls.models import Crawl, Page
from tests.collection_fixtures import store

GROUPS = {
    "bread": "flour yeast dough oven crust loaf rye baker proof crumb knead starter".split(),
    "sea": "eelgrass tide shoot meadow bay kelp reef plankton estuary mud cockle dredge".split(),
    "clocks": "pendulum spring gear dial escapement winder brass chime pivot cog hour rod".split(),
}
WORDS = 60


def text_of(group: str, number: int) -> str:
    """Sixty words of a group, in an order and a choice of each page's own."""
    draw = Random(f"{group} {number}")
    return " ".join(draw.choices(GROUPS[group], k=WORDS)) + "."


def add_pages(crawl: Crawl, **numbers: int) -> list[Page]:
    """Stores and reads so many pages of each group, titled as in `bread 1`, one group after the
    other, and makes their vectors."""
    pages = store(
        crawl,
        *(
            {"title": f"{group} {n}", "html": page_of(group, n)}
            for group, number in numbers.items()
            for n in range(1, number + 1)
        ),
    )
    make_vectors(crawl)
    return pages


def page_of(group: str, number: int) -> str:
    return (
        f"<html lang=en><head><title>{group} {number}</title></head>"
        f"<body><article><p>{text_of(group, number)}</p></article></body></html>"
    )


def make_vectors(crawl: Crawl) -> None:
    assert read_pages(Progress.objects.select_related("crawl").get(crawl=crawl))
    assert make_page_vectors(crawl)
