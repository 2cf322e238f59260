"""Clusters are offered by their words, in the collection of their topic."""

from __future__ import annotations

from apps.collection.filters.cluster import CLUSTER
from apps.collection.models import Cluster
from apps.collection.searched_crawls import SearchedCrawls


def test_it_offers_clusters_by_their_words_and_pages_in_none_are_not_one(topic) -> None:
    made = Cluster.objects.create(topic=topic, words=["loaf", "rye"], centre=b"", pages=3)
    bound = CLUSTER.within(SearchedCrawls(topic, ()))
    panel = bound.panel((), {made.pk: 3, None: 2})
    assert [(option.value, option.words, option.count) for option in panel.options] == [
        (str(made.pk), "loaf, rye", 3)
    ]
    assert bound.understands("cluster", str(made.pk)) and not bound.understands("cluster", "0")
    assert [words for words, _ in bound.chips((made.pk,))] == ["cluster loaf, rye"]
    assert bound.panel((), {None: 2}) is None
