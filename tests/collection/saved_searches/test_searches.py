"""Searches kept by name: their counts, and what became of what they name."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict

from apps.accounts.sharing import share, unshare
from apps.collection.models import SavedSearch
from apps.collection.saved_searches.searches import (
    MOST,
    counted_searches,
    note_look,
    remove_search,
    rename_search,
    restore_search,
    save_search,
    saved_search,
)
from apps.collection.search import CollectionSearch, PageOrder
from apps.collection.searched_crawls import crawls_of_topic, one_crawl
from apps.crawls.models import Crawl
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from tests.collection_fixtures import store

EELGRASS = CollectionSearch(words="eelgrass")


@pytest.fixture
def pages(crawl: Crawl) -> None:
    store(crawl, {"text": "eelgrass meadow"}, {"text": "eelgrass and sand"}, {"text": "gravel"})


def test_it_is_counted_afresh_since_its_owner_looked(owner, topic, crawl, pages) -> None:
    saved = save_search(owner, EELGRASS.within(crawls_of_topic(owner, topic.pk)), " Meadows ")
    store(crawl, {"text": "more eelgrass", "url": "http://new.test/"})
    (counted,) = counted_searches(owner)
    assert (counted.saved.name, counted.pages, counted.since) == ("Meadows", 3, 1)
    assert counted.address == f"/topics/{topic.pk}/collection/?q=eelgrass" and not counted.gone
    note_look(saved, 3)
    assert next(counted_searches(owner)).since == 0


def test_the_same_search_is_found_again_in_its_own_collection_alone(
    owner, topic, crawl, pages
) -> None:
    whole, alone = crawls_of_topic(owner, topic.pk), one_crawl(owner, crawl.pk)
    saved = save_search(owner, EELGRASS.within(alone), "Meadows")
    assert saved_search(owner, EELGRASS.within(alone)) == saved
    assert saved_search(owner, EELGRASS.within(whole)) is None
    assert saved_search(owner, CollectionSearch(words="sand").within(alone)) is None
    with pytest.raises(Refused, match="saved already, as “Meadows”"):
        save_search(owner, EELGRASS.within(alone), "Again")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Give a name of 1 to 80"),
        ("x" * 81, "Give a name of 1 to 80"),
        ("Meadows", "named “Meadows”: give another"),
    ],
)
def test_a_bad_or_taken_name_is_refused(owner, stranger, topic, pages, name, message) -> None:
    searched = crawls_of_topic(owner, topic.pk)
    save_search(owner, EELGRASS.within(searched), "Meadows")
    other = save_search(owner, CollectionSearch(words="sand").within(searched), "Sand")
    with pytest.raises(Refused, match=message):
        save_search(owner, CollectionSearch(words="gravel").within(searched), name)
    with pytest.raises(Refused, match=message):
        rename_search(other, name)
    assert sorted(SavedSearch.objects.values_list("name", flat=True)) == ["Meadows", "Sand"]


def test_a_search_for_nothing_and_one_too_many_are_refused(owner, topic, pages) -> None:
    searched = crawls_of_topic(owner, topic.pk)
    for nothing in (CollectionSearch(), CollectionSearch(order=PageOrder.NEWEST)):
        with pytest.raises(Refused, match="asks for nothing"):
            save_search(owner, nothing.within(searched), "All")
    saved = save_search(owner, EELGRASS.within(searched), "Meadows")
    SavedSearch.objects.bulk_create(
        SavedSearch(
            owner=owner,
            name=f"{i}",
            topic_name="x",
            query="",
            looked_at=saved.looked_at,
            looked_pages=0,
        )
        for i in range(MOST - 1)
    )
    with pytest.raises(Refused, match="You have 50 saved searches"):
        save_search(owner, CollectionSearch(words="sand").within(searched), "Sand")


def test_it_outlives_its_crawl_and_its_topic(
    owner: User, topic: Topic, crawl: Crawl, other_crawl: Crawl, pages: None
) -> None:
    both = CollectionSearch.read(QueryDict(f"crawl={crawl.pk}&crawl={other_crawl.pk}"))
    save_search(owner, both.within(crawls_of_topic(owner, topic.pk)), "Both")
    save_search(owner, EELGRASS.within(one_crawl(owner, other_crawl.pk)), "One")
    number = other_crawl.pk
    other_crawl.delete()
    in_both, alone = counted_searches(owner)
    assert in_both.gone == alone.gone == f"Crawl #{number} was deleted."
    assert in_both.pages is alone.pages is None and in_both.address and not alone.address
    crawl.delete()
    topic.delete()
    in_both, _ = counted_searches(owner)
    assert (in_both.gone, in_both.search.context.topic.name) == (
        "The topic was deleted.",
        "Seagrass",
    )


def test_it_never_finds_what_its_owner_may_not_see(owner, stranger, topic, crawl, pages) -> None:
    share(topic, stranger.username)
    save_search(stranger, EELGRASS.within(crawls_of_topic(stranger, topic.pk)), "Meadows")
    save_search(stranger, EELGRASS.within(one_crawl(stranger, crawl.pk)), "One")
    assert [counted.pages for counted in counted_searches(stranger)] == [2, 2]
    unshare(topic, topic.shares.get().pk)
    whole, alone = counted_searches(stranger)
    assert (whole.pages, whole.address, alone.pages, alone.address) == (None, "", None, "")
    assert whole.gone == "The topic is no longer shared with you."
    assert alone.gone == f"Crawl #{crawl.pk} is no longer shared with you."


def test_a_second_tab_neither_loses_a_look_nor_brings_back_what_was_removed(
    owner, topic, pages
) -> None:
    first = save_search(owner, EELGRASS.within(crawls_of_topic(owner, topic.pk)), "Meadows")
    second = SavedSearch.objects.get()
    note_look(first, 7)
    rename_search(second, "Eelgrass")
    assert SavedSearch.objects.values_list("name", "looked_pages").get() == ("Eelgrass", 7)
    remove_search(first)
    note_look(second, 8)
    rename_search(second, "Meadows")
    assert not SavedSearch.objects.exists()


def test_a_removed_search_comes_back_as_it_was(owner, topic, pages) -> None:
    saved = save_search(owner, EELGRASS.within(crawls_of_topic(owner, topic.pk)), "Meadows")
    before = SavedSearch.objects.values().get()
    removed = remove_search(saved)
    assert not SavedSearch.objects.exists()
    restore_search(owner, removed)
    assert SavedSearch.objects.values().get() == {**before, "id": SavedSearch.objects.get().pk}
    with pytest.raises(Refused, match="give another name"):
        restore_search(owner, removed)
