"""Saving a search where it is made, and the list of saved searches."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.models import SavedSearch
from apps.topics.models import Topic
from tests.collection_fixtures import store

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def site(client: Client, owner, crawl) -> Client:
    store(crawl, {"text": "eelgrass meadow"}, {"text": "eelgrass and sand"}, {"text": "gravel"})
    client.force_login(owner)
    return client


@pytest.fixture
def address(topic: Topic) -> str:
    return reverse("collection:list", args=[topic.pk])


def shown(site: Client, address: str, **form: str) -> str:
    answer = site.post(address, form, follow=True) if form else site.get(address)
    assert answer.status_code == 200
    return re.sub(r"<[^>]+>", " ", answer.content.decode()).replace("\n", " ")


def test_a_search_is_saved_where_it_is_made_and_listed(site, address) -> None:
    assert "choose a filter first" in shown(site, address)
    search = f"{address}?q=eelgrass&order=newest"
    assert "Saved as “Meadows”" in shown(site, search, name="Meadows")
    assert "Saved as “Meadows”" in shown(site, search)
    listed = shown(site, "/collection/")
    assert re.search(r"Meadows\s+Seagrass\s+“eelgrass”, order: fetched last\s+2\s+0\s", listed)


def test_a_bad_name_is_marked_at_its_field_and_the_search_stays(site, address) -> None:
    search = f"{address}?q=eelgrass"
    shown(site, f"{address}?q=sand", name="Meadows")
    page = site.post(search, {"name": "Meadows"}).content.decode()
    assert re.search(r'name="name" value="Meadows"[^>]*aria-invalid="true"', page)
    assert "give another name" in page and 'value="eelgrass"' in page
    assert SavedSearch.objects.count() == 1


def test_looking_is_noted(site, address, crawl) -> None:
    shown(site, f"{address}?q=eelgrass", name="Meadows")
    store(crawl, {"text": "eelgrass again", "url": "http://new.test/"})
    assert re.search(r"\s3\s+\+1\s", shown(site, "/collection/"))
    shown(site, f"{address}?q=eelgrass")
    assert re.search(r"\s3\s+0\s", shown(site, "/collection/"))


def test_it_is_renamed_and_a_refused_name_is_reported_in_its_row(site, address) -> None:
    shown(site, f"{address}?q=eelgrass", name="Meadows")
    shown(site, f"{address}?q=sand", name="Sand")
    pk = SavedSearch.objects.get(name="Sand").pk
    rename = reverse("collection:rename-search", args=[pk])
    refused = site.post(rename, {"name": "Meadows"}).content.decode()
    assert "You have a saved search named “Meadows”" in refused
    # The links of the list lead back to it: the address of renaming takes no GET.
    assert 'href="/collection/?order=name"' in refused and 'href="?' not in refused
    assert "Renamed to “Gravel”" in shown(site, rename, name="Gravel")
    assert SavedSearch.objects.get(pk=pk).name == "Gravel"


def test_it_is_removed_with_undo(site, address) -> None:
    shown(site, f"{address}?q=eelgrass", name="Meadows")
    pk = SavedSearch.objects.get().pk
    removed = shown(site, reverse("collection:remove-search", args=[pk]), sure="yes")
    assert "“Meadows” is removed." in removed and not SavedSearch.objects.exists()
    restore = reverse("collection:restore-search")
    assert "“Meadows” is back." in shown(site, restore, sure="yes")
    shown(site, restore, sure="yes")
    assert SavedSearch.objects.get().name == "Meadows"


def test_nobody_else_changes_or_sees_it(site, address, stranger, client) -> None:
    shown(site, f"{address}?q=eelgrass", name="Meadows")
    pk = SavedSearch.objects.get().pk
    other = Client()
    other.force_login(stranger)
    assert "Meadows" not in other.get("/collection/").content.decode()
    for what in ("rename", "remove"):
        at = reverse(f"collection:{what}-search", args=[pk])
        assert other.post(at, {"name": "Mine"}).status_code == 404
    assert SavedSearch.objects.get().name == "Meadows"
