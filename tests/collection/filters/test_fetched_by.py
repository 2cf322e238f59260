from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.collection.filters.query import read_filters
from apps.collection.selectors import count, look
from apps.screens.collection.choices import chips
from tests.collection_fixtures import store

# By page the crawls that have it: 0 and 1 the first alone, 2 both, 3 the second alone.
CASES = [
    ("fetched_by=1", 3), ("fetched_by=1&fetched_by=2", 1), ("fetched_by=2", 2),
    ("not_fetched_by=1", 1), ("not_fetched_by=2", 2), ("fetched_by=1&not_fetched_by=2", 2),
    ("fetched_by=1&not_fetched_by=1", 0),
]  # fmt: skip


@pytest.fixture
def scope(crawl, other_crawl, scope_of, owner):
    store(crawl, *[{"url": f"http://a.test/{n}"} for n in (0, 1, 2)])
    store(other_crawl, *[{"url": f"http://a.test/{n}"} for n in (2, 3)])
    return scope_of(owner)


@pytest.mark.parametrize(("query", "pages"), CASES)
def test_pages_are_chosen_by_all_the_crawls_that_have_them(
    query, pages, scope, crawl, other_crawl
) -> None:
    query = query.replace("=1", f"=@{crawl.pk}").replace("=2", f"=@{other_crawl.pk}")
    filters = read_filters(QueryDict(query.replace("@", "")))
    assert count(scope, filters).found == pages
    assert look(scope, filters).facets.found == pages


def test_the_chip_names_the_crawls_and_takes_one_away(scope, crawl, other_crawl) -> None:
    query = f"fetched_by={crawl.pk}&not_fetched_by={other_crawl.pk}"
    first, second = chips(scope, read_filters(QueryDict(query)))
    assert (first.words, second.words) == (
        f"fetched by #{crawl.pk} Adaptive utility",
        f"not fetched by #{other_crawl.pk} Breadth-first",
    )
    assert first.query == f"not_fetched_by={other_crawl.pk}"
