"""A topic's pages get their clusters in the background, whatever is killed or hidden."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.collection.clusters import tasks
from apps.collection.clusters.overview import cluster_overview
from apps.collection.clusters.tasks import cluster_topic, refresh_clusters
from apps.collection.models import Cluster, Clustering, Entry
from apps.collection.search import CollectionSearch
from apps.collection.selectors import look
from apps.collection.withholding import hide_pages
from apps.crawls.models import Page
from tests.background import work_on
from tests.collection_fixtures import store
from tests.near_pages import GROUPS, add_pages, make_vectors, page_of


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


def test_after_a_kill_they_are_made_anew_and_none_is_left_over(crawl, monkeypatch) -> None:
    add_pages(crawl, bread=10, sea=10)
    assert cluster_topic(crawl.topic)
    first = groups_of_clusters()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(tasks, "_move", killed)
        with pytest.raises(KeyboardInterrupt):
            cluster_topic(crawl.topic)
    assert groups_of_clusters() == first
    assert cluster_topic(crawl.topic)
    assert Cluster.objects.count() == 2 and not {*groups_of_clusters()} & {*first}


def test_a_cluster_opens_as_a_list_with_counts_beside_it(crawl, scope_of, owner) -> None:
    add_pages(crawl, bread=10, sea=12)
    assert cluster_topic(crawl.topic)
    largest, other = Cluster.objects.all()
    scope = scope_of(owner)
    seen = look(CollectionSearch.read(QueryDict(f"cluster={largest.pk}"), scope))
    assert seen.hits.totals.pages == 12
    assert seen.facets.counts["cluster"] == {largest.pk: 12, other.pk: 10}
    wrong = QueryDict("cluster=999")
    (error,) = CollectionSearch.read(wrong, scope).misread(wrong)
    assert error.field == "cluster"


def test_the_overview_counts_the_shown_pages_and_never_names_a_hidden_one(
    crawl, other_crawl, scope_of, owner
) -> None:
    pages = add_pages(crawl, bread=10, sea=12)
    assert cluster_topic(crawl.topic)
    hide_pages(crawl, [page.pk for page in pages[:7]])
    crawl.topic.keywords = ["dough", "tide", "zeppelin"]
    crawl.topic.save()
    seen = cluster_overview(scope_of(owner), Clustering.objects.get())
    assert [row.pages for row in seen.clusters] == [12, 3]
    bread = seen.clusters[1].nearest
    assert len(bread) == 3 and {page.pk for page in bread} <= {page.pk for page in pages[7:10]}
    keywords = {row.words: (row.pages, row.few) for row in seen.keywords}
    assert keywords == {"dough": (3, True), "tide": (12, False), "zeppelin": (0, True)}
    assert seen.typical is not None and seen.loose == 0
