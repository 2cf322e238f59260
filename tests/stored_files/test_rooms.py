"""What people make on one machine, worked on and read on others that share the store alone."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.backgrounds.files import texts_of
from apps.engine.answers import Answer
from apps.experiments.cells.live_record import LiveRecord
from apps.experiments.folder import record_folder
from apps.stored_files.files import copy_of, every_name, keep, local
from apps.topics import tasks
from apps.topics.copying import copy_topic
from apps.topics.definition.schemas import Definition
from apps.topics.inputs import lists
from apps.topics.inputs.catalogue import list_of
from apps.topics.inputs.lists import table_path
from apps.topics.inputs.tables.files import StoredTable
from apps.topics.models import InputTable, Topic
from apps.topics.services import create_topic
from apps.topics.snapshots import engine_topic, snapshot
from apps.uploads.services import take_upload
from apps.webs.importing import import_web
from apps.webs.links import WebLinks, count_links, is_counted, links_path
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.pages.indexing import is_indexed, write_index
from apps.webs.services import delete_web
from tests.background import work_on
from tests.deletions import finish_deletions
from tests.made_web import MadeWeb
from tests.shared_store import On

pytestmark = pytest.mark.django_db
MADE = MadeWeb(pages=30, hosts=3)


@pytest.fixture
def owner():
    return get_user_model().objects.create_user("ada")


@pytest.fixture
def web(on: On, tmp_path: Path) -> Web:
    """A web that machine a has imported."""
    (tmp_path / "made.jsonl").write_text(MADE.json_lines())
    on("a")
    return import_web("made", tmp_path / "made.jsonl")[0]


@pytest.fixture
def topic(web: Web, on: On, owner) -> Topic:
    """A topic of that web, whose examples machine b has read."""
    texts = {
        name: "\n".join(MADE.url(i) for i in numbers)
        for name, numbers in {"positives": (0, 4), "negatives": (1, 2), "seeds": (0,)}.items()
    }
    made = create_topic(
        owner,
        Definition(name="bread", keywords=("bread",), language="en", web_id=web.pk, lists=texts),
    ).topic
    on("b")
    tasks.run_here(made)
    return made


def test_a_web_is_read_counted_and_indexed_anywhere_and_deleted_everywhere(web, on: On) -> None:
    on("b")
    assert open_web(web).get(MADE.url(3)).body == MADE.get(MADE.url(3)).body
    assert count_links(web) and write_index(web)
    on("c")
    assert is_counted(web) and is_indexed(web)
    assert len(WebLinks(links_path(web))) == MADE.count
    delete_web(web)
    finish_deletions()
    assert list(every_name()) == []


def test_a_web_of_a_name_that_was_used_before_is_another_one(web, on: On, tmp_path) -> None:
    on("b")
    assert open_web(web).count == MADE.count
    delete_web(web)
    finish_deletions()
    on("a")
    (tmp_path / "few.jsonl").write_text('{"url": "http://a.test/", "html": "<p>Rye"}')
    new, _ = import_web("made", tmp_path / "few.jsonl")
    on("b")
    assert open_web(new).count == 1


def test_the_examples_of_a_topic_are_read_on_another_machine(topic: Topic, on: On) -> None:
    on("c")
    loaded = engine_topic(snapshot(topic))
    assert {example.url for example in loaded.training} == {MADE.url(i) for i in (0, 4, 1, 2)}
    on("d")
    copy = copy_topic(topic, get_user_model().objects.create_user("mate"))
    on("e")
    assert len(engine_topic(snapshot(copy)).training) == 4


def test_a_list_is_added_here_and_read_there(topic: Topic, on: On, monkeypatch) -> None:
    monkeypatch.setattr(lists, "AT_ONCE_BYTES", 10)
    on("a")
    counts = f"{MADE.url(0)},12\n{MADE.url(4)},7"
    list_of(InputTable.Kind.INLINKS).add(topic, "list.csv", BytesIO(counts.encode()))
    table = InputTable.objects.get()
    on("b")
    work_on(table)
    table.refresh_from_db()
    assert table.rows == 2, table.job_problem
    on("c")
    assert dict(StoredTable(table_path(table))) == {MADE.url(0): 12, MADE.url(4): 7}


def test_an_upload_is_taken_here_and_imported_there(on: On, owner) -> None:
    on("a")
    sent = SimpleUploadedFile("made.jsonl", MADE.json_lines().encode())
    upload = take_upload(owner, "web", "coast", sent)
    on("b")
    work_on(upload)
    on("c")
    assert open_web(Web.objects.get(name="coast")).count == MADE.count
    assert not any(name.startswith("uploads/") for name in every_name())


def test_a_background_is_built_there_of_the_newest_file(on: On, owner) -> None:
    on("a")

    def file(word: str) -> SimpleUploadedFile:
        return SimpleUploadedFile("texts.txt", f"{word} one\n{word} two\n{word} three".encode())

    made = services.make_background(owner, BackgroundSent(source="corpus", options={}), file("rye"))
    on("b")
    work_on(made.newest)
    on("a")
    services.build_again(made, file("oats"))
    on("b")
    work_on(made.newest)
    on("c")
    words = {word for text in texts_of(made.ready).texts() for word in text}
    assert "oats" in words and "rye" not in words


def test_what_one_machine_asked_of_the_live_web_the_next_one_has(on: On) -> None:
    url = "http://a.test/"
    answer = Answer(url, url, status=200, headers=(), body=b"<p>Rye", fetched_at=1e9)
    on("a")
    record = LiveRecord(local(record_folder(7), anew=True))
    record.add(answer)
    record.close()
    keep(record_folder(7))
    on("b")
    record = LiveRecord(local(record_folder(7), anew=True))
    assert record.get(url).body == b"<p>Rye"
    record.close()
    folder = on("c")
    record = LiveRecord(copy_of(record_folder(7), folder / "beside"))
    assert len(record) == 1
    record.close()
