"""A download of any size holds some pages in memory, and no transaction while it is sent."""

from __future__ import annotations

import os
import tracemalloc
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection

from apps.crawls.models import Crawl, Page
from apps.exports.formats import FORMATS
from apps.exports.rows import Selection
from apps.exports.streaming import pieces
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)

FEW, MANY = (20_000, 200_000) if os.environ.get("CRAWLSITE_SOAK") else (2_000, 5_000)
AT_ONCE = 10_000


@pytest.fixture
def crawl(data_dir: Path) -> Crawl:
    return made_crawl(made_topic(person("ada"), "Tea"))


def grown(crawl: Crawl, pages: int) -> Crawl:
    while crawl.pages < pages:
        grow(crawl, min(pages, crawl.pages + AT_ONCE))
    return crawl


def peak_and_lines(selection: Selection) -> tuple[int, int]:
    """The most bytes in memory while it is streamed, and its lines."""
    lines = 0
    tracemalloc.start()
    for piece in pieces(FORMATS["csv"].export(selection)):
        lines += piece.count(b"\n")
        assert not connection.in_atomic_block
        assert not getattr(connection.connection, "in_transaction", False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak, lines


def whole(crawl: Crawl) -> Selection:
    return Selection.of_crawl(crawl)


def matched(crawl: Crawl) -> Selection:
    """As of a search that matches every page: eight bytes each."""
    keys = Page.objects.filter(crawl=crawl).order_by("seq").values_list("pk", flat=True)
    return Selection((crawl,), keys=array("q", keys.iterator()))


@pytest.mark.parametrize("selected", [whole, matched])
def test_memory_is_flat_and_no_transaction_is_held(
    crawl: Crawl, selected: Callable[[Crawl], Selection]
) -> None:
    peak_and_lines(selected(grown(crawl, 10)))
    before, _ = peak_and_lines(selected(grown(crawl, FEW)))
    after, lines = peak_and_lines(selected(grown(crawl, MANY)))
    print(f"{before:,} bytes with {FEW:,} pages, {after:,} with {MANY:,}")
    assert lines == MANY + 1
    assert after < 1.2 * before
