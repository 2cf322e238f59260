"""A search of the hosts of a topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import Count, F, Q, Sum

from apps.hosts.filters.catalogue import FILTERS
from apps.hosts.filters.unit import UNIT
from apps.hosts.models import HostSummary
from apps.search.filter import Filter
from apps.search.lists import Listing, ListOrder, ListSearch
from apps.topics.models import Topic


class HostSearch(ListSearch):
    """Words are parts of the host's name."""

    rows: ClassVar = "hosts"
    sorts: ClassVar = {
        "": ListOrder("Most relevant first", ("-relevant", "-pages"), "Relevant"),
        "pages": ListOrder("Most pages first", ("-pages",), "Pages"),
        "harvest": ListOrder("Highest harvest first", ("-harvest", "-pages"), "Harvest"),
        "linked": ListOrder("Most linked first", ("-linked_from",), "Linked from"),
        "waiting": ListOrder("Most waiting links first", ("-waiting",), "Waiting"),
        "seen": ListOrder("Last seen first", (F("first_seen").desc(nulls_last=True),)),
        "seen_up": ListOrder(
            "First seen first", (F("first_seen").asc(nulls_last=True),), "First seen", rises=True
        ),
        "name": ListOrder("Names A to Z", ("name",), "Host", rises=True),
    }
    texts: ClassVar = ("name",)

    @classmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        return FILTERS


class HostListing(Listing):
    """The hosts of a topic in the unit of the search."""

    unit = "host"
    counted: ClassVar = {
        "inside": Count("pk", filter=Q(decision="in")),
        "outside": Count("pk", filter=Q(decision="out")),
        "relevant": Sum("relevant"),
        "judged": Sum("judged"),
        "waiting": Sum("waiting"),
    }

    def __init__(self, topic: Topic, search: HostSearch) -> None:
        rows = HostSummary.objects.filter(topic=topic, unit=search.of(UNIT))
        rows = rows.select_related("make_up")
        super().__init__(rows, search)
