"""A search of the crawls a person may see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce, Lower

from apps.crawls.filters.catalogue import FILTERS
from apps.engine.codes import State
from apps.engine.intelligence.strategies import CATALOGUE
from apps.figures.quantities import number_of
from apps.search.filter import Filter
from apps.search.json_items import joined, number_in
from apps.search.lists import Listing, ListOrder, ListSearch
from apps.search.query import Phrase

NUMBER = re.compile(r"#(\d{1,18})")
BEGUN = Coalesce("started_at", "created_at")


class CrawlSearch(ListSearch):
    """Words are those of topic, name, note, tags, strategy and web; `#12` is a crawl's number."""

    rows: ClassVar = "crawls"

    sorts: ClassVar = {
        "": ListOrder("Newest first", (BEGUN.desc(),), "Started"),
        "oldest": ListOrder("Oldest first", (BEGUN.asc(), "pk"), "Started", rises=True),
        "pages": ListOrder("Most pages first", ("-pages",), "Pages"),
        "harvest": ListOrder(
            "Highest harvest rate first",
            (number_in("metrics__harvest_rate").desc(nulls_last=True),),
            "Harvest rate",
        ),
        "recall": ListOrder(
            "Highest target recall first",
            (number_in("metrics__target_recall").desc(nulls_last=True),),
            "Target recall",
        ),
        "topic": ListOrder(
            "Topics A to Z", (Lower("topic__name"),), "Topic, tags, note", rises=True
        ),
    }
    texts: ClassVar = ("topic__name", "name", "note", joined("tags"), "strategy", "web__name")

    @classmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        return FILTERS

    def phrase_condition(self, phrase: Phrase) -> Q:
        number = NUMBER.fullmatch(phrase.text)
        text = phrase.text.removesuffix("*").casefold()
        titled = [cls.id for cls in CATALOGUE if text in cls.title.casefold()]
        return Q(pk=int(number[1])) if number else Q(strategy__in=titled)


class CrawlListing(Listing):
    """All crawls visible to a person, with the search of an address."""

    unit = "crawl"
    reported = (State.RUNNING, State.QUEUED, State.STOPPING, State.PAUSED)
    counted: ClassVar = {
        "pages": Sum("pages"),
        **{state: Count("pk", filter=Q(state=state)) for state in reported},
    }

    @property
    def facts(self) -> tuple[str, ...]:
        """The totals in words: crawls, active ones, pages; and that they stay true."""
        pages = number_of(self.totals["pages"] or 0, "page")
        return (*super().facts, f"{pages} fetched", "Rows update by themselves")
