"""The counts by topicality and status that a crawl's commits keep."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model

from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.heat import Heat
from apps.crawls.models import Crawl, Page
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.crawls import run_here

counting = import_module("apps.crawls.migrations.0005_crawl_heat")


def test_pages_are_counted_in_tenths_and_one_belongs_to_the_last() -> None:
    heat = Heat()
    for topicality, status in [(0.0, 0.3), (0.09, 0.39), (1.0, 1.0), (None, 0.3), (0.5, None)]:
        heat.add(topicality, status)
    assert heat.counts[3][0] == 2 and heat.counts[9][9] == 1
    assert (heat.judged_pages, heat.unknown) == (3, 2)


@pytest.mark.alike
def test_each_commit_counts_its_pages_over_a_pause_too(
    transactional_db: None, data_dir: Path
) -> None:
    owner = get_user_model().objects.create_user("ada")
    topic = run_here.bread(owner, run_here.made_web(data_dir))
    crawl = run_here.new_crawl(topic, "adaptive_utility", budget=60)

    def check(row: Crawl) -> None:
        assert Heat.of(row.heat) == counted(row)
        if row.pages >= 30 and not row.events.filter(kind="paused").exists():
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    crawl = run_here.run(crawl, check)
    assert 30 <= crawl.pages < 60
    resume(crawl)
    crawl = run_here.run(crawl, check)
    assert crawl.pages == 60
    assert Heat.of(crawl.heat).judged_pages > 0


def counted(crawl: Crawl) -> Heat:
    """By the rows."""
    heat = Heat()
    for pair in crawl.pages_fetched.values_list("topicality", "status"):
        heat.add(*pair)
    return heat


def test_crawls_from_before_are_counted_by_their_rows(db: None) -> None:
    owner = get_user_model().objects.create_user("ada")
    crawl = grow(made_crawl(made_topic(owner)), 30)
    Page.objects.filter(crawl=crawl, seq=1).update(topicality=1.0, status=0.05)
    Page.objects.filter(crawl=crawl, seq=2).update(status=None)
    Crawl.objects.update(heat={})
    counting.count_pages(apps, None)
    crawl.refresh_from_db()
    heat = Heat.of(crawl.heat)
    assert heat == counted(crawl)
    assert (heat.counts[0][9], heat.counts[6][8], heat.unknown) == (1, 28, 1)
