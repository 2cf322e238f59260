"""Searches that are watched: which pages of a visit they match, for whom, and when not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.http import QueryDict

from apps.accounts.sharing import share, unshare
from apps.collection.models import SavedSearch
from apps.collection.saved_searches import watched as watched_searches
from apps.collection.saved_searches.searches import remove_search, restore_search, save_search
from apps.collection.saved_searches.watched import match_visit, stop_watching, watch_search
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import crawls_of_topic, one_crawl
from apps.crawls.models import Crawl, Page
from apps.engine.codes import State
from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from apps.schemas.refused import Refused
from apps.watches.digest_text import text_of, title_of
from apps.watches.digests import begin_digests, compose, digests_of
from apps.watches.models import (
    Delivery,
    Digest,
    Observation,
    PageState,
    PageVersion,
    SearchNews,
    Watch,
    WatchedPage,
    WatchVisit,
)
from apps.watches.search_news import content_for, matched_since
from apps.watches.subscriptions import choose_carrier, feed_of
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl
from tests.watch_fixtures import DAY, START, made_version, made_visit

HOOK = "http://hooks.test/watch"


@pytest.fixture(autouse=True)
def read_here(monkeypatch, settings) -> None:
    monkeypatch.setattr(READER, "read", read_article)
    settings.ADDRESS = "https://crawl.test"


@pytest.fixture
def watch(owner, topic, crawl) -> Watch:
    watch = Watch.objects.create(topic=topic, owner=owner, pattern=crawl, created_at=START)
    return watch


def saved(user, topic, query: str, name: str = "Meadows") -> SavedSearch:
    searched = crawls_of_topic(user, topic.pk)
    search = save_search(user, CollectionSearch.read(QueryDict(query), searched), name)
    watch_search(search)
    return search


def visited(watch: Watch, number: int = 1, **counts: int) -> WatchVisit:
    """A visit with a crawl of its own."""
    visit = made_visit(watch, number, **counts)
    visit.crawl = made_crawl(watch.topic, state=State.FINISHED)
    visit.save()
    return visit


def see(visit: WatchVisit, page: Page, state: PageState, before: Page | None = None) -> Observation:
    """An observation of a stored page, which before was another copy."""
    watched, _ = WatchedPage.objects.get_or_create(
        watch=visit.watch,
        key=page.url,
        defaults={
            "url": page.url,
            "host": page.host,
            "title": page.title,
            "is_watched": True,
            "first_seen_at": START,
        },
    )
    at = visit.began_at + timedelta(minutes=5)
    if before is not None:
        _version(watched, 1, before)
    version = _version(watched, 2, page)
    return Observation.objects.create(
        page=watched, visit=visit, at=at, state=state, version=version
    )


def _version(watched: WatchedPage, number: int, page: Page) -> PageVersion:
    version = made_version(watched, number, START, page.title)
    version.crawl_id, version.seq = page.crawl_id, page.seq
    version.save()
    return version


def matched(visit: WatchVisit) -> dict[str, list[int]]:
    return {each.name: list(each.seen) for each in match_visit(visit, lambda: True)}


def digest_of(visit: WatchVisit) -> Digest:
    begin_digests(START + 9 * DAY)
    digest = Digest.objects.get(visit=visit)
    compose(digest)
    digest.refresh_from_db()
    return digest


def test_new_pages_match_and_changed_ones_if_they_did_not_before(owner, topic, crawl, watch):
    saved(owner, topic, "q=eelgrass")
    url = "http://a.test/turned"
    formerly = store(crawl, {"text": "gravel", "url": url}, {"text": "eelgrass", "url": f"{url}2"})
    visit = visited(watch)
    new, other, turned, still = store(
        visit.crawl,
        {"text": "eelgrass meadows", "url": "http://a.test/new"},
        {"text": "gravel", "url": "http://a.test/other"},
        {"text": "gravel and eelgrass", "url": url},
        {"text": "more eelgrass", "url": f"{url}2"},
        index=False,
    )
    first = see(visit, new, PageState.NEW)
    see(visit, other, PageState.NEW)
    second = see(visit, turned, PageState.CHANGED, formerly[0])
    see(visit, still, PageState.CHANGED, formerly[1])
    see(visit, store(visit.crawl, {"text": "eelgrass", "url": "http://a.test/s"})[0], "same")
    assert matched(visit) == {"Meadows": [first.pk, second.pk]}


def test_filters_count_too(owner, topic, crawl, watch) -> None:
    saved(owner, topic, "q=eelgrass&host=b.test")
    visit = visited(watch)
    pages = store(
        visit.crawl,
        {"text": "eelgrass", "url": "http://a.test/1"},
        {"text": "eelgrass", "url": "http://b.test/1"},
    )
    rows = [see(visit, page, PageState.NEW) for page in pages]
    assert matched(visit) == {"Meadows": [rows[1].pk]}


def test_a_digest_reports_it_to_its_owner_alone(owner, stranger, topic, crawl, watch) -> None:
    share(topic, stranger.username)
    saved(owner, topic, "q=eelgrass")
    saved(stranger, topic, "q=gravel", "Stones")
    visit = visited(watch, new_pages=1)
    (page,) = store(visit.crawl, {"text": "eelgrass", "title": "A <meadow>"}, index=False)
    row = see(visit, page, PageState.NEW)
    digest = digest_of(visit)
    mine, theirs = content_for(digest, owner), content_for(digest, stranger)
    assert title_of(mine) == "Seagrass: 1 in “Meadows”; 1 new"
    assert title_of(theirs) == "Seagrass: 1 new"
    assert "\nIn “Meadows” (1)\n\n+ A <meadow>\n  http" in text_of(mine)
    assert "Meadows" not in text_of(theirs) and "Stones" not in text_of(theirs)
    (search,) = SavedSearch.objects.filter(owner=owner)
    assert matched_since(watch, owner, START) == {search.pk: [row.pk]}
    assert matched_since(watch, owner, row.at) == {}
    assert matched_since(watch, stranger, START) == {}


def test_composing_it_again_writes_nothing_twice(owner, topic, crawl, watch) -> None:
    saved(owner, topic, "q=eelgrass")
    visit = visited(watch, new_pages=1)
    see(visit, store(visit.crawl, {"text": "eelgrass"})[0], PageState.NEW)
    digest = digest_of(visit)
    compose(digest)
    compose(Digest.objects.get(pk=digest.pk))
    assert SearchNews.objects.count() == 1


def test_who_wants_matches_only_gets_no_digest_without(owner, topic, crawl, watch) -> None:
    saved(owner, topic, "q=eelgrass")
    choose_carrier(watch, owner, "webhook", START, target=HOOK, searches_only=True)
    feed = feed_of(watch, owner, START)
    feed.searches_only = True
    feed.save()
    Delivery.objects.all().delete()  # the test message
    for number, text in ((1, "gravel"), (2, "eelgrass")):
        visit = visited(watch, number, new_pages=1)
        stored = {"text": text, "url": f"http://a.test/{number}", "title": f"About {text}"}
        see(visit, store(visit.crawl, stored)[0], PageState.NEW)
        digest_of(visit)
    assert [row.digest.visit.number for row in Delivery.objects.all()] == [2]
    (shown,) = digests_of(feed)
    assert shown.visit.number == 2
    text = text_of(content_for(shown, owner, searches_only=True))
    assert text.count("About eelgrass") == 1 and "\nNew (1)" not in text


def test_a_search_that_is_stopped_or_removed_matches_nothing(owner, topic, crawl, watch) -> None:
    search = saved(owner, topic, "q=eelgrass")
    visit = visited(watch)
    see(visit, store(visit.crawl, {"text": "eelgrass"})[0], PageState.NEW)
    stop_watching(search)
    assert matched(visit) == {}
    watch_search(search)
    assert matched(visit)
    removed = remove_search(search)
    assert matched(visit) == {}
    restore_search(owner, removed)
    assert matched(visit)


def test_a_person_who_may_not_see_the_topic_any_more_gets_nothing(
    owner, stranger, topic, crawl, watch
) -> None:
    shared = share(topic, stranger.username)
    saved(stranger, topic, "q=eelgrass")
    visit = visited(watch)
    see(visit, store(visit.crawl, {"text": "eelgrass"})[0], PageState.NEW)
    assert matched(visit)["Meadows"]
    unshare(topic, shared.pk)
    assert matched(visit) == {"Meadows": []}


@pytest.mark.parametrize("query", ["q=eelgrass&crawl={crawl}", "q=eelgrass"])
def test_what_cannot_be_watched_is_refused(owner, topic, crawl, query) -> None:
    store(crawl, {"text": "eelgrass"})
    with pytest.raises(Refused, match=r"not watched|by their numbers"):
        saved(owner, topic, query.format(crawl=crawl.pk))


def test_a_search_for_near_pages_cannot_be_watched(owner, topic, crawl, watch) -> None:
    with pytest.raises(Refused, match="some page of each visit is nearest"):
        saved(owner, topic, "near=eelgrass")


def test_a_search_of_clusters_cannot_be_watched(owner, topic, crawl, watch) -> None:
    with pytest.raises(Refused, match="It asks for clusters, which new pages are in only when"):
        saved(owner, topic, "q=eelgrass&cluster=3")
    assert not SavedSearch.objects.get().is_watched


def test_a_search_of_one_crawl_cannot_be_watched(owner, topic, crawl, watch) -> None:
    store(crawl, {"text": "eelgrass"})
    searched = one_crawl(owner, crawl.pk)
    search = save_search(owner, CollectionSearch(words="eelgrass").within(searched), "One")
    with pytest.raises(Refused, match="by their numbers"):
        watch_search(search)


def test_a_worker_that_is_not_wanted_any_more_composes_nothing(owner, topic, crawl, watch) -> None:
    saved(owner, topic, "q=eelgrass")
    visit = visited(watch, new_pages=1)
    see(visit, store(visit.crawl, {"text": "eelgrass"}, index=False)[0], PageState.NEW)
    begin_digests(START + 9 * DAY)
    late = Digest.objects.get(visit=visit)
    late.job_state = Digest.State.WORKING
    Digest.objects.filter(pk=late.pk).update(job_attempt=late.job_attempt + 1)
    compose(late)
    assert not Digest.objects.exclude(composed_at=None).exists()
    assert not SearchNews.objects.exists()
    digest = Digest.objects.get(visit=visit)
    compose(digest)
    assert SearchNews.objects.filter(digest=digest).count() == 1


def test_taken_down_pages_are_rewritten(owner, topic, crawl, watch) -> None:
    from apps.topics.models import Topic
    from apps.watches.digests import rewrite_lines

    saved(owner, topic, "q=eelgrass")
    visit = visited(watch, new_pages=1)
    row = see(visit, store(visit.crawl, {"text": "eelgrass", "title": "Old"})[0], PageState.NEW)
    digest = digest_of(visit)
    PageVersion.objects.filter(page=row.page).update(title="Erased")
    rewrite_lines(row.page.host, Topic.objects.all())
    (news,) = digest.search_news.all()
    assert [line["title"] for line in news.pages] == ["Erased"]


def test_a_deleted_crawl_does_not_stop_the_digest(owner, topic, crawl, watch) -> None:
    saved(owner, topic, "q=eelgrass")
    visit = visited(watch, new_pages=1)
    see(visit, store(visit.crawl, {"text": "eelgrass"})[0], PageState.NEW)
    Crawl.objects.get(pk=visit.crawl.pk).delete()
    digest = digest_of(WatchVisit.objects.get(pk=visit.pk))
    assert digest.contains == "news" and not digest.search_news.exists()


UNASKED = (
    "The search “Meadows” could not be asked: an unexpected error, of which the site’s log has the"
    " details."
)


def news_of(watch: Watch) -> Digest:
    """The digest of a visit with one new page."""
    visit = visited(watch, new_pages=1)
    stored = {"text": "eelgrass", "title": "On eelgrass"}
    see(visit, store(visit.crawl, stored, index=False)[0], PageState.NEW)
    return digest_of(visit)


def test_a_search_that_fails_stops_no_other_one_and_no_digest(
    owner, stranger, topic, crawl, watch, monkeypatch, caplog
) -> None:
    share(topic, stranger.username)
    saved(owner, topic, "q=eelgrass+meadows")
    saved(stranger, topic, "q=eelgrass", "Theirs")
    choose_carrier(watch, owner, "webhook", START, target=HOOK, searches_only=True)
    Delivery.objects.all().delete()  # the test message
    matching = watched_searches.matching_pages

    def ask(search: CollectionSearch):
        if "meadows" in search.words:
            raise ValueError("words that the index cannot take")
        return matching(search)

    monkeypatch.setattr(watched_searches, "matching_pages", ask)
    digest = news_of(watch)
    mine, theirs = content_for(digest, owner), content_for(digest, stranger)
    assert title_of(mine) == "Seagrass: 1 new"
    assert UNASKED in text_of(mine) and "+ On eelgrass" in text_of(mine)
    assert title_of(theirs) == "Seagrass: 1 in “Theirs”; 1 new"
    assert "could not be asked" not in text_of(theirs)
    assert "words that the index cannot take" in caplog.text
    assert matched_since(watch, owner, START) == {}
    (delivery,) = Delivery.objects.all()
    assert delivery.digest == digest, "who gets matches only learns of it"


def test_pages_that_cannot_be_indexed_stop_no_digest(
    owner, topic, crawl, watch, monkeypatch, caplog
) -> None:
    def index(*_):
        raise OSError("the disk is full")

    saved(owner, topic, "q=eelgrass")
    monkeypatch.setattr(watched_searches, "index_texts", index)
    assert UNASKED in text_of(content_for(news_of(watch), owner))
    assert "the disk is full" in caplog.text
