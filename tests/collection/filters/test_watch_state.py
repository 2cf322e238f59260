"""Pages can be listed by what the watch of their topic has seen last."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.collection.facets import facets
from apps.collection.filters.watch_state import WATCH_STATE
from apps.collection.search import CollectionSearch
from apps.watches.models import PageState, Watch
from tests.collection_fixtures import store
from tests.watch_fixtures import START, made_watched


@pytest.fixture
def watched(crawl, topic, owner) -> Watch:
    """A watch of three of the crawl's four pages: one changed, two the same."""
    store(crawl, *({"text": f"word{n} of many"} for n in range(4)))
    watch = Watch.objects.create(topic=topic, owner=owner, created_at=START)
    for seq, state in ((1, PageState.CHANGED), (2, PageState.SAME), (3, PageState.SAME)):
        page = made_watched(watch, f"p{seq}", f"Page {seq}")
        page.crawl, page.seq, page.state = crawl, seq, state
        page.save()
    return watch


@pytest.mark.parametrize(
    ("query", "pages"),
    [("state=changed", 1), ("state=same", 2), ("state=same&state=changed", 3), ("state=gone", 0)],
)
def test_it_lists_the_pages_in_a_state(watched, searched_by, owner, query: str, pages: int) -> None:
    search = CollectionSearch.read(QueryDict(query)).within(searched_by(owner))
    assert facets(search).pages == pages


def test_it_is_offered_where_a_topic_is_watched(watched, searched_by, owner, topic) -> None:
    bound = WATCH_STATE.within(searched_by(owner))
    panel = bound.panel((), {})
    assert [(o.value, o.count) for o in panel.options] == [("changed", 1), ("same", 2)]
    watched.delete()
    assert bound.panel((), {}) is None
