"""What must hold of the project itself before anything else does."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import call_command

from apps.engine.networking.proxy import Proxy
from apps.jobs import site
from crawlsite import checks
from tests.running_site import ROOT


@pytest.mark.django_db
def test_the_models_have_their_migrations() -> None:
    out = StringIO()
    try:
        call_command("makemigrations", "--check", "--dry-run", stdout=out, verbosity=2)
    except SystemExit:
        pytest.fail(out.getvalue())


def test_tests_keep_out_of_the_checkouts_data_folder() -> None:
    assert settings.BASE_DIR not in settings.DATA_DIR.parents


def test_it_accepts_a_good_set_up(settings) -> None:
    settings.ALLOWED_ADDRESSES = []
    for check in (
        checks.python_is_new_enough,
        checks.sqlite_is_new_enough,
        checks.data_folder_is_writable,
        checks.redis_answers,
        checks.warn_of_private_addresses,
        checks.proxies_are_addresses,
    ):
        assert check(None) == []


def test_it_refuses_an_old_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "OLDEST_PYTHON", (4, 0))
    (message,) = checks.python_is_new_enough(None)
    assert message.id == "crawlsite.E001" and "4.0" in message.hint


def test_it_refuses_an_old_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "connection", SimpleNamespace(vendor="sqlite"))
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 30, 1))
    (message,) = checks.sqlite_is_new_enough(None)
    assert message.id == "crawlsite.E002" and "PostgreSQL" in message.hint


def test_a_proxy_that_is_no_address_is_refused_and_one_that_is_missing_named(settings) -> None:
    settings.HTTPS = True
    settings.TRUSTED_PROXIES = ["10.0.0.0/8", "proxy.example"]
    (message,) = checks.proxies_are_addresses(None)
    assert message.id == "crawlsite.E007" and "proxy.example" in message.msg
    settings.TRUSTED_PROXIES = []
    (message,) = checks.proxies_are_addresses(None)
    assert message.id == "crawlsite.W002" and "CRAWLSITE_PROXIES" in message.hint
    settings.TRUSTED_PROXIES = ["127.0.0.1", "::1"]
    assert checks.proxies_are_addresses(None) == []


def test_a_proxy_of_crawls_that_cannot_be_used_is_refused_without_its_password(settings) -> None:
    settings.CRAWL_PROXY = Proxy("socks5://ada:s3cr3t@proxy.example:1080")
    (message,) = checks.crawls_can_use_their_proxy(None)
    assert message.id == "crawlsite.E008" and "must begin with http://" in message.msg
    assert "s3cr3t" not in str(message)
    settings.CRAWL_PROXY = Proxy("http://ada:s3cr3t@proxy.example:3128")
    assert checks.crawls_can_use_their_proxy(None) == []


def test_it_refuses_a_data_folder_it_cannot_write(settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    (message,) = checks.data_folder_is_writable(None)
    assert message.id == "crawlsite.E003" and "CRAWLSITE_DATA" in message.hint


def test_it_refuses_a_redis_that_is_silent(settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    (message,) = checks.redis_answers(None)
    assert message.id == "crawlsite.E004" and "REDIS_URL" in message.hint


def test_it_refuses_a_redis_address_that_is_none(settings) -> None:
    settings.REDIS_URL = "bus://somewhere"
    (message,) = checks.redis_answers(None)
    assert message.id == "crawlsite.E004"


def test_it_warns_of_private_networks_that_crawls_may_enter(settings) -> None:
    settings.ALLOWED_ADDRESSES = ["127.0.0.0/8"]
    (message,) = checks.warn_of_private_addresses(None)
    assert message.id == "crawlsite.W001" and "127.0.0.0/8" in message.msg


def test_a_data_folder_that_cannot_be_made_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=settings.BASE_DIR,
        env={"CRAWLSITE_DATA": str(tmp_path / "file" / "data")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "cannot be made" in done.stderr


def test_the_lock_of_a_folder_is_held_once_and_named(tmp_path: Path) -> None:
    with site.take(tmp_path) as lock:
        site.write_holder(lock, "http://127.0.0.1:8123", "c0de")
        with pytest.raises(site.AlreadyRunning, match=r"http://127\.0\.0\.1:8123/"):
            site.take(tmp_path)
    assert site.address(tmp_path) == "http://127.0.0.1:8123"
    assert site.code(tmp_path) == "c0de"
    site.take(tmp_path).close()


def test_a_folder_that_never_ran_has_the_usual_address(tmp_path: Path) -> None:
    assert site.address(tmp_path) == site.DEFAULT_ADDRESS
    assert not site.is_stopping(tmp_path)
    site.stopping_file(tmp_path).touch()
    assert site.is_stopping(tmp_path)


def test_behind_https_nothing_is_missing_for_a_public_site(tmp_path: Path) -> None:
    public = {"CRAWLSITE_HTTPS": "1", "CRAWLSITE_PROXIES": "127.0.0.1"}
    environment = {**os.environ, "CRAWLSITE_DATA": str(tmp_path), **public}
    line = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
