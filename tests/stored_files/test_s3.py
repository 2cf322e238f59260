"""The same verbs on a server with the S3 interface, and what is said of wrong settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.db import connection

from apps.crawls.models import UnsealedPages
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.pages.trimming import trim
from apps.stored_files.errors import StoreDown
from apps.stored_files.files import every_name, forget, keep, local, names
from crawlsite import store_problems
from crawlsite.checks import the_store_of_files_can_be_used
from crawlsite.store_problems import pages_left_behind
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic
from tests.running_site import free_port
from tests.s3_server import use_bucket

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="a bucket needs PostgreSQL"),
]


def machine(settings, folder: Path) -> Path:
    folder.mkdir()
    settings.DATA_DIR = folder
    return folder


def test_files_and_folders_pass_from_machine_to_machine(bucket, settings, tmp_path) -> None:
    a = machine(settings, tmp_path / "a")
    web = a / "webs" / "coast"
    (web / "pages").mkdir(parents=True)
    large = bytes(range(256)) * (80 << 10)  # sent and fetched in several parts
    (web / "pages" / "one.warc.gz").write_bytes(large)
    (web / "index.sqlite").write_bytes(b"index")
    keep(web)
    (a / "table.sqlite").write_bytes(b"ranks")
    keep(a / "table.sqlite")
    b = machine(settings, tmp_path / "b")
    assert local(b / "table.sqlite").read_bytes() == b"ranks"
    assert (local(b / "webs" / "coast") / "pages" / "one.warc.gz").read_bytes() == large
    assert names(b / "webs" / "coast") == {"index.sqlite"}
    assert not local(b / "webs" / "inland").exists()
    forget(b / "webs" / "coast")
    assert list(every_name()) == ["table.sqlite"]
    assert the_store_of_files_can_be_used(None) == []
    assert list(every_name()) == ["table.sqlite"]


def test_a_file_that_is_kept_again_replaces_the_one_before(bucket, settings, tmp_path) -> None:
    path = machine(settings, tmp_path / "a") / "up.txt"
    for text in ("old", "new"):
        path.write_text(text)
        keep(path)
    there = machine(settings, tmp_path / "b") / "up.txt"
    assert local(there).read_text() == "new"


def test_a_segment_that_was_trimmed_here_is_fetched_again(bucket, settings, tmp_path) -> None:
    pages = machine(settings, tmp_path / "a") / "crawls" / "7"
    pages.mkdir(parents=True)
    kept, unsealed = pages / "pages-1.warc.gz", pages / "pages-2.warc.gz"
    for path in (kept, unsealed):
        path.write_bytes(b"a page")
        os.utime(path, (0, 0))
    keep(kept)
    settings.S3_CACHE_BYTES = 0
    assert trim() == 6
    assert not kept.exists()
    assert unsealed.exists()
    assert local(kept).read_bytes() == b"a page"


def refusal() -> tuple[str, str]:
    (message,) = the_store_of_files_can_be_used(None)
    assert message.id == "crawlsite.E006"
    return message.msg, message.hint


def test_a_bucket_that_is_missing_is_refused(s3, bucket, settings) -> None:
    use_bucket(settings, s3, "nobody-made-this")
    sentence, hint = refusal()
    assert "bucket does not exist" in sentence
    assert hint == "Create the bucket, or correct CRAWLSITE_S3_BUCKET."


def test_a_server_that_is_down_is_refused_and_named(s3, bucket, settings, tmp_path) -> None:
    use_bucket(settings, s3, bucket, endpoint_url=f"http://127.0.0.1:{free_port()}")
    sentence, hint = refusal()
    assert "Could not connect" in sentence
    assert hint == "Start the server, or correct CRAWLSITE_S3_ENDPOINT."
    with pytest.raises(StoreDown, match="Could not connect"):
        local(machine(settings, tmp_path / "b") / "table.sqlite")


def test_a_wrong_key_is_refused(s3, bucket, settings) -> None:
    use_bucket(settings, s3, bucket, access_key="nobodys")
    with s3.keys_checked():
        sentence, hint = refusal()
    assert "AWS Access Key Id you provided does not exist" in sentence
    assert hint == "Correct CRAWLSITE_S3_KEY and CRAWLSITE_S3_SECRET."


def test_an_address_that_is_none_is_refused(s3, bucket, settings) -> None:
    use_bucket(settings, s3, bucket, endpoint_url="store.test")
    sentence, hint = refusal()
    assert "Invalid endpoint" in sentence
    assert hint == "Correct CRAWLSITE_S3_ENDPOINT: it begins with http:// or https://."


def test_sqlite_with_a_bucket_is_refused(bucket, settings) -> None:
    settings.DATABASE_URL = ""
    sentence, hint = refusal()
    assert "whose database is PostgreSQL" in sentence and "Set DATABASE_URL" in hint


def test_a_key_of_each_machines_own_is_refused(bucket, monkeypatch) -> None:
    monkeypatch.delenv("CRAWLSITE_SECRET_KEY")
    sentence, hint = refusal()
    assert "take its tasks" in sentence and "Set CRAWLSITE_SECRET_KEY" in hint


def test_without_the_library_its_installation_is_named(bucket, monkeypatch) -> None:
    monkeypatch.setattr(store_problems, "find_spec", lambda name: None)
    assert refusal()[1] == 'Run pip install "django-storages[s3]".'


def test_a_site_that_has_run_without_the_bucket_is_not_started_with_it(
    bucket, settings, tmp_path, django_user_model
) -> None:
    folder = machine(settings, tmp_path / "a")
    assert pages_left_behind() == ""
    crawl = made_crawl(made_topic(django_user_model.objects.create_user("ada")))
    (page,) = store(crawl, {"text": "seagrass"}, index=False)
    refusal = pages_left_behind()
    assert f"in the data folder {folder}, and not in the bucket {bucket}" in refusal
    unsealed = UnsealedPages.objects.create(crawl=crawl, file=page.file, offset=0, data=b"a page")
    assert pages_left_behind() == ""
    unsealed.delete()
    keep(crawl_folder(crawl.pk) / page.file)
    assert pages_left_behind() == ""
