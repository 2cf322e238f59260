"""Each page is indexed once, whichever process indexes it and whatever is killed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.collection import tasks
from apps.collection.indexing.index import index_texts, list_pages, sweep
from apps.collection.indexing.marks import mark_anew
from apps.collection.models import Entry, Fingerprint, Progress
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import up_to_date
from apps.collection.selectors import count
from apps.crawls.commands.labelling.labels import label
from apps.crawls.commands.lifecycle.delete import delete
from apps.crawls.models import Crawl
from apps.crawls.pages.bodies import Bodies
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.selectors import many_crawls, visible_crawls
from apps.engine.errors import BadWebFile
from apps.jobs import queue
from apps.topics.definition.schemas import Definition
from apps.topics.lock import lock_topic
from apps.topics.models import Example, Topic
from apps.topics.selectors import list_texts
from apps.topics.services import decide, edit_topic
from tests.background import work_on
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl
from tests.deletions import finish_deletions
from tests.running_site import wait_for


@pytest.fixture
def asked(monkeypatch) -> list[tuple]:
    """What is put to the background instead of being done."""
    calls: list[tuple] = []
    for module in (queue, tasks):
        monkeypatch.setattr(module, "async_task", lambda *args, **_: calls.append(args))
    return calls


def words(number: int) -> str:
    return " ".join(f"w{number}x{j}" for j in range(30)) + " common"


def test_doing_it_twice_changes_nothing(crawl, searched_by, owner) -> None:
    store(crawl, *[{"text": words(i)} for i in range(5)])
    list_pages(crawl)
    index_texts(crawl)
    tasks.ask(crawl)
    assert work_on(Progress.objects.get()) == "done"
    assert Entry.objects.count() == 5
    assert count(CollectionSearch(words="common").within(searched_by(owner))).pages == 5


def test_of_two_at_once_one_undoes_itself(crawl, searched_by, owner, monkeypatch) -> None:
    store(crawl, *[{"text": words(i)} for i in range(5)], index=False)
    list_pages(crawl)
    read = Bodies.answer
    calls = []

    def answer(self, page):
        if not calls:
            calls.append(page)
            index_texts(crawl)  # another worker is faster
        return read(self, page)

    monkeypatch.setattr(Bodies, "answer", answer)
    index_texts(crawl)
    assert count(CollectionSearch(words="common").within(searched_by(owner))).pages == 5
    with connection.cursor() as cursor:
        table = "collection_words_docsize" if connection.vendor == "sqlite" else "collection_words"
        cursor.execute(f"SELECT COUNT(*) FROM {table}")
        assert cursor.fetchone()[0] == 5


def test_a_kill_between_chunks_loses_and_doubles_nothing(
    crawl, searched_by, owner, monkeypatch
) -> None:
    monkeypatch.setattr("apps.collection.indexing.index.INDEXED_AT_ONCE", 2)
    store(crawl, *[{"text": words(i)} for i in range(5)], index=False)
    list_pages(crawl, 3)
    turns = iter([True, False])
    assert not index_texts(crawl, lambda: next(turns))
    with pytest.raises(RuntimeError), transaction.atomic():
        index_texts(crawl)
        raise RuntimeError("killed before the commit")
    assert Progress.objects.get(crawl=crawl).indexed == 2
    tasks.ask(crawl)
    assert work_on(Progress.objects.get()) == "done"
    assert count(CollectionSearch(words="common").within(searched_by(owner))).pages == 5


def test_a_look_takes_in_the_last_few_pages(crawl, searched_by, owner) -> None:
    store(crawl, {"text": words(1)}, index=False)
    searched = searched_by(owner)
    assert (searched.missing, searched.unlisted) == (0, 0)
    assert count(CollectionSearch(words="common").within(searched)).pages == 1


def test_a_look_leaves_many_pages_to_the_background(
    crawl, searched_by, owner, monkeypatch, asked, django_capture_on_commit_callbacks
) -> None:
    monkeypatch.setattr("apps.collection.searched_crawls.INDEXED_NOW", 3)
    store(crawl, *[{"text": words(i)} for i in range(4)], index=False)
    with django_capture_on_commit_callbacks(execute=True):
        searched = searched_by(owner)
        searched_by(owner)
    assert (searched.missing, searched.unlisted) == (4, 0)
    assert count(CollectionSearch().within(searched)).pages == 4
    assert asked == [(queue.TASK, "collection.progress", crawl.pk, 1)]


def test_a_look_takes_in_few_of_many_crawls(
    crawl, other_crawl, searched_by, owner, monkeypatch
) -> None:
    monkeypatch.setattr("apps.collection.searched_crawls.CRAWLS_NOW", 1)
    store(crawl, {"text": words(1)}, {"text": words(2)}, index=False)
    store(other_crawl, {"text": words(3)}, index=False)
    searched = searched_by(owner)
    assert (searched.missing, searched.unlisted) == (2, 2)
    assert (searched_by(owner).missing, searched_by(owner).unlisted) == (0, 0)


def test_crawls_by_the_hundred_are_read_with_their_topic_and_web_at_once(
    topic, owner, django_assert_num_queries
) -> None:
    made = [made_crawl(topic) for _ in range(3)]
    with django_assert_num_queries(3):
        read = list(many_crawls(visible_crawls(owner)))
        assert [(each.topic.name, each.web, each.pages) for each in read] == [
            (each.topic.name, each.web, each.pages) for each in reversed(made)
        ]


def test_the_supervisor_asks_once(crawl, asked, django_capture_on_commit_callbacks) -> None:
    store(crawl, {"text": words(1)}, index=False)
    with django_capture_on_commit_callbacks(execute=True):
        assert tasks.ask_where_due() == 1
        assert tasks.ask_where_due() == 0
    assert asked == [(queue.TASK, "collection.progress", crawl.pk, 1)]
    work_on(Progress.objects.get())
    assert tasks.ask_where_due() == 0


def test_a_crawl_whose_pages_cannot_be_read_rests_for_a_while(crawl, asked, monkeypatch) -> None:
    def unreadable(*_: object) -> None:
        raise BadWebFile("gone")

    store(crawl, {"text": words(1)}, index=False)
    assert tasks.ask_where_due() == 1
    monkeypatch.setattr(tasks, "index_texts", unreadable)
    work_on(Progress.objects.get())
    assert Progress.objects.get().job_state == "failed" and tasks.ask_where_due() == 0
    Progress.objects.update(job_touched_at=timezone.now() - tasks.AFTER_FAILURE)
    assert tasks.ask_where_due() == 1


def test_a_page_whose_copy_is_lost_is_found_by_its_title(crawl, searched_by, owner) -> None:
    store(crawl, {"title": "Lost leaf", "text": words(1)}, index=False)
    for path in crawl_folder(crawl.pk).iterdir():
        path.unlink()
    assert count(CollectionSearch(words="leaves lost").within(searched_by(owner))).pages == 0
    assert count(CollectionSearch(words="lost").within(searched_by(owner))).pages == 1


def test_a_deleted_crawl_is_forgotten(
    crawl, other_crawl, searched_by, owner, asked, django_capture_on_commit_callbacks
) -> None:
    store(crawl, *[{"text": words(i)} for i in range(3)])
    store(other_crawl, {"text": words(7)})
    with django_capture_on_commit_callbacks(execute=True):
        delete(Crawl.objects.get(pk=crawl.pk))
        finish_deletions()
    assert ("apps.collection.tasks.sweep_collections",) in asked
    assert (Entry.objects.count(), Fingerprint.objects.count()) == (1, 1)
    sweep()
    assert Progress.objects.get().indexed in (0, 1)
    assert count(CollectionSearch(words="common").within(searched_by(owner))).pages == 1
    assert count(CollectionSearch(words="w1x1").within(searched_by(owner))).pages == 0


def test_no_transaction_of_a_sweep_deletes_more_than_a_chunk(
    crawl, other_crawl, searched_by, owner, monkeypatch
) -> None:
    store(crawl, *[{"text": words(i)} for i in range(9)])
    store(other_crawl, *[{"text": words(20 + i // 2)} for i in range(8)])
    delete(Crawl.objects.get(pk=crawl.pk))
    finish_deletions()
    groups = sorted(Entry.objects.values_list("page_id", "fold"))
    monkeypatch.setattr("apps.collection.indexing.index.SWEPT_AT_ONCE", 2)
    for database in ("sqlite", "postgresql"):
        monkeypatch.setattr(f"apps.collection.full_text.{database}.BATCH", 2)
    with CaptureQueriesContext(connection) as queries:
        sweep()
        sweep()
    sent = [q["sql"] for q in queries]
    of_prints = [sql for sql in sent if sql.startswith("DELETE") and "fingerprint" in sql]
    if connection.vendor == "sqlite":
        assert len([sql for sql in of_prints if sql.count(",") == 1]) == 2
        of_words = [sql for sql in sent if "DELETE FROM collection_words_replaced_docsize" in sql]
        assert len(of_words) == 10, "17 pages, two at a time"
        assert Progress.objects.get().indexed == 0
    index_texts(other_crawl)
    assert sorted(Entry.objects.values_list("page_id", "fold")) == groups
    assert count(CollectionSearch(words="common").within(searched_by(owner))).shown == 4
    assert count(CollectionSearch(words="w1x1").within(searched_by(owner))).pages == 0


@pytest.mark.django_db(transaction=True)
def test_a_crawl_that_is_deleted_meanwhile_is_not_listed(crawl, owner, searched_by) -> None:
    store(crawl, {"text": words(1)}, index=False)
    gone, searched = Crawl.objects.get(pk=crawl.pk), searched_by(owner)
    delete(crawl)
    assert up_to_date(searched).missing == 0
    finish_deletions()
    assert list_pages(gone) == 0 and index_texts(gone)
    tasks.ask(gone)
    assert not Progress.objects.exists()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
@pytest.mark.django_db(transaction=True)
def test_whoever_changes_what_a_topics_crawls_gathered_waits_first_of_all(
    crawl, other_crawl
) -> None:
    writers: tuple[Callable[[Crawl], object], ...] = (
        list_pages,
        index_texts,
        lambda crawl: mark_anew(crawl.topic),
        lambda crawl: label(crawl, 1, True),
        lambda crawl: edit_topic(crawl.topic, definition_of(crawl.topic)),
        lambda crawl: decide(crawl.topic.examples.first(), False),
        delete,
    )
    store(crawl, {"text": words(1)}, index=False)
    list_pages(crawl)
    store(crawl, {"text": words(2)}, index=False)
    for write in writers:
        waits_first_of_all(write, crawl, other_crawl.topic_id)


def waits_first_of_all(write: Callable[[Crawl], object], crawl: Crawl, topic_id: int) -> None:
    def write_elsewhere() -> None:
        try:
            write(crawl)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as another:
        with transaction.atomic():
            lock_topic(topic_id)
            done = another.submit(write_elsewhere)
            wait_for(one_waits_for_a_turn, 60)
            for rows in (
                Topic.objects,
                Crawl.objects,
                Example.objects,
                Progress.objects,
                Entry.objects,
            ):
                assert list(rows.select_for_update(nowait=True))  # whoever waits holds none
            assert not done.done()
        done.result()


def definition_of(topic: Topic) -> Definition:
    return Definition(name=topic.name, keywords=tuple(topic.keywords), lists=list_texts(topic))


def one_waits_for_a_turn() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
            " WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted"
        )
        return cursor.fetchone()[0] == 1
