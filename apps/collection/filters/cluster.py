"""The filter by clusters of near pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from apps.collection.cluster_words import clusters_of
from apps.collection.filters.of_crawls import OfCrawls
from apps.schemas.numbers import whole_number
from apps.search.filter import Field
from apps.search.panels import CheckBoxes
from apps.search.values import MostFrequent


class ClusterFilter(OfCrawls, MostFrequent[int]):
    """Filters by the cluster of near pages that the page is in."""

    id = "cluster"
    title = "Cluster"
    sentence = (
        "Clusters of pages that are near to each other, named by the words that tell them apart;"
        " the Clusters screen of the topic shows them all."
    )
    unknown = "is not a cluster of this collection; clusters are numbered anew when they are made"
    fields = (Field("cluster", "Numbers of clusters.", list[int]),)
    example = "cluster=3&cluster=5"
    column = "cluster"
    offers = 8
    most = 50

    def parse(self, text: str) -> int | None:
        return whole_number(text)

    def understands(self, field: str, text: str) -> bool:
        number = whole_number(text)
        return number is not None and number in self._names()

    def words(self, key: int) -> str:
        return self._names().get(key, f"no. {key}")

    def chip(self, key: int) -> str:
        return f"cluster {self.words(key)}"

    def offered(self, value: tuple[int, ...], counts: Mapping[int, int]) -> Iterable[int]:
        return [key for key in counts if key is not None]

    def panel(self, value: tuple[int, ...], counts: Mapping[Any, int]) -> CheckBoxes | None:
        bound = self.within(self.context)
        bound.names = self._names()
        return super(ClusterFilter, bound).panel(value, counts)

    names: Mapping[int, str] | None = None

    def _names(self) -> Mapping[int, str]:
        if self.names is not None:
            return self.names
        return {row.pk: row.name for row in clusters_of(self.context.topic, self.context.readable)}


CLUSTER = ClusterFilter()
