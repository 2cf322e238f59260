"""What holds for every filter of the catalogue."""

from __future__ import annotations

from collections import Counter

import pytest
from django.http import QueryDict

from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.filter import Filter
from apps.collection.filters.query import read_filters

EXAMPLES = {
    "verdict": "verdict=3of3&verdict=relevant", "label": "label=y&label=none",
    "crawl": "crawl=7&crawl=9&crawl_match=only",
    "not_fetched_by": "not_fetched_by=7",
    "host": "host=a.test&host=b.test", "role": "role=target&role=seed", "without": "without=seed",
    "http": "http=200&http=404", "topicality": "tau_from=0.25&tau_to=0.75",
    "status": "status_from=-0.5&status_to=2", "fetched": "since=2026-05-01&until=2026-05-09",
}  # fmt: skip
each = pytest.mark.parametrize("filter", FILTERS, ids=lambda filter: filter.id)


def test_no_two_filters_share_an_id_or_a_parameter() -> None:
    fields = Counter(field.name for filter in FILTERS for field in filter.fields)
    taken = {"q", "order", "page", "size", "format", "per"}
    assert max(fields.values()) == 1 and not taken & {*fields}
    assert len({filter.id for filter in FILTERS}) == len(FILTERS)


@each
def test_an_address_without_it_filters_nothing(filter: Filter) -> None:
    assert filter.read(QueryDict("")) == filter.nothing
    assert [*filter.pairs(filter.nothing)] == []
    assert [*filter.contradictions(filter.nothing)] == []
    assert filter.kept(filter.nothing) == filter.nothing


@each
def test_what_is_asked_goes_back_to_its_address(filter: Filter) -> None:
    filters = read_filters(QueryDict(EXAMPLES[filter.id]))
    assert [*filters.chosen] == [filter.id]
    assert sorted(filters.query().split("&")) == sorted(EXAMPLES[filter.id].split("&"))


@each
def test_what_means_nothing_is_left_out(filter: Filter) -> None:
    nonsense = "&".join(f"{field.name}=%00" for field in filter.fields)
    assert read_filters(QueryDict(nonsense)).chosen == {}
