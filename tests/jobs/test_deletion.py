"""Rows with very many below them are hidden at once and deleted in small transactions."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.backgrounds.models import Background
from apps.collection.indexing.index import list_pages
from apps.collection.models import Entry
from apps.crawls import deletion
from apps.crawls.models import Crawl, FrontierEntry, Page
from apps.crawls.pages.folder import crawl_folder
from apps.jobs import queue
from apps.jobs.deletion import BATCH, being_deleted, delete_later, try_again
from apps.jobs.models import Deletion
from apps.jobs.tasks import run
from apps.stored_files.errors import StoreDown
from apps.topics.models import Topic
from apps.webs.importing import WebRefused
from apps.webs.models import Web
from apps.webs.services import delete_web
from tests.crawl_fixtures import crawl, owner  # noqa: F401
from tests.crawl_rows import grow, made_topic

pytestmark = [pytest.mark.django_db, pytest.mark.stored]
LINKS = 3 * BATCH + 7


@pytest.fixture
def large(crawl: Crawl, data_dir) -> Crawl:
    grow(crawl, 30)
    first = FrontierEntry.objects.filter(crawl=crawl).count()
    FrontierEntry.objects.bulk_create(
        FrontierEntry(
            crawl=crawl,
            number=10_000 + n,
            url=f"http://a.test/{n}",
            parent=-1,
            depth=0,
            priority=0.0,
        )
        for n in range(LINKS - first)
    )
    folder = crawl_folder(crawl.pk)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pages-000001.warc.gz").write_bytes(b"x")
    Crawl.objects.filter(pk=crawl.pk).update(state="finished", runner="")
    return crawl


def work(job: Deletion) -> str:
    return run("jobs.Deletion", job.pk, job.job_attempt)


def test_the_request_writes_three_rows_however_many_there_are(large, owner) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        delete_later(large, owner)
    assert not [q for q in queries if re.match("DELETE", q["sql"])]
    assert not Crawl.objects.exists() and Page.objects.filter(crawl=large).exists()
    assert [(job.name, job.rows) for job in being_deleted(owner, Crawl)] == [(str(large), 0)]


def test_pressed_twice_it_is_deleted_once(large, owner) -> None:
    delete_later(large, owner)
    delete_later(large, owner)
    assert Deletion.objects.get().job_attempt == 1


def test_no_transaction_deletes_more_than_a_batch(large, owner) -> None:
    delete_later(large, owner)
    with CaptureQueriesContext(connection) as queries:
        assert work(Deletion.objects.get()) == "done"
    deleted = [q["sql"] for q in queries if q["sql"].startswith("DELETE FROM")]
    of_links = [sql for sql in deleted if "frontierentry" in sql and " IN (" in sql]
    assert len(of_links) >= 4 and max(sql.count(",") for sql in of_links) < BATCH + 5
    assert not Crawl.every.exists() and not FrontierEntry.objects.exists()
    assert not crawl_folder(large.pk).exists() and not Deletion.objects.exists()


def test_entries_of_the_collection_go_in_batches_too(large, owner) -> None:
    """They have no name on the side of the crawl (`related_name="+"`)."""
    grow(large, BATCH + 40)
    list_pages(large)
    assert Entry.objects.filter(crawl=large).count() > BATCH
    delete_later(large, owner)
    with CaptureQueriesContext(connection) as queries:
        assert work(Deletion.objects.get()) == "done"
    deleted = [q["sql"] for q in queries if q["sql"].startswith('DELETE FROM "collection_entry"')]
    by_crawl = [sql for sql in deleted if '"crawl_id"' in sql]
    assert len(deleted) - len(by_crawl) >= 2 and not Entry.objects.exists()
    assert max(sql.count(",") for sql in deleted) < BATCH


def test_after_a_kill_it_goes_on_with_the_rows_that_are_left(large, owner, monkeypatch) -> None:
    delete_later(large, owner)
    job = Deletion.objects.get()
    beats = []
    heartbeat = queue.heartbeat

    def killed(job, **progress):
        if len(beats) == 2:
            raise KeyboardInterrupt
        beats.append(progress["rows"])
        return heartbeat(job, **progress)

    with monkeypatch.context() as patch:
        patch.setattr(queue, "heartbeat", killed)
        with pytest.raises(KeyboardInterrupt):
            work(job)
    assert Crawl.every.exists() and 0 < FrontierEntry.objects.count() < LINKS
    queue.enqueue(job)
    assert work(job) == "done"
    assert not Crawl.every.exists() and not FrontierEntry.objects.exists()


def test_a_topic_goes_with_its_crawls_and_its_name_is_free_at_once(large, owner) -> None:
    topic = large.topic
    deletion.delete_topic(topic)
    assert not Topic.objects.filter(pk=topic.pk).exists() and not Crawl.objects.exists()
    again = made_topic(owner, topic.name)
    assert work(Deletion.objects.get()) == "done"
    assert list(Topic.every.all()) == [again] and not Crawl.every.exists()
    assert not crawl_folder(large.pk).exists()


def test_a_web_goes_after_its_deleted_crawls_and_its_name_is_free_at_once(large, data_dir) -> None:
    crawled = Web.objects.create(name="coast", source="folder", folder="coast", owner=large.owner)
    Crawl.objects.filter(pk=large.pk).update(web=crawled)
    Topic.objects.filter(pk=large.topic_id).update(web=crawled)
    with pytest.raises(WebRefused, match=r"^1 crawl and 1 topic on it: delete those first"):
        delete_web(crawled)
    deletion.delete_topic(large.topic)
    delete_web(crawled)
    Web.objects.create(name="coast", source="folder", folder="another", owner=large.owner)
    first, last = Deletion.objects.order_by("pk")
    assert work(last) == "done", "the rows that held on to it are deleted themselves"
    assert not Crawl.every.exists() and not Topic.every.exists()
    assert [web.folder for web in Web.every.filter(name="coast")] == ["another"]
    assert work(first) == "done" and not Deletion.objects.exists()


def test_rows_that_refer_to_it_let_go_at_once(large, owner) -> None:
    background = Background.objects.create(owner=owner, name="News", source="web")
    Topic.objects.filter(pk=large.topic_id).update(background=background)
    delete_later(background, owner)
    assert Topic.objects.get(pk=large.topic_id).background is None
    assert work(Deletion.objects.get()) == "done" and not Background.every.exists()


def test_a_failed_deletion_gives_the_reason_and_goes_on_when_it_is_tried_again(
    large, owner, monkeypatch
) -> None:
    delete_later(large, owner)
    job = Deletion.objects.get()

    def down(crawl: Crawl) -> None:
        raise StoreDown("the store does not answer")

    with monkeypatch.context() as patch:
        patch.setattr("apps.crawls.deletion.forget_crawl", down)
        work(job)
    job.refresh_from_db()
    assert job.job_problem == "Its files could not be deleted: the store does not answer."
    try_again(job)
    try_again(job)
    assert job.job_attempt == 2, "pressed twice it is queued once"
    assert work(job) == "done" and not Crawl.every.exists()
