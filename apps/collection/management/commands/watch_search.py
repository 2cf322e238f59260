"""`crawlsite watch_search`: saved searches whose matches the digests of a watch name."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.collection.models import SavedSearch
from apps.collection.saved_searches.watched import stop_watching, watch_search
from apps.jobs.tables import make_tables
from apps.schemas.refused import Refused
from apps.topics.management.named import row_named
from apps.watches.models import SearchNews


class Command(BaseCommand):
    help = (
        "Watches a saved search: after each visit of its topic's watch the digests of its owner"
        " name the new pages that it matches. Without a search, lists the saved searches."
    )
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("search", nargs="?", help="a saved search's name or number")
        parser.add_argument("--stop", action="store_true", help="do not watch it any more")

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        if options["search"] is None:
            self._list()
            return
        search = _search_named(options["search"])
        try:
            if options["stop"]:
                stop_watching(search)
            else:
                watch_search(search)
        except Refused as refused:
            raise CommandError(refused.message) from None
        self.stdout.write(_line(search))

    def _list(self) -> None:
        searches = SavedSearch.objects.select_related("owner", "topic").order_by("pk")
        for search in searches:
            self.stdout.write(_line(search))
        if not searches:
            self.stderr.write("No search is saved: save one in a topic's collection.")


def _search_named(text: str) -> SavedSearch:
    rows = SavedSearch.objects.select_related("owner", "topic").order_by("pk")
    search = row_named(rows, text, "searches")
    if search is None:
        raise CommandError(f"There is no saved search {text}.")
    return search


def _line(search: SavedSearch) -> str:
    news = SearchNews.objects.filter(search=search.pk).values_list("seen", flat=True)
    matched = f" · {sum(map(len, news)):,} pages matched" if news else ""
    state = "watched" if search.is_watched else "not watched"
    return (
        f"#{search.pk} {search.name} of {search.owner.username} · {search.topic_name} ·"
        f" {search.query} · {state}{matched}"
    )
