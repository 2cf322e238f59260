"""A page that several crawls have fetched is one page: listed once, counted once, labelled once."""

from __future__ import annotations

import pytest
from django.http import Http404

from apps.accounts.sharing import share_with_everybody
from apps.collection.facets import facets
from apps.collection.filters.crawl import CRAWL, Crawls
from apps.collection.filters.label import LABEL
from apps.collection.filters.role import ROLE
from apps.collection.filters.verdict import RELEVANT, VERDICT
from apps.collection.indexing.index import list_pages
from apps.collection.indexing.marks import mark_anew
from apps.collection.models import CrawlSet, Entry
from apps.collection.pages.details import details
from apps.collection.search import CollectionSearch, PageOrder
from apps.collection.searched_crawls import crawls_of_topic, one_crawl
from apps.collection.selectors import count, find, labelled_count, matching_pages
from apps.collection.shared_pages.same_page import members_of, page_visits, verdicts_differ
from apps.crawls.models import Crawl, Page
from apps.search.host import HOST
from apps.topics.models import Example
from tests.collection_fixtures import filler, store
from tests.crawl_rows import made_crawl


def visit(number: int, **values) -> dict:
    return {"url": f"http://a.test/{number}", "text": filler(number, f"word{number}"), **values}


@pytest.fixture
def third_crawl(topic) -> Crawl:
    return made_crawl(topic, state="finished")


@pytest.fixture
def visited(crawl, other_crawl, third_crawl) -> tuple[Crawl, ...]:
    """Pages 0–5; the first crawl has 0–3, the second 2–4, the third 3 and 5."""
    store(crawl, *[visit(n, target=True, topicality=0.2) for n in range(4)])
    store(other_crawl, *[visit(n, target=True, relevant=False) for n in (2, 3, 4)])
    store(third_crawl, visit(3, target=True, topicality=0.9), visit(5, target=True))
    return crawl, other_crawl, third_crawl


def urls(pages) -> list[str]:
    return sorted(page.final_url for page in Page.objects.in_bulk(list(pages)).values())


def test_it_is_listed_counted_and_downloaded_once(visited, searched_by, owner) -> None:
    searched = searched_by(owner)
    six = [f"http://a.test/{n}" for n in range(6)]
    assert urls(hit.page for hit in find(CollectionSearch().within(searched)).rows) == six
    assert urls(matching_pages(CollectionSearch().within(searched))) == six
    assert count(CollectionSearch().within(searched)).pages == 6
    counts = facets(CollectionSearch().within(searched))
    assert (counts.pages, counts.all, counts.of(ROLE)["target"]) == (6, 6, 6)
    assert counts.of(HOST) == {"a.test": 6}
    assert sum(n for name, n in counts.of(VERDICT).items() if name != RELEVANT) == 6


def test_the_newest_crawl_that_has_it_shows_it(visited, searched_by, owner) -> None:
    (hit, *_) = find(CollectionSearch(words="word3").within(searched_by(owner))).rows
    page = Page.objects.get(pk=hit.page)
    assert (page.crawl_id, page.topicality) == (visited[2].pk, 0.9)


def test_each_crawl_counts_all_its_pages(visited, searched_by, owner) -> None:
    first, second, third = (crawl.pk for crawl in visited)
    assert facets(CollectionSearch().within(searched_by(owner))).of(CRAWL) == {
        first: 4,
        second: 3,
        third: 2,
    }
    assert facets(CollectionSearch().within(one_crawl(owner, first))).pages == 4


def test_a_crawl_filtered_by_has_pages_that_another_shows(visited, searched_by, owner) -> None:
    searched = searched_by(owner)
    chosen = CollectionSearch().having(CRAWL, Crawls((visited[0].pk,)))
    assert urls(matching_pages(chosen.within(searched))) == [f"http://a.test/{n}" for n in range(4)]
    assert facets(chosen.within(searched)).pages == count(chosen.within(searched)).pages == 4


