"""Documents can be listed by their kind, and the facet counts them."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.collection.facets import facets
from apps.collection.filters.kind import PAGE_KIND
from apps.collection.search import CollectionSearch
from tests.collection_fixtures import filler, store


@pytest.mark.parametrize(
    ("query", "pages"), [("kind=pdf", 2), ("kind=page", 3), ("kind=pdf&kind=page", 5)]
)
def test_it_lists_the_pages_of_a_kind(crawl, searched_by, owner, query: str, pages: int) -> None:
    kinds = ["pdf", "pdf", "page", "page", "page", "word"]
    store(crawl, *({"text": filler(n, "alpha"), "kind": kind} for n, kind in enumerate(kinds)))
    counts = facets(CollectionSearch.read(QueryDict(query)).within(searched_by(owner)))
    assert counts.pages == pages
    assert counts.of(PAGE_KIND) == {"pdf": 2, "page": 3, "word": 1}


def test_it_is_offered_where_there_is_a_document() -> None:
    assert list(PAGE_KIND.offered((), {"page": 5})) == []
    assert list(PAGE_KIND.offered((), {"word": 1, "page": 5})) == ["page", "word"]
