"""Clusters for programs."""

from __future__ import annotations

import pytest

from apps.accounts.sharing import share
from apps.collection.clusters.tasks import cluster_topic
from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from tests.collection_fixtures import crawl, owner, stranger, topic  # noqa: F401
from tests.near_pages import add_pages
from tests.people import Program

pytestmark = pytest.mark.django_db


def test_a_reader_sees_clusters_an_editor_has_them_made_anew_and_an_outsider_neither(
    owner, stranger, crawl, monkeypatch
) -> None:
    monkeypatch.setattr(READER, "read", read_article)
    add_pages(crawl, bread=10, sea=10)
    assert cluster_topic(crawl.topic)
    address = f"topics/{crawl.topic_id}/clusters"
    seen = Program(owner).get(address).json()
    assert [row["pages"] for row in seen["clusters"]] == [10, 10]
    assert len(seen["clusters"][0]["nearest"]) == 3 and not seen["making"]
    number = seen["clusters"][0]["cluster"]
    listed = Program(owner).get(f"topics/{crawl.topic_id}/pages?cluster={number}").json()
    assert listed["count"] == 10
    assert Program(stranger).get(address).status_code == 404
    share(crawl.topic, stranger.username)
    assert Program(stranger).get(address).json()["clusters"] == seen["clusters"]
    assert Program(stranger).send("post", address).status_code == 404
    assert Program(owner).send("post", address).json() == {"making": True}
