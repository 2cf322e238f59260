"""A data folder is private, and only one of this version's format is opened."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder

from apps.jobs.tables import make_tables
from crawlsite import checks
from crawlsite.data_folder import DATABASE, FORMAT, open_folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command on that data folder, with SQLite, in an account that lets others read its files."""
    environment = {"CRAWLSITE_DATA": str(folder), "PATH": os.environ["PATH"]}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=environment,
        umask=0o022,
        capture_output=True,
        text=True,
    )


def rights(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def contents(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
        for path in sorted(folder.iterdir())
    }


def old_database(path: Path) -> None:
    with sqlite3.connect(path) as rows:
        rows.execute("CREATE TABLE django_migrations (id, app, name, applied)")
        row = (1, "topics", "0003_sources", "2026-01-01")
        rows.execute("INSERT INTO django_migrations VALUES (?, ?, ?, ?)", row)


def test_a_new_folder_and_its_database_are_their_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    made = run(
        folder,
        "shell",
        "-c",
        (
            "from django.core.management import call_command\n"
            "call_command('migrate', 'contenttypes', verbosity=0)\n"
            "import os, pathlib; from django.conf import settings\n"
            "for path in sorted(pathlib.Path(settings.DATA_DIR).glob('crawlsite*')):\n"
            "    print(path.name, oct(path.stat().st_mode & 0o777))"
        ),
    )
    assert made.returncode == 0, made.stderr
    lines = made.stdout.splitlines()
    assert [line for line in lines if line.startswith(DATABASE)] == [
        f"{DATABASE} 0o600",
        f"{DATABASE}-shm 0o600",
        f"{DATABASE}-wal 0o600",
    ]
    assert (folder / "format").read_text().strip() == FORMAT
    assert rights(folder) == "0o700" and rights(folder / "secret_key") == "0o600"


def test_a_folder_made_by_hand_becomes_private_when_first_used(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    open_folder(tmp_path)
    assert rights(tmp_path) == "0o700"
    tmp_path.chmod(0o750)
    open_folder(tmp_path)
    assert rights(tmp_path) == "0o750"


def test_an_older_folder_is_refused_in_one_sentence_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("old")
    old_database(tmp_path / DATABASE)
    before = contents(tmp_path)
    for command in (["up"], ["migrate"]):
        refused = run(tmp_path, *command)
        assert refused.returncode == 1 and refused.stderr.count("\n") == 1
        assert "earlier version" in refused.stderr and "CRAWLSITE_DATA" in refused.stderr
    assert contents(tmp_path) == before


def test_a_folder_of_a_later_format_is_refused_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "format").write_text("12\n")
    with pytest.raises(ImproperlyConfigured, match="has format 12; this version reads format"):
        open_folder(tmp_path)


def test_a_database_of_another_version_is_refused_by_every_way_to_its_tables(
    tmp_path: Path,
) -> None:
    open_folder(tmp_path)
    old_database(tmp_path / DATABASE)
    for command in (["up", "--no-demo"], ["migrate"]):
        refused = run(tmp_path, *command)
        assert refused.returncode == 1 and "Traceback" not in refused.stderr
        assert "names topics.0003_sources, which this version does not have" in refused.stderr
    with sqlite3.connect(tmp_path / DATABASE) as rows:
        tables = rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert tables == [("django_migrations",)]


@pytest.mark.django_db
def test_the_database_in_use_is_refused_once_it_names_an_unknown_migration() -> None:
    make_tables()
    assert checks.this_version_made_the_database(None, databases=["default"]) == []
    MigrationRecorder.Migration.objects.create(app="crawls", name="0007_later")
    with pytest.raises(CommandError, match=r"crawls\.0007_later"):
        make_tables()
    with pytest.raises(CommandError, match=r"crawls\.0007_later"):
        call_command("migrate", skip_checks=False)
