"""A database that goes away in mid-crawl, or comes back as it was: the crawl goes on at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import OperationalError

from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.lifecycle import lease
from apps.crawls.lifecycle.lease import claim
from apps.crawls.models import Crawl
from apps.crawls.pages.folder import new_store_file
from apps.crawls.running import ending, records, runner
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.jobs.process import this_process
from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, order, run


@pytest.fixture
def topic(transactional_db, data_dir: Path, settings) -> Topic:
    settings.LEASE_SECONDS = 3600
    return run_here.bread(get_user_model().objects.create_user("ada"), run_here.made_web(data_dir))


def lost(*_: object) -> None:
    raise OperationalError("the connection is closed")


def test_a_crawl_that_lost_its_database_is_free_for_the_next_worker_at_once(topic, monkeypatch):
    expected = order(run(new_crawl(topic, "breadth_first", budget=60)))
    crawl = new_crawl(topic, "breadth_first", budget=60)
    start_here(crawl)
    claimed = claim(crawl.pk, crawl.epoch)
    still_away = [lost, lost]

    def give_back(row: Crawl) -> bool:
        return still_away.pop()() if still_away else lease.give_back(row)

    monkeypatch.setattr(ending, "give_back", give_back)
    outcome = runner.Runner(
        claimed, keep=True, report=lambda row: lost() if row.pages >= 25 else None
    ).run()
    crawl.refresh_from_db()
    assert (outcome, crawl.runner, crawl.lease_until) == ("database_lost", "", None)
    assert crawl.enqueued_at is not None and 25 <= crawl.pages < 60
    assert order(run(crawl)) == expected


def test_a_run_that_got_nowhere_rests_until_its_lease_is_over(topic, monkeypatch):
    monkeypatch.setattr(records, "write_batch", lost)
    crawl = run(new_crawl(topic, "breadth_first", budget=60))
    assert (crawl.runner, crawl.pages) == (this_process(), 0)
    assert crawl.lease_until is not None


def test_an_epoch_handed_out_again_by_a_restored_database_gets_files_of_its_own(data_dir: Path):
    first, second = new_store_file(7, 2), new_store_file(7, 2)
    first.parent.mkdir(parents=True)
    for path in (first, second):
        PageStoreWriter(path).close()
    assert first != second and first.parent == second.parent == data_dir / "crawls" / "7"
