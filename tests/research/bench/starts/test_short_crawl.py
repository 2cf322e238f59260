"""A short crawl of the bench runs in this process and notes its CPU."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.research.bench.starts.short_crawl import crawl, make_topic_of_articles


@pytest.mark.django_db(transaction=True)
def test_it_notes_its_start_and_its_last_page(data_dir: Path, tmp_path: Path) -> None:
    began = time.process_time()
    topic = make_topic_of_articles(tmp_path, 60)
    made = time.process_time()
    start, last = crawl("text_window_combo", 10)
    assert began < made < start < last <= time.process_time()
    row = Crawl.objects.get(topic=topic)
    assert (row.state, row.pages) == ("finished", 10)
    with pytest.raises(CrawlRefused):
        crawl("no_such_strategy", 10)
