"""A topic's pages get their clusters in the background, whatever is killed or hidden."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet
from django.http import QueryDict

from apps.accounts.sharing import share, unshare
from apps.collection.cluster_words import clusters_of
from apps.collection.clusters import tasks
from apps.collection.clusters.overview import cluster_overview
from apps.collection.clusters.tasks import cluster_topic, refresh_clusters
from apps.collection.models import Cluster, Clustering, Entry, PageVector
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import SearchedCrawls, one_crawl
from apps.collection.selectors import look
from apps.collection.withholding import hide_pages
from apps.crawls.models import Page
from apps.engine.codes import State
from tests.background import work_on
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl
from tests.near_pages import GROUPS, add_pages, make_vectors, page_of


def listed(searched: SearchedCrawls) -> list[Cluster]:
    return clusters_of(searched.topic, searched.readable)


def groups_of_clusters() -> dict[int, set[str]]:
    """The groups of the pages of each cluster."""
    titles = dict(Page.objects.values_list("pk", "title"))
    clusters: dict[int, set[str]] = {}
    for page, cluster in Entry.objects.values_list("page_id", "cluster"):
        clusters.setdefault(cluster, set()).add(titles[page].split()[0])
    return clusters


def test_each_group_of_pages_is_a_cluster_named_by_its_words(crawl) -> None:
    add_pages(crawl, bread=12, sea=12, clocks=12)
    job = refresh_clusters(crawl.topic)
    assert job.is_under_way
    assert work_on(job) == "done"
    clusters = groups_of_clusters()
    assert sorted(map(sorted, clusters.values())) == [["bread"], ["clocks"], ["sea"]]
    for cluster in Cluster.objects.all():
        (group,) = clusters[cluster.pk]
        assert len(cluster.words) == 5 and {*cluster.words} <= {*GROUPS[group]}
    assert not refresh_clusters(crawl.topic).is_under_way, "made already"


def test_near_duplicates_are_no_cluster_of_their_own(crawl) -> None:
    add_pages(crawl, bread=10, sea=10)
    store(crawl, *({"title": "bread copy", "html": page_of("bread", 1)} for _ in range(40)))
    make_vectors(crawl)
    assert cluster_topic(crawl.topic)
    clusters = groups_of_clusters()
    assert sorted(map(sorted, clusters.values())) == [["bread"], ["sea"]]
    assert sorted(Cluster.objects.values_list("pages", flat=True)) == [10, 10]


def test_a_page_that_comes_later_is_in_the_nearest_cluster(crawl) -> None:
    add_pages(crawl, bread=10, sea=10)
    assert cluster_topic(crawl.topic)
    before = groups_of_clusters()
    store(crawl, {"title": "sea 99", "html": page_of("sea", 99)})
    make_vectors(crawl)
    assert groups_of_clusters() == before


@pytest.mark.parametrize("killed_in", ["bulk_create", "delete", "update_or_create"])
def test_a_kill_leaves_all_pages_in_the_former_clusters(crawl, monkeypatch, killed_in) -> None:
    add_pages(crawl, bread=10, sea=10)
    assert cluster_topic(crawl.topic)
    first, names = groups_of_clusters(), [*Cluster.objects.values_list("words", flat=True)]

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(QuerySet, killed_in, killed)
        with pytest.raises(KeyboardInterrupt), transaction.atomic():
            cluster_topic(crawl.topic)
    assert groups_of_clusters() == first
    assert [*Cluster.objects.values_list("words", flat=True)] == names
    assert cluster_topic(crawl.topic)
    assert Cluster.objects.count() == 2 and not {*groups_of_clusters()} & {*first}


def test_pages_placed_while_clusters_are_made_are_in_one_of_the_new(crawl, monkeypatch) -> None:
    add_pages(crawl, bread=10, sea=10)
    replace = tasks._replace_clusters

    def later(*args: Any) -> bool:
        store(crawl, {"title": "sea 99", "html": page_of("sea", 99)})
        make_vectors(crawl)
        return replace(*args)

    monkeypatch.setattr(tasks, "_replace_clusters", later)
    assert cluster_topic(crawl.topic)
    assert sorted(map(sorted, groups_of_clusters().values())) == [["bread"], ["sea"]]


def test_words_of_hidden_pages_are_gone_at_once_and_clusters_are_made_without_them(crawl) -> None:
    pages = add_pages(crawl, bread=12, sea=12, clocks=12)
    assert cluster_topic(crawl.topic)
    clocks = [page.pk for page in pages[24:]]
    Clustering.objects.update(examples={"1": 12})
    hide_pages(crawl, clocks)
    assert [*Cluster.objects.values_list("words", flat=True)] == [[], [], []]
    job = Clustering.objects.get()
    assert job.is_under_way, "queued by the hiding itself"
    assert job.examples == {}
    assert not PageVector.objects.filter(page_id__in=clocks).exists()
    assert work_on(job) == "done"
    words = {word for cluster in Cluster.objects.all() for word in cluster.words}
    assert words and words <= {*GROUPS["bread"], *GROUPS["sea"]}
    nearest = {page for cluster in Cluster.objects.all() for page in cluster.nearest}
    assert nearest and not nearest & {*clocks}
    assert not refresh_clusters(crawl.topic).is_under_way


def test_pages_hidden_while_clusters_are_made_name_none(crawl, monkeypatch) -> None:
    pages = add_pages(crawl, bread=12, sea=12, clocks=12)
    replace, tried = tasks._replace_clusters, []

    def hidden_meanwhile(*args: Any) -> bool:
        if not tried:
            hide_pages(crawl, [page.pk for page in pages[24:]])
        tried.append(replace(*args))
        return tried[-1]

    monkeypatch.setattr(tasks, "_replace_clusters", hidden_meanwhile)
    assert cluster_topic(crawl.topic)
    assert tried == [False, True]
    words = {word for cluster in Cluster.objects.all() for word in cluster.words}
    assert words and words <= {*GROUPS["bread"], *GROUPS["sea"]}


def test_no_word_comes_from_a_crawl_that_the_topics_owner_may_not_see(
    crawl, stranger, owner, searched_by
) -> None:
    shared = share(crawl.topic, stranger.username, may_edit=True)
    own = made_crawl(crawl.topic, owner=stranger, state=State.FINISHED)
    add_pages(crawl, bread=10, sea=10)
    add_pages(own, clocks=20)
    make_vectors(crawl)
    assert cluster_topic(crawl.topic)
    words = {word for cluster in Cluster.objects.all() for word in cluster.words}
    assert words and words <= {*GROUPS["bread"], *GROUPS["sea"]}
    job = Clustering.objects.get()
    assert job.crawls == [crawl.pk]
    assert not Entry.objects.filter(cluster=None).exists(), "its pages are in the nearest"
    # Who sees but one crawl of the topic sees no word of another.
    assert listed(one_crawl(stranger, own.pk))[0].words
    unshare(crawl.topic, shared.pk)
    assert not any(cluster.words for cluster in listed(one_crawl(stranger, own.pk)))
    assert all(cluster.words for cluster in listed(one_crawl(owner, crawl.pk)))


def test_they_are_made_anew_when_a_crawl_that_names_them_is_no_longer_seen_by_all(
    crawl, stranger, owner, searched_by
) -> None:
    share(crawl.topic, stranger.username, may_edit=True)
    own = made_crawl(crawl.topic, owner=stranger, state=State.FINISHED)
    shared = share(own, owner.username)
    # Both crawls fetch the same addresses; the first fetch counts.
    add_pages(own, clocks=15)
    add_pages(crawl, bread=10, sea=20)
    make_vectors(own)
    assert work_on(refresh_clusters(crawl.topic)) == "done"
    assert Clustering.objects.get().crawls == sorted([crawl.pk, own.pk])
    assert any({*c.words} <= {*GROUPS["clocks"]} for c in listed(searched_by(owner)))
    unshare(own, shared.pk)
    assert not any(cluster.words for cluster in listed(searched_by(owner)))
    assert work_on(refresh_clusters(crawl.topic)) == "done"
    words = {word for cluster in listed(searched_by(owner)) for word in cluster.words}
    assert words and words <= {*GROUPS["bread"], *GROUPS["sea"]}


def test_a_cluster_opens_as_a_list_with_counts_beside_it(crawl, searched_by, owner) -> None:
    add_pages(crawl, bread=10, sea=12)
    assert cluster_topic(crawl.topic)
    largest, other = Cluster.objects.all()
    searched = searched_by(owner)
    seen = look(CollectionSearch.read(QueryDict(f"cluster={largest.pk}"), searched))
    assert seen.hits.totals.pages == 12
    assert seen.facets.counts["cluster"] == {largest.pk: 12, other.pk: 10}
    wrong = QueryDict("cluster=999")
    (error,) = CollectionSearch.read(wrong, searched).misread(wrong)
    assert error.field == "cluster"


def test_the_overview_counts_the_shown_pages_and_never_names_a_hidden_one(
    crawl, other_crawl, owner
) -> None:
    add_pages(crawl, bread=10, sea=12)
    assert cluster_topic(crawl.topic)
    nearest = Cluster.objects.get(pages=10).nearest
    assert len(nearest) == 10
    hide_pages(crawl, nearest[:7])
    crawl.topic.keywords = ["dough", "tide", "zeppelin"]
    crawl.topic.save()
    seen = cluster_overview(owner, crawl.topic_id)
    assert [row.pages for row in seen.clusters] == [12, 3]
    bread = seen.clusters[1].nearest
    assert len(bread) == 3 and [page.pk for page in bread] == nearest[7:]
    keywords = {row.words: (row.pages, row.few) for row in seen.keywords}
    assert keywords == {"dough": (3, True), "tide": (12, False), "zeppelin": (0, True)}
    assert seen.typical is not None and seen.loose == 0