def test_what_one_may_not_see_counts_nowhere(visited, topic, stranger) -> None:
    share_with_everybody(visited[0])
    searched = one_crawl(stranger, visited[0].pk)
    assert urls(matching_pages(CollectionSearch().within(searched))) == [
        f"http://a.test/{n}" for n in range(4)
    ]
    with pytest.raises(Http404):
        crawls_of_topic(stranger, topic.pk)
    share_with_everybody(topic)
    searched = crawls_of_topic(stranger, topic.pk)
    assert set(facets(CollectionSearch().within(searched)).of(CRAWL)) == {
        crawl.pk for crawl in visited
    }


def test_a_deleted_crawl_leaves_its_pages_to_the_others(visited, searched_by, owner) -> None:
    visited[2].delete()
    searched = searched_by(owner)
    assert urls(matching_pages(CollectionSearch().within(searched))) == [
        f"http://a.test/{n}" for n in range(5)
    ]
    assert searched.sets and all(visited[2].pk not in crawls for crawls in searched.sets.values())


def test_one_label_counts_for_all_crawls(visited, topic, searched_by, owner) -> None:
    Example.objects.create(
        topic=topic, url="http://a.test/3", relevant=True, source=Example.Source.LABEL
    )
    mark_anew(topic)
    searched = searched_by(owner)
    assert labelled_count(searched) == 1
    assert facets(CollectionSearch().within(searched)).of(LABEL) == {"y": 1, "none": 5}
    for crawl in visited:
        assert labelled_count(one_crawl(owner, crawl.pk)) == 1


def test_its_places_are_known_and_whether_verdicts_differ(visited, searched_by, owner) -> None:
    (hit, *_) = find(CollectionSearch(words="word3").within(searched_by(owner))).rows
    visits = page_visits(searched_by(owner).crawl_ids, [hit.page])[hit.page]
    assert [(visit.crawl, visit.seq) for visit in visits] == [
        (visited[0].pk, 4),
        (visited[1].pk, 2),
        (visited[2].pk, 1),
    ]
    assert verdicts_differ(visits)
    assert not verdicts_differ(visits[::2])


def test_the_pages_that_crawls_judge_differently_come_first_if_asked(visited, searched_by, owner):
    def listed(searched, order: PageOrder) -> list[str]:
        pages = Page.objects.in_bulk(
            [hit.page for hit in find(CollectionSearch(order=order).within(searched)).rows]
        )
        return [
            pages[hit.page].final_url
            for hit in find(CollectionSearch(order=order).within(searched)).rows
        ]

    differ, topical = (
        listed(searched_by(owner), o) for o in (PageOrder.DIFFER, PageOrder.TOPICALITY)
    )
    assert sorted(differ[:2]) == ["http://a.test/2", "http://a.test/3"]
    assert differ[2:] == [url for url in topical if url not in differ[:2]]
    alone = one_crawl(owner, visited[0].pk)
    assert listed(alone, PageOrder.DIFFER) == listed(alone, PageOrder.TOPICALITY)


def test_a_page_is_no_near_duplicate_of_itself(visited) -> None:
    crawls = tuple(crawl.pk for crawl in visited)
    shown = details(Page.objects.get(crawl=visited[0], seq=4), crawls)
    assert shown.entry.fold is not None
    assert (shown.same, shown.same_count, len(shown.visits)) == ((), 0, 3)


def test_the_order_of_listing_makes_no_difference(topic, crawl, other_crawl) -> None:
    store(other_crawl, visit(1), visit(2), index=False)
    store(crawl, visit(2), visit(3), index=False)
    for each in (other_crawl, crawl):
        list_pages(each, 1)
    for each in (crawl, other_crawl):
        list_pages(each)
    sets = {row.pk: members_of(row.crawls) for row in CrawlSet.objects.all()}
    both = (crawl.pk, other_crawl.pk)
    assert {(e.crawl_id, e.seq): sets[e.crawl_set] for e in Entry.objects.all()} == {
        (crawl.pk, 1): both,
        (crawl.pk, 2): (crawl.pk,),
        (other_crawl.pk, 1): (other_crawl.pk,),
        (other_crawl.pk, 2): both,
    }
