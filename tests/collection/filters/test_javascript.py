"""Pages that need JavaScript can be listed, and left out."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.collection.facets import facets
from apps.collection.filters.javascript import JAVASCRIPT
from apps.collection.search import CollectionSearch
from tests.collection_fixtures import filler, store


@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("javascript=needed", 2),
        ("javascript=run", 1),
        ("javascript=not_needed", 3),
        ("without_script_only=1", 4),
        ("", 6),
    ],
)
def test_it_lists_the_pages_that_need_javascript_or_the_others(
    crawl, searched_by, owner, query: str, pages: int
) -> None:
    scripts = ({"needs_javascript": n < 2, "rendered": n in (1, 2)} for n in range(6))
    store(crawl, *({"text": filler(n, "alpha"), **kind} for n, kind in enumerate(scripts)))
    counts = facets(CollectionSearch.read(QueryDict(query)).within(searched_by(owner)))
    assert counts.pages == pages
    assert counts.of(JAVASCRIPT) == {"needed": 2, "run": 1, "not_needed": 3}


def test_it_is_offered_where_a_page_needs_javascript() -> None:
    assert list(JAVASCRIPT.offered((), {"not_needed": 5})) == []
    assert list(JAVASCRIPT.offered((), {"needed": 1, "not_needed": 5})) == ["needed", "not_needed"]
    assert list(JAVASCRIPT.offered((), {"run": 1})) == ["run"]
