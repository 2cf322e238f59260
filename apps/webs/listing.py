"""A search of the recorded webs a person may crawl."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.db.models import F, QuerySet, Sum, TextField, Value
from django.db.models.functions import Coalesce, Lower

from apps.engine.errors import BadWebFile
from apps.search.filter import Filter
from apps.search.lists import Listing, ListOrder, ListSearch
from apps.webs.filters.catalogue import FILTERS
from apps.webs.labels import labels_of
from apps.webs.models import LabelText, Web
from apps.webs.opening import bytes_on_disk
from apps.webs.selectors import recorded_webs


class WebSearch(ListSearch):
    """Words are those of name, note and labels; the context has the `user`."""

    rows: ClassVar = "webs"
    sorts: ClassVar = {
        "": ListOrder("Newest first", ("-created_at",), "Added"),
        "name": ListOrder("Names A to Z", (Lower("name"),), "Web", rises=True),
        "pages": ListOrder("Most pages first", (F("pages").desc(nulls_last=True),), "Pages"),
    }
    texts: ClassVar = (
        "name",
        "note",
        Coalesce("label_text__text", Value(""), output_field=TextField()),
    )

    @classmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        return FILTERS

    def narrow(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The webs that match, after the labels of new webs are copied from their files."""
        if self.words:
            _copy_labels(rows.filter(label_text=None))
        return super().narrow(rows)


class WebListing(Listing):
    """All recorded webs that a person may crawl, with the search of an address."""

    unit = "recorded web"

    @property
    def pages(self) -> int:
        """The pages of the webs that match."""
        return self.matches.order_by().aggregate(pages=Sum("pages"))["pages"] or 0

    @property
    def size(self) -> int:
        """Their bytes on the disk."""
        webs = self.matches.order_by().filter(source=Web.Source.FOLDER).only("source", "folder")
        return sum(map(bytes_on_disk, webs.select_related(None).prefetch_related(None)))


def web_listing(user: User, query: Any) -> WebListing:
    """The webs that a person may crawl, searched by a query string."""
    return WebListing(recorded_webs(user), WebSearch.read(query, {"user": user}))


def _copy_labels(webs: QuerySet[Any]) -> None:
    """Copies the labels of webs from their files; a web that cannot be opened is left as it is."""
    for web in webs.order_by():
        try:
            labels = labels_of(web).counts
        except (BadWebFile, OSError):
            continue
        if Web.objects.filter(pk=web.pk, added_labels=web.added_labels).exists():
            LabelText.objects.get_or_create(web=web, defaults={"text": "\n".join(labels)})
