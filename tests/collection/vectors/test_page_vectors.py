"""Each page that was read gets one vector, in the background, whatever is killed or changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.collection import tasks
from apps.collection.indexing.reading import read_pages
from apps.collection.models import MainText, PageVector, Progress, TopicVectors
from apps.collection.vectors import page_vectors
from apps.collection.vectors.page_vectors import (
    make_page_vectors,
    space_of,
    vector_blocks,
    vectors_of_topic,
    without_vectors,
)
from apps.collection.withholding import forget_pages, hide_pages, show_pages
from apps.crawls.models import Crawl
from tests.background import work_on
from tests.collection_fixtures import store
from tests.near_pages import GROUPS, add_pages, make_vectors, page_of


def keys() -> list[int]:
    return sorted(PageVector.objects.values_list("page_id", flat=True))


def test_the_worker_makes_them_after_reading(crawl) -> None:
    pages = store(crawl, *({"html": page_of("bread", n)} for n in range(10)))
    tasks.ask(crawl)
    work_on(Progress.objects.get(crawl=crawl))
    assert keys() == sorted(page.pk for page in pages)
    row = vectors_of_topic(crawl.topic_id)
    assert row is not None and row.by_words and row.pages == 10
    assert not Progress.objects.filter(without_vectors()).exists()
    assert not list(tasks._due())


def test_a_page_takes_two_bytes_a_number_and_is_placed_as_its_text_is(crawl) -> None:
    add_pages(crawl, bread=5, sea=5)
    row = vectors_of_topic(crawl.topic_id)
    assert row is not None
    texts = list(MainText.objects.order_by("page_id"))
    placed = space_of(row).place([page_vectors.page_terms(text, True) for text in texts])
    ((listed, rows),) = vector_blocks([crawl.pk], row.version)
    assert sorted(listed.tolist()) == [text.page_id for text in texts]
    assert np.allclose(rows[np.argsort(listed)], placed, atol=1e-3)
    width = placed.shape[1]
    assert {len(vector.vector) for vector in PageVector.objects.all()} == {2 * width}


def test_with_too_few_pages_there_is_none_and_nothing_stays_due(crawl) -> None:
    add_pages(crawl, bread=5)
    assert not TopicVectors.objects.exists() and not keys()
    assert not Progress.objects.filter(without_vectors()).exists()
    add_pages(crawl, sea=4)
    assert len(keys()) == 9


def test_the_space_is_made_anew_at_twice_the_pages_for_every_page(crawl, other_crawl) -> None:
    add_pages(crawl, bread=10)
    add_pages(other_crawl, sea=9)
    assert TopicVectors.objects.get().version == 1
    assert set(PageVector.objects.values_list("version", flat=True)) == {1}
    store(other_crawl, {"html": page_of("sea", 20)})
    make_vectors(other_crawl)
    assert TopicVectors.objects.get().version == 2
    behind = Progress.objects.filter(without_vectors())
    assert [progress.crawl_id for progress in behind] == [crawl.pk]
    make_vectors(crawl)
    assert set(PageVector.objects.values_list("version", flat=True)) == {2}
    assert len(keys()) == 20


def test_a_kill_in_a_chunk_loses_and_doubles_nothing(crawl, monkeypatch) -> None:
    monkeypatch.setattr(page_vectors, "PLACED_AT_ONCE", 4)
    store(crawl, *({"html": page_of("bread", n)} for n in range(10)))

    def killed(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    beats = iter([True, False])
    assert read_pages(Progress.objects.select_related("crawl").get(crawl=crawl))
    assert not make_page_vectors(crawl, lambda: next(beats))
    assert len(keys()) == 4
    monkeypatch.setattr(type(PageVector.objects), "bulk_create", killed)
    with pytest.raises(KeyboardInterrupt), transaction.atomic():
        make_page_vectors(crawl)
    monkeypatch.undo()
    assert len(keys()) == 4 and Progress.objects.get(crawl=crawl).vectored == 4
    assert make_page_vectors(crawl)
    assert len(keys()) == 10


@pytest.fixture
def word_vectors(tmp_path: Path, settings) -> Path:
    path = tmp_path / "small.txt"
    listed = [word for group in GROUPS.values() for word in group]
    lines = [f"{word} {n // 12 == 0:d} {n // 12 == 1:d} 0.5" for n, word in enumerate(listed)]
    path.write_text("\n".join(lines) + "\n")
    settings.WORD_VECTORS, settings.WORD_VECTORS_LICENCE = str(path), "CC0"
    return path


def test_by_word_vectors_where_they_are_named_and_anew_when_their_file_changes(
    crawl, word_vectors, settings
) -> None:
    add_pages(crawl, bread=5, sea=5)
    row = TopicVectors.objects.get()
    assert (row.label, row.problem, row.by_words) == ("small.txt, licence CC0", "", False)
    assert {len(vector.vector) for vector in PageVector.objects.all()} == {6}
    with word_vectors.open("a") as stream:
        stream.write("sourdough 1 0 0.5\n")
    assert [progress.crawl_id for progress in Progress.objects.filter(without_vectors())] == [
        crawl.pk
    ]
    assert [due.pk for due in tasks._due()] == [crawl.pk]
    make_vectors(crawl)
    assert TopicVectors.objects.get().version == 2
    settings.WORD_VECTORS = "none"
    make_vectors(crawl)
    row = TopicVectors.objects.get()
    assert (row.version, row.label, row.by_words) == (3, "", True)


def test_vectors_that_cannot_be_read_are_named_and_the_pages_own_words_serve(
    crawl, word_vectors
) -> None:
    word_vectors.write_text("no vectors at all\n")
    add_pages(crawl, bread=5, sea=5)
    row = TopicVectors.objects.get()
    assert row.by_words and "CRAWLSITE_WORD_VECTORS: small.txt is neither" in row.problem
    assert len(keys()) == 10
    assert not Progress.objects.filter(without_vectors()).exists()


def test_a_page_taken_down_is_forgotten_and_one_shown_again_has_its_vector(crawl: Crawl) -> None:
    pages = add_pages(crawl, bread=5, sea=5)
    hide_pages(crawl, [pages[2].pk])
    show_pages(crawl, [pages[2].pk])
    assert Progress.objects.get(crawl=crawl).vectored == 2
    make_vectors(crawl)
    assert len(keys()) == 10
    hide_pages(crawl, [pages[2].pk])
    forget_pages([pages[2].pk])
    assert pages[2].pk not in keys() and len(keys()) == 9


def test_blocks_are_read_by_queries_that_end_before_the_next(crawl, monkeypatch) -> None:
    store(crawl, *({"html": page_of("bread", n)} for n in range(10)))
    make_vectors(crawl)
    monkeypatch.setattr(page_vectors, "BLOCK", 4)
    row = vectors_of_topic(crawl.topic_id)
    assert row is not None
    with CaptureQueriesContext(connection) as queries:
        blocks = [pages.tolist() for pages, _ in vector_blocks([crawl.pk], row.version)]
    assert [len(block) for block in blocks] == [4, 4, 2]
    assert [key for block in blocks for key in block] == keys()
    assert [query["sql"].count("LIMIT 4") for query in queries] == [1] * 4


def test_named_vectors_without_words_of_the_pages_are_tried_once(
    crawl, word_vectors, monkeypatch
) -> None:
    add_pages(crawl, bread=5, sea=5)
    word_vectors.write_text("2 3\nxylophone 1 0 0\nzither 0 1 0\n")
    made = []
    fit = page_vectors._make_space
    monkeypatch.setattr(page_vectors, "_make_space", lambda *of: made.append(of) or fit(*of))
    make_vectors(crawl)
    row = TopicVectors.objects.get()
    assert row.by_words and row.version == 2
    assert row.problem.startswith("No words of the pages are among those of small.txt")
    make_vectors(crawl)
    assert len(made) == 1 and len(keys()) == 10
    assert not Progress.objects.filter(without_vectors()).exists() and not list(tasks._due())


def test_when_no_space_is_left_none_is_tried_until_there_are_pages(crawl, word_vectors) -> None:
    pages = add_pages(crawl, bread=5, sea=5)
    hide_pages(crawl, [page.pk for page in pages[:4]])
    word_vectors.write_text("1 3\nzither 0 1 0\n")
    make_vectors(crawl)
    assert not TopicVectors.objects.exists() and not keys()
    assert not Progress.objects.filter(without_vectors()).exists()
