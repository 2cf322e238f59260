"""After the week nothing that was made of an erased page's text is left, in any table or file."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.begin.models import CandidatePage, Draft
from apps.collection import full_text
from apps.collection.clusters.tasks import cluster_topic, refresh_clusters
from apps.collection.indexing.index import index_texts, list_pages
from apps.collection.indexing.reading import read_pages
from apps.collection.models import Cluster, Entry, PageVector, Progress, TopicVectors
from apps.collection.vectors.page_vectors import make_page_vectors, without_vectors
from apps.collection.withholding import hide_pages
from apps.crawls.commands.limits.budget import continue_with
from apps.crawls.models import Crawl, Page, WordsToErase
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.words_to_erase import ask_to_erase
from apps.dossiers.models import TakeDown
from apps.dossiers.taking_down import take_down
from apps.engine import checkpoint
from apps.engine.answers import Answer
from apps.engine.representation.tokens import ERASED
from apps.topics.models import Example, Topic
from apps.topics.tasks import run_here as run_topic
from apps.topics.versions import new_version
from tests.crawls.run_here import bread, made_web, new_crawl, run
from tests.dossiers.test_taking_down import carry_out
from tests.made_web import MadeWeb
from tests.people import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alike]
HOST = "h1.test"
RARE = "zwieback"


class RareWeb(MadeWeb):
    """A made web whose pages of one host, and no others, have a rare word, in the title too."""

    def get(self, url: str) -> Answer:
        answer = super().get(url)
        if not url.startswith(f"http://{HOST}/p/") or answer.failure:
            return answer
        body = answer.body.replace(b"<title>", b"<title>Zwieback ").replace(
            b"<p>", f"<p>{RARE} {RARE} ".encode()
        )
        return Answer(url, answer.final_url, answer.status, answer.headers, body)


MADE = RareWeb(pages=80, hosts=4)


def texts_in(data: bytes) -> Iterator[bytes]:
    """The bytes, and what is packed in them by zlib, gzip or zip."""
    yield data
    for unpack in (zlib.decompress, gzip.decompress):
        try:
            yield unpack(data)
        except (zlib.error, OSError, EOFError):
            continue
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from texts_in(archive.read(name))


def has_rare_word(value: Any) -> bool:
    data = bytes(value) if isinstance(value, (bytes, memoryview)) else str(value).encode()
    return any(RARE.encode() in text.lower() for text in texts_in(data))


def tables_with_it() -> set[str]:
    """Each `table.column` in which the word is."""
    names = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                pairs = zip(columns, row, strict=True)
                names |= {f"{table}.{column}" for column, value in pairs if has_rare_word(value)}
    return names


def files_with_it(folder: Path) -> set[str]:
    """The files of the data folder in which the word is, but for the web that was crawled."""
    files = (path for path in folder.rglob("*") if path.is_file() and "sqlite3" not in path.name)
    return {str(path.relative_to(folder)) for path in files if has_rare_word(path.read_bytes())}


@pytest.fixture
def crawl(data_dir: Path) -> Crawl:
    """A crawl whose pages are indexed, read, placed and clustered; its topic has examples and a
    draft with candidates of the host."""
    web = made_web(data_dir, MADE)
    topic = bread(person("ada"), web, MADE)
    crawl = run(new_crawl(topic, strategy="adaptive_utility", budget=60))
    list_pages(crawl)
    assert index_texts(crawl)
    assert read_pages(Progress.objects.select_related("crawl").get(crawl=crawl))
    assert make_page_vectors(crawl)
    refresh_clusters(topic)
    assert cluster_topic(topic)
    draft = Draft.objects.create(owner=topic.owner, topic=topic, sentence="bread")
    CandidatePage.objects.create(
        draft=draft, url=f"http://{HOST}/p/4.html", host=HOST, text=RARE, terms={RARE: 2}
    )
    return crawl


def make_again(topic: Topic, crawl: Crawl) -> None:
    """What the background does after the index was emptied."""
    run_topic(topic)
    assert index_texts(crawl)
    assert make_page_vectors(crawl)
    assert cluster_topic(topic)


def test_no_table_and_no_file_has_a_word_of_an_erased_page(crawl: Crawl, data_dir: Path) -> None:
    topic = crawl.topic
    learned = f"crawls/{crawl.pk}/{crawl.checkpoint}"
    before = tables_with_it()
    assert {
        "collection_topicvectors.space",
        "collection_words_data.block",
        "collection_maintext.blocks",
        "begin_candidatepage.terms",
        "topics_topic.quality",
    } <= before
    assert learned in files_with_it(data_dir)
    row = carry_out(take_down(topic.owner, topic, HOST))
    TakeDown.objects.update(erase_at=timezone.now())
    assert carry_out(row).erased_at is not None
    topic.refresh_from_db()
    make_again(topic, crawl)
    assert tables_with_it() == set()
    # The web that was crawled is no copy of ours.
    assert files_with_it(data_dir) == {"made.jsonl", "webs/made/pages.warc.gz"}
    # The rest is there: words, vectors, clusters and what the crawl has learned.
    shown = Entry.objects.filter(topic=topic).count()
    assert len(full_text.pages_with("dough", 1_000)) > 5
    assert PageVector.objects.count() == shown and Cluster.objects.exclude(words=[]).exists()


def test_a_crawl_goes_on_with_what_it_learned_of_other_pages(data_dir: Path) -> None:
    topic = bread(person("ada"), made_web(data_dir, MADE), MADE)
    Example.objects.filter(topic=topic, url__startswith=f"http://{HOST}/").delete()
    new_version(topic)
    crawl = run(new_crawl(topic, strategy="adaptive_utility", budget=60))
    words = checkpoint_words(crawl)
    assert RARE in words
    row = carry_out(take_down(topic.owner, topic, HOST))
    TakeDown.objects.update(erase_at=timezone.now())
    carry_out(row)
    left = checkpoint_words(crawl)
    assert len(left) == len(words)
    changed = {a: b for a, b in zip(words, left, strict=True) if a != b}
    assert changed == {RARE: f"{ERASED}{words.index(RARE)}"}
    continue_with(crawl, 64)
    crawl.refresh_from_db()
    pages = crawl.pages
    assert run(crawl).pages > pages


def test_a_running_crawl_forgets_the_words_before_its_next_checkpoint(data_dir: Path) -> None:
    topic = bread(person("ada"), made_web(data_dir, MADE), MADE)
    Example.objects.filter(topic=topic, url__startswith=f"http://{HOST}/").delete()
    new_version(topic)
    asked: list[WordsToErase] = []

    def take_down_once(crawl: Crawl) -> None:
        if asked or Page.objects.filter(crawl=crawl, host=HOST).count() < 2:
            return
        row = take_down(topic.owner, topic, HOST)
        TakeDown.objects.update(erase_at=timezone.now())
        assert carry_out(row).erased_at is not None
        asked.extend(WordsToErase.objects.all())

    crawl = run(new_crawl(topic, strategy="adaptive_utility", budget=60), take_down_once)
    assert crawl.pages == 60 and len(asked) == 1
    assert not has_rare_word(asked[0].digests) and not WordsToErase.objects.exists()
    assert any(word.startswith(ERASED) for word in checkpoint_words(crawl))
    assert not [name for name in files_with_it(data_dir) if name.startswith("crawls/")]


def test_a_crawl_that_is_taken_up_again_forgets_what_it_was_still_asked_to(data_dir: Path) -> None:
    topic = bread(person("ada"), made_web(data_dir, MADE), MADE)
    crawl = run(new_crawl(topic, strategy="adaptive_utility", budget=40))
    ask_to_erase(crawl, ["dough"])
    assert "dough" in checkpoint_words(crawl)
    continue_with(crawl, 41)
    crawl.refresh_from_db()
    assert run(crawl).pages == 41
    assert "dough" not in checkpoint_words(crawl) and not WordsToErase.objects.exists()


def test_too_few_pages_are_left_to_be_compared(crawl: Crawl) -> None:
    topic = crawl.topic
    gone = Entry.objects.filter(topic=topic).exclude(host=HOST).values_list("page_id", flat=True)
    hide_pages(crawl, list(gone))
    row = carry_out(take_down(topic.owner, topic, HOST))
    TakeDown.objects.update(erase_at=timezone.now())
    carry_out(row)
    assert not TopicVectors.objects.exists() and not PageVector.objects.exists()
    assert not Progress.objects.filter(without_vectors()).exists()


def checkpoint_words(crawl: Crawl) -> list[str]:
    entries = checkpoint.read(crawl_folder(crawl.pk) / crawl.checkpoint, "vocabulary")
    return [entry.split("\t")[0] for entry in entries]
