"""What a machine keeps of pages that a store has is trimmed by size, those used last stay."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from apps.crawls.models import Crawl
from apps.crawls.pages.bodies import Bodies
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.pages.trimming import IDLE_SECONDS, trim
from apps.engine.networking.page_store.store import Record
from tests.crawls.pages.test_segments import Run, answer, page
from tests.shared_store import On


@pytest.fixture
def records(on: On, crawl: Crawl, settings: Any) -> list[Record]:
    """A page in each of four segments, the last of which is not in the store; all unused for long,
    the first for longest. There is room for about two."""
    on("a")
    added: list[Record] = []
    for number in range(4):
        run = Run(crawl, epoch=number + 1)
        added += run.commit(number)
        run.writer.close()
        if number < 3:
            run.seal(run.unsealed.every())
        unused(crawl, added[-1], IDLE_SECONDS + 400 - 100 * number)
    settings.S3_CACHE_BYTES = 2 * path_of(crawl, added[0]).stat().st_size + 100
    return added


def path_of(crawl: Crawl, record: Record) -> Path:
    return crawl_folder(crawl.pk) / record.file


def unused(crawl: Crawl, record: Record, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path_of(crawl, record), (then, then))


def here(crawl: Crawl, records: list[Record]) -> list[int]:
    return [n for n, record in enumerate(records) if path_of(crawl, record).exists()]


def test_those_used_longest_ago_go_and_are_fetched_again(
    crawl: Crawl, records: list[Record]
) -> None:
    size = path_of(crawl, records[0]).stat().st_size
    assert trim() == pytest.approx(2 * size, abs=100)
    assert here(crawl, records) == [2, 3]
    with Bodies(crawl) as bodies:
        assert bodies.answer(page(records[0])).body == answer(0).body
    assert here(crawl, records) == [0, 2, 3]
    trim()
    assert here(crawl, records) == [0, 3]


def test_a_page_that_is_read_keeps_its_segment(crawl: Crawl, records: list[Record]) -> None:
    with Bodies(crawl) as bodies:
        bodies.answer(page(records[0]))
    trim()
    assert here(crawl, records) == [0, 3]


def test_what_was_just_used_or_is_in_no_store_stays(
    crawl: Crawl, records: list[Record], settings: Any
) -> None:
    settings.S3_CACHE_BYTES = 0
    unused(crawl, records[2], IDLE_SECONDS / 2)
    unused(crawl, records[3], IDLE_SECONDS + 900)
    trim()
    assert here(crawl, records) == [2, 3]


def test_a_data_folder_that_is_the_store_is_never_trimmed(
    crawl: Crawl, data_dir: Path, settings: Any
) -> None:
    settings.S3_CACHE_BYTES = 0
    run = Run(crawl)
    (record,) = run.commit(1)
    run.writer.close()
    unused(crawl, record, 2 * IDLE_SECONDS)
    assert trim() == 0 and here(crawl, [record]) == [0]
