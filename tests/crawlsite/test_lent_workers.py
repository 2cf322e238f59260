"""Which machine may lend workers to which site."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.jobs import site
from apps.jobs.code_version import code_version
from apps.machines.broker import publish_code
from apps.machines.models import MachineEvent, Site
from crawlsite import lent_workers
from crawlsite.lent_workers import CannotLend, announce, check, check_agents
from tests.shared_store import On, Store

HERE = "http://127.0.0.1:8123"


@pytest.fixture
def shared(settings) -> None:
    settings.DATABASE_URL, settings.REDIS_URL = "postgres://db.test/crawls", "redis://db.test"


def site_ran(folder: Path, code: str) -> None:
    with site.take(folder) as lock:
        site.write_holder(lock, HERE, code)


def test_the_same_code_on_the_sites_own_stores_may_work(db, shared, tmp_path: Path) -> None:
    site_ran(tmp_path, code_version())
    publish_code()
    assert check(tmp_path) == HERE


@pytest.mark.parametrize("before", ["", "0123456789"])
def test_workers_wait_for_the_tables_of_the_sites_version(
    db, shared, tmp_path: Path, before: str
) -> None:
    site_ran(tmp_path, code_version())  # written down before the tables are made or changed
    if before:
        Site.objects.create(pk=1, code=before)
    with pytest.raises(CannotLend, match="has not made its tables in this database yet"):
        check(tmp_path)
    publish_code()
    assert check(tmp_path) == HERE


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
def test_without_shared_stores_nothing_can_be_lent(shared, settings, tmp_path, name) -> None:
    site_ran(tmp_path, code_version())
    setattr(settings, name, "")
    with pytest.raises(CannotLend, match="set DATABASE_URL and REDIS_URL"):
        check(tmp_path)


def test_a_folder_on_which_no_site_has_run_is_refused(shared, tmp_path: Path) -> None:
    with pytest.raises(CannotLend, match=f"No site has run on the data folder {tmp_path}"):
        check(tmp_path)


@pytest.mark.django_db
def test_other_code_is_refused_with_both_versions(shared, tmp_path: Path) -> None:
    site_ran(tmp_path, "0123456789")
    with pytest.raises(CannotLend, match=rf"\(0123456789\) than this machine \({code_version()}\)"):
        check(tmp_path)
    event = MachineEvent.objects.get(kind="refused")
    assert (event.payload["what"], event.payload["site"]) == ("workers", "0123456789")


@pytest.fixture
def bucket(shared, on: On, settings) -> On:
    """Machines that share a bucket and no folder; a site has run on the first one."""
    settings.S3_BUCKET = "pages"
    announce(on("a"), HERE)
    return on


def test_a_machine_with_the_bucket_alone_finds_the_site(db, bucket: On) -> None:
    publish_code()
    assert check(bucket("b")) == HERE


def test_a_bucket_on_which_no_site_has_run_is_refused(shared, on: On, settings) -> None:
    settings.S3_BUCKET = "pages"
    with pytest.raises(CannotLend, match="No site has run on the bucket pages"):
        check(on("b"))


def test_another_key_is_refused_before_any_task_is(bucket: On, settings) -> None:
    settings.SECRET_KEY = "of this machine"
    with pytest.raises(CannotLend, match="set CRAWLSITE_SECRET_KEY as there"):
        check(bucket("b"))


@pytest.mark.django_db
def test_other_code_is_refused_by_way_of_the_bucket_too(bucket: On, monkeypatch) -> None:
    monkeypatch.setattr(lent_workers, "code_version", lambda: "0123456789")
    with pytest.raises(CannotLend, match=r"than this machine \(0123456789\)"):
        check(bucket("b"))


def test_a_bucket_that_does_not_answer_is_reported(bucket: On) -> None:
    folder = bucket("b")
    Store.down = True
    with pytest.raises(CannotLend, match="nobody is there"):
        check(folder)


def test_agents_need_both_stores_and_the_code_of_the_site(db, shared, settings) -> None:
    with pytest.raises(CannotLend, match="No site has run on this database"):
        check_agents()
    publish_code()
    check_agents()
    Site.objects.update(code="0123456789")
    with pytest.raises(CannotLend, match=rf"\(0123456789\) than this machine \({code_version()}\)"):
        check_agents()
    settings.REDIS_URL = ""
    with pytest.raises(CannotLend, match="need its PostgreSQL and its Redis"):
        check_agents()
