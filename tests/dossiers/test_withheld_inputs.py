"""What topics have of a host that was taken down: examples, other inputs, candidates, watches."""

from __future__ import annotations

import gzip
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from django.utils import timezone

from apps.begin.models import CandidatePage, Draft
from apps.begin.tasks import keep as keep_candidate
from apps.dossiers import taking_down, withheld_inputs
from apps.dossiers.models import TakeDown, WithheldInput
from apps.dossiers.taking_down import take_down
from apps.jobs import queue
from apps.topics.definition.schemas import TopicFile
from apps.topics.examples.loading import keep_page
from apps.topics.examples.page_store import ExampleWriter, page_store, topic_folder
from apps.topics.exporting import topic_file_of
from apps.topics.importing import import_topic
from apps.topics.models import Example, InputPage, Topic
from apps.topics.services import fetch_again
from apps.topics.snapshots import engine_topic, snapshot
from apps.topics.stored_texts import StoredTexts
from apps.watches.models import WatchedPage
from tests.crawls.run_here import bread, made_web
from tests.dossiers.test_taking_down import carry_out
from tests.made_web import MadeWeb
from tests.people import person, site_of
from tests.watch_fixtures import fill_watch, made_watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alike]
MADE = MadeWeb(pages=80, hosts=4)
HOST = "h1.test"


@pytest.fixture
def topic(data_dir: Path) -> Topic:
    """A topic whose examples are on four hosts."""
    return bread(person("ada"), made_web(data_dir, MADE), MADE)


def of_host(topic: Topic) -> list[Example]:
    return list(topic.examples.filter(url__startswith=f"http://{HOST}/"))


def stored(topic: Topic) -> bytes:
    """All that the topic's files hold."""
    files = sorted(topic_folder(topic.pk).glob("*.warc.gz"))
    return b"".join(gzip.decompress(file.read_bytes()) for file in files)


def candidate(topic: Topic, draft: Draft | None = None) -> CandidatePage:
    """A page of another address that led to the host."""
    draft = draft or Draft.objects.create(owner=topic.owner, topic=topic, sentence="bread")
    return CandidatePage.objects.create(
        draft=draft,
        url="http://old.test/",
        host="old.test",
        source="addresses",
        detail="yours",
        fetch=CandidatePage.FetchState.FETCHED,
        final_url=f"http://{HOST}/new",
        title="A secret",
        text="a secret text",
        terms={"secret": 2},
        links=[["http://x.test/", "secret"]],
        body=zlib.compress(b"<p>a secret text"),
    )


def test_examples_are_hidden_and_erased_and_the_topic_learns_without_them(topic: Topic) -> None:
    mine, before, version = of_host(topic), topic.examples.count(), topic.version
    assert len(mine) > 2 and all(example.title for example in mine)
    used = snapshot(topic)
    StoredTexts(topic.pk, used.data).write({"words": [mine[0].title]})
    with closing(page_store(topic.pk)) as store:
        bodies = [store.read(example.record).body for example in mine]
    row = take_down(topic.owner, topic, HOST)

    hidden = of_host(topic)
    assert {(e.title, e.fetch, e.failure, e.file) for e in hidden} == {
        ("", Example.Fetch.FAILED, Example.Unusable.TAKEN_DOWN, "")
    }
    topic.refresh_from_db()
    assert topic.version > version and topic.examples.count() == before
    page = site_of(topic.owner).get(f"/topics/{topic.pk}/").content.decode()
    assert "taken down with its host" in page and mine[0].title not in page
    assert fetch_again(topic) == 0 or not topic.examples.filter(
        url__startswith=f"http://{HOST}/", fetch=Example.Fetch.WAITING
    )
    learnt = engine_topic(snapshot(topic))
    assert not [e for e in (*learnt.training, *learnt.evaluation) if HOST in e.url]

    TakeDown.objects.update(erase_at=timezone.now())
    carry_out(row)
    assert not [body for body in bodies if body in stored(topic)]
    assert StoredTexts(topic.pk, used.data).read() is None
    used.refresh_from_db()
    assert not [e for e in used.data["examples"] if HOST in e["url"]] and engine_topic(used)
    assert not WithheldInput.objects.exclude(content=b"").exists()


def test_they_come_back_when_it_is_undone(topic: Topic) -> None:
    titles = {example.url: (example.title, example.record) for example in of_host(topic)}
    row = take_down(topic.owner, topic, HOST)
    carry_out(row)
    taking_down.undo(row, person("root", is_superuser=True))
    carry_out(row)
    assert {e.url: (e.title, e.record) for e in of_host(topic)} == titles
    assert {e.fetch for e in of_host(topic)} == {Example.Fetch.FETCHED}
    assert not WithheldInput.objects.exists()


