"""The command `watch_search`."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from apps.collection.models import SavedSearch
from apps.collection.saved_searches.searches import save_search
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import crawls_of_topic
from apps.watches.models import Watch
from tests.collection_fixtures import store
from tests.watch_fixtures import START

pytestmark = pytest.mark.alike


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    call_command("watch_search", *words, skip_checks=True)
    return capsys.readouterr().out


def test_a_search_is_watched_and_not_any_more(owner, topic, crawl, capsys) -> None:
    store(crawl, {"text": "eelgrass"})
    search = CollectionSearch(words="eelgrass").within(crawls_of_topic(owner, topic.pk))
    save_search(owner, search, "Meadows")
    with pytest.raises(CommandError, match="start a watch first"):
        printed(capsys, "Meadows")
    Watch.objects.create(topic=topic, owner=owner, pattern=crawl, created_at=START)
    row = "Meadows of ada · Seagrass · q=eelgrass · "
    assert printed(capsys, "Meadows").rstrip().endswith(f"{row}watched")
    assert SavedSearch.objects.get().is_watched
    assert printed(capsys).rstrip().endswith(f"{row}watched")
    number = str(SavedSearch.objects.get().pk)
    assert printed(capsys, number, "--stop").rstrip().endswith(f"{row}not watched")
    assert not SavedSearch.objects.get().is_watched
    with pytest.raises(CommandError, match="no saved search Stones"):
        printed(capsys, "Stones")
