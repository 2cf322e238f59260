"""What a commit writes of the measures: the crawl's row and its samples."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.models import Crawl
from apps.screens.crawls.row_state import describe_state
from tests.crawls.run_here import bread, made_web, new_crawl, run

pytestmark = pytest.mark.alike


def test_samples_are_numbered_without_gaps_and_the_row_has_the_speed(
    transactional_db: None, data_dir: Path
) -> None:
    topic = bread(get_user_model().objects.create_user("ada"), made_web(data_dir))
    beside: list[str] = []

    def look(row: Crawl) -> None:
        beside.append(describe_state(Crawl.objects.get(pk=row.pk), "", timezone.now()))
        if row.pages >= 30 and not row.events.filter(kind="paused").exists():
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    crawl = run(new_crawl(topic, "full_page", budget=60), look)
    resume(crawl)
    crawl = run(crawl, look)
    samples = list(crawl.samples.values_list("seq", "pages"))
    assert samples == [(n, 10 * n) for n in range(1, 7)]
    last = crawl.samples.last()
    assert crawl.metrics["pages_per_second"] == last.metrics["pages_per_second"]
    assert any("pages/s, about" in words for words in beside)