def test_candidates_are_emptied_and_come_back(topic: Topic) -> None:
    page = candidate(topic)
    fields = ("title", "text", "terms", "links", "body", "fetch", "failure")
    before = CandidatePage.objects.values_list(*fields).get()
    row = take_down(topic.owner, topic, HOST)
    page.refresh_from_db()
    assert (page.title, page.text, page.terms, page.links) == ("", "", {}, [])
    assert (bytes(page.body), page.fetch) == (b"", CandidatePage.FetchState.FAILED)
    carry_out(row)
    taking_down.undo(row, person("root", is_superuser=True))
    carry_out(row)
    assert CandidatePage.objects.values_list(*fields).get() == before


def test_a_draft_without_a_topic_is_concerned_if_it_is_of_the_owner(topic: Topic) -> None:
    mine, theirs = Draft(owner=topic.owner), Draft(owner=person("bea"))
    mine.save()
    theirs.save()
    pages = [candidate(topic, mine), candidate(topic, theirs)]
    take_down(topic.owner, topic, HOST)
    for page in pages:
        page.refresh_from_db()
    assert [page.title for page in pages] == ["", "A secret"]


def test_a_waiting_input_is_not_fetched_any_more(topic: Topic) -> None:
    page = InputPage.objects.create(
        topic=topic, kind=InputPage.Kind.CORPUS, url=f"http://{HOST}/corpus"
    )
    take_down(topic.owner, topic, HOST)
    page.refresh_from_db()
    assert (page.fetch, page.failure) == (Example.Fetch.FAILED, Example.Unusable.TAKEN_DOWN)


def test_a_topic_that_is_replaced_from_its_file_fetches_nothing_of_it_again(topic: Topic) -> None:
    file = TopicFile.read(topic_file_of(topic))
    carry_out(take_down(topic.owner, topic, HOST))
    import_topic(topic.owner, file, topic.web_id, fetch=lambda topic: None, replace=True)
    assert {e.failure for e in of_host(topic)} == {Example.Unusable.TAKEN_DOWN}
    assert topic.examples.filter(fetch=Example.Fetch.WAITING).exists()


def test_a_page_that_is_being_fetched_stays_empty(topic: Topic) -> None:
    example, page = of_host(topic)[0], candidate(topic)
    with closing(page_store(topic.pk)) as store:
        answer = store.read(example.record)
    take_down(topic.owner, topic, HOST)
    with ExampleWriter(topic.pk) as writer:
        assert not keep_page(example, answer, writer)
    keep_candidate(page, answer)
    for row in (example, page):
        row.refresh_from_db()
        assert (row.title, row.failure) == ("", Example.Unusable.TAKEN_DOWN)


def test_what_is_left_after_the_first_is_hidden_in_the_background(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taking_down, "AT_ONCE", 1)
    monkeypatch.setattr(withheld_inputs, "CHUNK", 1)
    row = take_down(topic.owner, topic, HOST)
    assert [bool(example.title) for example in of_host(topic)].count(False) == 1
    carry_out(row)
    assert {example.title for example in of_host(topic)} == {""}


def test_what_another_taking_down_holds_back_stays_hidden(topic: Topic) -> None:
    mine = take_down(topic.owner, topic, HOST)
    carry_out(mine)
    root = person("root", is_superuser=True)
    other = TakeDown.objects.create(
        host=HOST, everywhere=True, by=root, at=timezone.now(), erase_at=mine.erase_at
    )
    taking_down.undo(mine, root)
    carry_out(mine)
    assert {example.title for example in of_host(topic)} == {""}
    taking_down.undo(other, root)
    queue.enqueue(other)
    carry_out(other)
    assert all(example.title for example in of_host(topic))


def test_a_watched_page_that_led_there_is_hidden_too(data_dir: Path) -> None:
    watch = made_watch(person("ada"))
    fill_watch(watch)
    page = WatchedPage.objects.filter(watch=watch, versions__isnull=False).distinct()[0]
    title = page.versions.latest("number").title
    WatchedPage.objects.filter(pk=page.pk).update(host="old.test", final_url=f"https://{HOST}/a")
    carry_out(take_down(watch.owner, watch.topic, HOST))
    assert title and {version.title for version in page.versions.all()} == {""}
