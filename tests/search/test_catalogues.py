"""What holds for every filter of every list."""

from __future__ import annotations

from collections import Counter

import pytest
from django.http import QueryDict

from apps.collection.search import CollectionSearch
from apps.crawls.listing import CrawlSearch
from apps.experiments.listing import ExperimentSearch
from apps.search.filter import Filter
from apps.search.search import Search
from apps.topics.listing import TopicSearch
from apps.webs.listing import WebSearch
from apps.webs.pages.search import PageSearch

SEARCHES = (CollectionSearch, PageSearch, CrawlSearch, TopicSearch, ExperimentSearch, WebSearch)
lists = pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.__name__)
each = pytest.mark.parametrize(
    ("search", "filter"),
    [(search, filter) for search in SEARCHES for filter in search.catalogue()],
    ids=lambda value: value.id if isinstance(value, Filter) else value.__name__,
)


@lists
def test_no_two_filters_of_a_list_share_an_id_or_a_parameter(search: type[Search]) -> None:
    filters = search.catalogue()
    fields = Counter(field.name for filter in filters for field in filter.fields)
    taken = {"q", "order", "page", "size", "format", "per", "shown", "newest", "tops"}
    assert max(fields.values()) == 1 and not taken & {*fields}
    assert len({filter.id for filter in filters}) == len(filters)


@each
def test_an_address_without_it_filters_nothing(search: type[Search], filter: Filter) -> None:
    assert filter.read(QueryDict("")) == filter.nothing
    assert [*filter.pairs(filter.nothing)] == []
    assert [*filter.contradictions(filter.nothing)] == []
    assert filter.beside_download(filter.nothing) == filter.nothing


@each
def test_what_is_asked_goes_back_to_its_address(search: type[Search], filter: Filter) -> None:
    asked = search.read(QueryDict(filter.example))
    assert [*asked.chosen] == [filter.id]
    assert QueryDict(asked.query()) == QueryDict(filter.example)


@each
def test_what_means_nothing_is_left_out(search: type[Search], filter: Filter) -> None:
    nonsense = "&".join(f"{field.name}=%00" for field in filter.fields)
    chosen = search.read(QueryDict(nonsense)).chosen
    assert chosen in ({}, {"label": ("",)}), "a web's pages may have no label"
