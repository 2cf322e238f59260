"""A short crawl of the bench runs in this process and notes its CPU."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings

from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.research.bench.new_crawl import start_crawl
from apps.research.bench.starts.made_topic import make_topic_of_articles
from apps.research.bench.starts.short_crawl import timed_crawl

IMPORTED = """
import django
django.setup()
import apps.research.bench.starts.short_crawl
import sys
print([name for name in ("pydantic", "apps.crawls.services", "sklearn") if name in sys.modules])
"""


@pytest.mark.django_db(transaction=True)
def test_it_notes_its_start_and_its_last_page(data_dir: Path, tmp_path: Path) -> None:
    began = time.process_time()
    topic = make_topic_of_articles(tmp_path, 60)
    made = time.process_time()
    start, last = timed_crawl(start_crawl(topic, "text_window_combo", 10))
    assert began < made < start < last <= time.process_time()
    row = Crawl.objects.get(topic=topic)
    assert (row.state, row.pages) == ("finished", 10)
    with pytest.raises(CrawlRefused):
        start_crawl(topic, "no_such_strategy", 10)


def test_a_process_that_crawls_imports_nothing_that_only_starts_crawls() -> None:
    output = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        capture_output=True,
        text=True,
        check=True,
        cwd=settings.BASE_DIR,
    )
    assert output.stdout.strip() == "[]"
