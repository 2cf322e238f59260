"""Each page of a crawl is read once by each version of the extraction, whatever is killed."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from apps.collection import tasks
from apps.collection.indexing import reading
from apps.collection.indexing.reading import main_texts, read_pages
from apps.collection.models import Entry, MainText, Progress
from apps.collection.vectors.page_vectors import make_page_vectors
from apps.crawls.commands.lifecycle.delete import delete
from apps.crawls.models import Crawl
from apps.crawls.pages.folder import crawl_folder
from apps.engine.codes import State
from apps.jobs.models import Job
from apps.main_text.article import Article, Block
from apps.main_text.reader import READER
from tests.background import work_on
from tests.collection_fixtures import store
from tests.deletions import finish_deletions

SENTENCE = "The town heats its hall with two heat pumps, which have replaced the boiler. "
PAGE = (
    "<html lang='de'><head><title>Two winters | Town Hall</title>"
    "<meta property='og:site_name' content='Town Hall'><meta name='author' content='Ada'>"
    "<meta name='date' content='2026-10-14'><meta name='robots' content='noai'></head>"
    f"<body><nav><a href='/'>Menu</a></nav><article><h1>Two winters</h1><p>{SENTENCE * 4}</p>"
    f"<p>Second. {SENTENCE}</p></article></body></html>"
)


@pytest.fixture
def progress(crawl) -> Progress:
    store(crawl, *[{"html": PAGE} for _ in range(5)])
    return Progress.objects.get(crawl=crawl)


def read_numbers() -> list[int]:
    return sorted(MainText.objects.values_list("page_id", flat=True))


def test_a_page_has_its_text_language_date_author_and_title(crawl, progress) -> None:
    assert read_pages(progress)
    first = Entry.objects.get(seq=1)
    text = main_texts([first.page_id])[first.page_id]
    assert text.text == f"Two winters\n\n{(SENTENCE * 4).strip()}\n\nSecond. {SENTENCE.strip()}"
    assert text.article[0] == Block("heading", "Two winters", 1)
    assert (text.title, text.author, text.languages) == ("Two winters", "Ada", [["en", 1.0]])
    assert (text.published, text.published_source) == (date(2026, 10, 14), "head")
    assert (first.language, first.published) == ("en", date(2026, 10, 14))
    assert divmod(first.published_month, 12) == (2026, 9)
    assert first.reserved
    assert text.reserved == "noai, noimageai: robots: noai"
    assert len(read_numbers()) == 5


def test_a_kill_between_chunks_loses_and_doubles_nothing(crawl, progress, monkeypatch) -> None:
    monkeypatch.setattr(reading, "READ_AT_ONCE", 2)
    turns = iter([True, False])
    assert not read_pages(progress, lambda: next(turns))
    with pytest.raises(RuntimeError), transaction.atomic():
        read_pages(progress)
        raise RuntimeError("killed before the commit")
    assert Progress.objects.get().read == len(read_numbers()) == 2
    assert read_pages(progress)
    assert len(read_numbers()) == 5


def test_of_two_at_once_one_undoes_itself(crawl, progress, monkeypatch) -> None:
    calls = []

    def read(answer) -> Article:
        if not calls:
            calls.append(answer)
            read_pages(progress)  # another worker is faster
            MainText.objects.update(author="the faster one")
        return Article()

    monkeypatch.setattr(READER, "read", read)
    read_pages(progress)
    assert [text.author for text in MainText.objects.all()] == ["the faster one"] * 5


def test_another_version_reads_all_pages_anew(crawl, progress, monkeypatch) -> None:
    read_pages(progress)
    assert make_page_vectors(crawl)
    assert tasks.ask_where_due() == 0
    monkeypatch.setattr(READER, "read", lambda _: Article((Block("paragraph", "new"),)))
    monkeypatch.setattr(reading, "VERSION", 1_000)
    assert tasks.ask_where_due() == 1
    assert work_on(Progress.objects.get()) == "done"
    assert {text.text for text in MainText.objects.all()} == {"new"}
    assert {entry.published for entry in Entry.objects.all()} == {None}
    assert Progress.objects.get().vectored == 5 and tasks.ask_where_due() == 0


def test_a_page_that_cannot_be_read_has_no_text(crawl, progress, monkeypatch) -> None:
    monkeypatch.setattr(READER, "read", lambda _: None)
    for path in crawl_folder(crawl.pk).glob("*-000000*"):
        path.unlink()
    assert read_pages(progress)
    assert {text.text for text in MainText.objects.all()} == {""}


def test_the_supervisor_asks_for_what_is_unread(crawl, progress) -> None:
    assert tasks.ask_where_due() == 1
    assert work_on(Progress.objects.get()) == "done"
    assert Progress.objects.get().read == 5 and tasks.ask_where_due() == 0


def test_a_running_crawl_is_read_from_time_to_time(crawl, progress) -> None:
    Crawl.objects.update(state=State.RUNNING)
    rows = Progress.objects.filter(crawl=crawl)
    rows.update(
        read=3, vectored=3, reader=reading.VERSION, read_at=timezone.now(), job_state=Job.State.NONE
    )
    assert tasks.ask_where_due() == 0
    rows.update(read_at=timezone.now() - tasks.READ_REST - timedelta(seconds=1))
    assert tasks.ask_where_due() == 1


def test_the_texts_of_a_deleted_crawl_are_deleted(crawl, progress) -> None:
    read_pages(progress)
    delete(Crawl.objects.get(pk=crawl.pk))
    finish_deletions()
    assert not MainText.objects.exists()
