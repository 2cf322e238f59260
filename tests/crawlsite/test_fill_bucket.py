"""A site that has run without a bucket is given one: what only the data folder has is put there."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.crawls.models import UnsealedPages
from apps.crawls.pages.folder import crawl_folder
from apps.jobs import site
from apps.stored_files.files import every_name, forget, is_kept, keep, local
from crawlsite.store_problems import pages_left_behind
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic
from tests.running_site import free_port
from tests.s3_server import S3Server

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="a bucket needs PostgreSQL"),
]


def fill_bucket() -> str:
    output = StringIO()
    call_command("fill_bucket", stdout=output)
    return output.getvalue()


def test_what_only_the_data_folder_has_is_put_into_the_bucket(
    data_dir: Path, bucket, django_user_model
) -> None:
    topic = made_topic(django_user_model.objects.create_user("ada"))
    old, there, going_on = (made_crawl(topic) for _ in range(3))
    for crawl in (old, there, going_on):
        store(crawl, {"text": "seagrass"}, index=False)
    segments = {
        crawl: crawl_folder(crawl.pk) / crawl.pages_fetched.get().file
        for crawl in (old, there, going_on)
    }
    keep(segments[there])
    UnsealedPages.objects.create(
        crawl=going_on, file=segments[going_on].name, offset=0, data=b"a page"
    )
    web = data_dir / "webs" / "coast"
    for file in (
        web / "pages" / "one.warc.gz",
        data_dir / "models" / "a.npz",
        data_dir / "topics" / "1" / "list.csv",
    ):
        file.parent.mkdir(parents=True)
        file.write_bytes(b"kept")
    assert "crawlsite fill_bucket" in pages_left_behind()
    assert fill_bucket() == (
        f"3 files of {data_dir} put into the bucket {bucket}; all others were there.\n"
    )
    assert pages_left_behind() == ""
    assert is_kept(segments[old]) and is_kept(segments[there])
    assert not is_kept(segments[going_on])
    assert not any(name.startswith("models") for name in every_name())
    body = segments[old].read_bytes()
    for path in (web, segments[old]):
        copy = path.with_name("moved-away")
        path.rename(copy)
        assert local(path).exists()
        forget(copy)
    assert segments[old].read_bytes() == body
    assert (web / "pages" / "one.warc.gz").read_bytes() == b"kept"
    assert fill_bucket().startswith("0 files")


@pytest.mark.django_db(transaction=True)
def test_the_site_is_not_started_before(
    data_dir: Path, bucket, s3: S3Server, django_user_model
) -> None:
    crawl = made_crawl(made_topic(django_user_model.objects.create_user("ada")))
    store(crawl, {"text": "seagrass"}, index=False)
    of_tests = urlsplit(os.environ["DATABASE_URL"])._replace(
        path=f"/{connection.settings_dict['NAME']}"
    )
    environment = {
        **os.environ,
        **s3.environment(bucket),
        "CRAWLSITE_DATA": str(data_dir),
        "DATABASE_URL": of_tests.geturl(),
    }
    output = subprocess.run(
        [sys.executable, "manage.py", "up", "--port", str(free_port())],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert output.returncode == 1
    assert "Run crawlsite fill_bucket once, then start the site again." in output.stderr
    assert "Traceback" not in output.stderr and "Sign in" not in output.stdout


def test_a_site_that_runs_is_not_touched(data_dir: Path, bucket) -> None:
    with site.take(data_dir), pytest.raises(CommandError, match="already runs"):
        fill_bucket()


def test_without_a_bucket_its_setting_is_named(settings, data_dir: Path) -> None:
    with pytest.raises(CommandError, match="CRAWLSITE_S3_BUCKET"):
        fill_bucket()
