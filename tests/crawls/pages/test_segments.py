"""Pages that are in no store yet: their rows, the files made again of them, and their readers."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import pytest

from apps.crawls.models import Crawl, Page, UnsealedPages
from apps.crawls.pages import segments
from apps.crawls.pages.bodies import Bodies
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.pages.segments import SegmentWriter, Unsealed, seal_left
from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.networking.page_store.store import Record
from apps.stored_files.files import every_name
from tests.shared_store import On, Store


def answer(number: int) -> Answer:
    url = f"http://a.test/{number}"
    body = f"<p>Page {number} of the crawl".encode() * 200
    return Answer(url, url, status=200, headers=(), body=body, fetched_at=1e9)


class Run:
    """A run of a crawl that commits batches of pages, and may be cut off anywhere."""

    def __init__(self, crawl: Crawl, epoch: int = 1) -> None:
        self.writer = SegmentWriter(crawl.pk, epoch)
        self.unsealed = Unsealed(crawl)
        crawl_folder(crawl.pk).mkdir(parents=True, exist_ok=True)

    def commit(self, *numbers: int) -> list[Record]:
        records = [self.writer.append(answer(number)) for number in numbers]
        self.writer.sync()
        pages = [SimpleNamespace(record=(r.file, r.offset, r.length, r.digest)) for r in records]
        self.unsealed.write(SimpleNamespace(pages=pages))
        return records

    def seal(self, files: list[str]) -> None:
        for file in files:
            self.unsealed.upload(file)
            self.unsealed.drop(file)


def page(record: Record) -> Page:
    return Page(seq=1, file=record.file, offset=record.offset, length=record.length)


def read(crawl: Crawl, records: list[Record]) -> list[Answer]:
    with Bodies(crawl) as bodies:
        return [bodies.answer(page(record)) for record in records]


def test_a_page_is_read_on_another_machine_before_it_is_sealed(on: On, crawl) -> None:
    on("a")
    run = Run(crawl)
    records = run.commit(0, 1) + run.commit(2)
    folder = on("b")
    assert read(crawl, records) == [answer(0), answer(1), answer(2)]
    assert list(every_name()) == [] and UnsealedPages.objects.count() == 2
    assert list(folder.iterdir()) == [], "the copies are gone"


def test_pages_committed_while_they_are_read_are_read_too(on: On, crawl) -> None:
    on("a")
    run = Run(crawl)
    (first,) = run.commit(0)
    on("b")
    with Bodies(crawl) as bodies:
        assert bodies.answer(page(first)) == answer(0)
        on("a")
        (second,) = run.commit(1)
        on("b")
        assert bodies.answer(page(second)) == answer(1)
        run.writer.close()
        on("a")
        run.seal(run.unsealed.every())
        on("b")
        assert bodies.answer(page(second)) == answer(1)


def test_the_next_run_makes_the_segments_of_a_dead_machine_again(on: On, crawl) -> None:
    on("a")
    run = Run(crawl)
    records = run.commit(0, 1) + run.commit(2, 3)
    written = (crawl_folder(crawl.pk) / records[0].file).read_bytes()
    run.writer.append(answer(4))  # not committed: the machine has gone before
    on("b")
    seal_left(crawl.pk)
    assert (crawl_folder(crawl.pk) / records[0].file).read_bytes() == written
    assert not UnsealedPages.objects.exists()
    on("c")
    assert read(crawl, records) == [answer(n) for n in range(4)]


def test_a_segment_is_complete_at_its_size_and_rows_go_only_once_it_is_stored(
    on: On, crawl, monkeypatch
) -> None:
    monkeypatch.setattr(segments, "SEGMENT_BYTES", 1000)
    on("a")
    run = Run(crawl)
    records = [run.commit(2 * n, 2 * n + 1) for n in range(6)]
    files = list(dict.fromkeys(record.file for batch in records for record in batch))
    assert len(files) > 1 and run.unsealed.complete() == files[:-1]
    Store.down = True
    with pytest.raises(BadWebFile, match="nobody is there"):
        run.seal(run.unsealed.complete())
    assert UnsealedPages.objects.count() == 6
    Store.down = False
    run.seal(run.unsealed.complete())
    assert set(UnsealedPages.objects.values_list("file", flat=True)) == {files[-1]}
    on("b")
    assert read(crawl, list(chain(*records))) == [answer(n) for n in range(12)]


def test_a_page_that_is_sealed_between_two_looks_is_found(on: On, crawl, monkeypatch) -> None:
    on("a")
    run = Run(crawl)
    records = run.commit(0)
    run.writer.close()
    looked, look = [], segments.UnsealedCopies.path

    def late(copies, wanted: Page) -> Path | None:
        if not looked:
            looked.append(on("a"))
            run.seal(run.unsealed.every())
            on("b")
        return look(copies, wanted)

    monkeypatch.setattr(segments.UnsealedCopies, "path", late)
    on("b")
    assert read(crawl, records) == [answer(0)] and looked


def test_a_page_of_which_nothing_is_left_is_reported_to_be_gone(on: On, crawl) -> None:
    on("a")
    with pytest.raises(BadWebFile, match="no such file"):
        read(crawl, [Record("pages-000001-0.warc.gz", 0, 10, "")])


def test_the_data_folder_alone_has_no_rows(crawl, data_dir: Path) -> None:
    run = Run(crawl)
    records = run.commit(0, 1)
    assert not UnsealedPages.objects.exists() and run.unsealed.every() == []
    assert read(crawl, records) == [answer(0), answer(1)]
