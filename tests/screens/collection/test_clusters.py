"""The screen of clusters: what is there, what is missing, and who may have them made anew."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.accounts.sharing import share
from apps.collection.clusters.tasks import cluster_topic
from apps.collection.models import Cluster
from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from tests.near_pages import add_pages


@pytest.fixture(autouse=True)
def read_here(monkeypatch) -> None:
    """Pages are read in this process: another one takes seconds to start."""
    monkeypatch.setattr(READER, "read", read_article)


def test_it_lists_the_clusters_and_the_keywords_without_pages(crawl, owner, client) -> None:
    crawl.topic.keywords = ["dough", "zeppelin"]
    crawl.topic.save()
    address = reverse("collection:clusters", args=[crawl.topic_id])
    client.force_login(owner)
    assert "No page has been fetched yet." in client.get(address).text
    add_pages(crawl, bread=12, sea=10)
    assert cluster_topic(crawl.topic)
    page = client.get(address).text
    for cluster in Cluster.objects.all():
        assert f'?cluster={cluster.pk}">{cluster.name}</a>' in page
    assert page.count('<span class="tag">none</span>') == 1
    assert "latent semantic analysis" in page
    rows = client.get(reverse("collection:clusters_csv", args=[crawl.topic_id])).text.splitlines()
    assert rows[0] == "cluster,words,pages,judged,relevant,nearest_pages" and len(rows) == 3


def test_a_reader_sees_it_and_an_outsider_does_not(crawl, owner, stranger, client) -> None:
    add_pages(crawl, bread=10, sea=10)
    assert cluster_topic(crawl.topic)
    address = reverse("collection:clusters", args=[crawl.topic_id])
    client.force_login(stranger)
    assert client.get(address).status_code == client.post(address).status_code == 404
    share(crawl.topic, stranger.username)
    assert "Make anew" not in client.get(address).text
    assert client.post(address).status_code == 404
    client.force_login(owner)
    assert "Make anew" in client.get(address).text
    assert "being made" in client.post(address, follow=True).text
