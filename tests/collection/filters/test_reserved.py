"""Pages that reserve a use can be listed, and left out."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.collection.facets import facets
from apps.collection.filters.reserved import RESERVED
from apps.collection.indexing.reading import read_pages
from apps.collection.models import Progress
from apps.collection.search import CollectionSearch
from tests.collection_fixtures import store

PAGE = "<html><head>{}</head><body><p>Page {} of many words.</p></body></html>"
HEADS = (
    "<meta name=robots content=noai>",
    "<meta name=tdm-reservation content=1>",
    "<meta name=tdm-reservation content=0>",
    "",
)


@pytest.mark.parametrize(("query", "pages"), [("reserved=yes", 2), ("reserved=no", 2), ("", 4)])
def test_it_lists_the_pages_that_reserve_a_use_or_the_others(
    crawl, searched_by, owner, query: str, pages: int
) -> None:
    store(crawl, *({"html": PAGE.format(head, n)} for n, head in enumerate(HEADS)))
    assert read_pages(Progress.objects.get(crawl=crawl))
    counts = facets(CollectionSearch.read(QueryDict(query)).within(searched_by(owner)))
    assert counts.pages == pages
    assert counts.of(RESERVED) == {"yes": 2, "no": 2}


def test_it_is_offered_where_a_page_reserves_something() -> None:
    assert list(RESERVED.offered((), {"no": 5})) == []
    assert list(RESERVED.offered((), {"yes": 1, "no": 5})) == ["yes", "no"]
