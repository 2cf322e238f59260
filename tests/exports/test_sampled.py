"""Pages that are read once for the sizes of all formats."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.crawls.models import Page
from apps.exports.columns import OF_TEXT, USUAL
from apps.exports.format import columns_of
from apps.exports.formats import FORMATS
from apps.exports.rows import Selection, rows
from apps.exports.sampled import SampledPages
from apps.exports.sizes import sizes
from apps.topics.models import Example
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic


@pytest.fixture
def selection(db, data_dir: Path) -> Selection:
    """Some pages of two crawls of a topic with labels."""
    topic = made_topic(get_user_model().objects.create_user("ada"))
    for number in range(2):
        crawl = made_crawl(topic)
        store(crawl, *[{"url": f"http://a.test/{number}/{i}", "title": f"T{i}"} for i in range(6)])
        Example.objects.create(
            topic=topic,
            url=f"http://a.test/{number}/3",
            relevant=True,
            source=Example.Source.LABEL,
        )
    keys = Page.objects.filter(seq__gte=3).order_by("crawl_id", "seq").values_list("pk", flat=True)
    return Selection(tuple(topic.crawls.select_related("topic", "web")), keys=array("q", keys))


def test_its_rows_are_those_of_the_selection(selection: Selection) -> None:
    columns = columns_of(selection, (*USUAL, *OF_TEXT))
    read = list(rows(selection, columns))
    assert len(read) == 8
    assert list(rows(SampledPages.read(selection), columns)) == read


def test_a_part_of_its_keys_is_exported(selection: Selection) -> None:
    sampled = SampledPages.read(selection)
    (chunk,) = replace(sampled, keys=sampled.keys and sampled.keys[:2]).chunks()
    assert [page.pk for page in chunk] == [page.pk for page in sampled.pages[:2]]
    assert not [*replace(sampled, keys=array("q")).chunks()]


def test_ten_formats_read_the_pages_and_their_facts_once(selection: Selection) -> None:
    assert selection.keys is not None
    with CaptureQueriesContext(connection) as asked:
        measured = sizes(selection, selection, selection.keys, rows=8)
    assert measured.keys() == {id for id, each in FORMATS.items() if not each.missing}
    statements = [query["sql"] for query in asked.captured_queries]
    assert sum("collection_maintext" in sql for sql in statements) == len(selection.crawls)
    assert sum('"crawls_page"."votes"' in sql for sql in statements) == 1
