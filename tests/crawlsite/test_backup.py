"""A backup made while a crawl runs, restored elsewhere, has all of it, and the crawl goes on."""

from __future__ import annotations

import io
import json
import signal
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.db import connection

from apps.stored_files.files import keep, local
from crawlsite import backup
from crawlsite.data_folder import DATABASE, FORMAT
from tests.crawls.kill_site import IMPORT, made_files, shell_of
from tests.made_web import MadeWeb
from tests.running_site import RunningSite, running_site, wait_for
from tests.shared_store import On, Store

pytestmark = pytest.mark.tree

PAGES = 400
FETCHED = """
from apps.crawls.models import Crawl
print(sum(Crawl.objects.values_list("pages", flat=True)))
"""
GO_ON = """
from datetime import timedelta
from apps.crawls.models import Crawl
from apps.crawls.tasks import run_slice
from django.utils import timezone
crawl = Crawl.objects.get()
Crawl.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
run_slice(crawl.pk, crawl.epoch)
"""
STORED = """
import json
from apps.collection.pages.details import readable_answer
from apps.crawls.models import Crawl
crawl = Crawl.objects.get()
print(json.dumps([crawl.state, [
    [page.url, page.digest, len(readable_answer(crawl, page).body)]
    for page in crawl.pages_fetched.order_by("seq")]]))
"""


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A backup made while a process was suspended in the middle of a crawl, and what the crawl had
    stored in the end."""
    folder = tmp_path_factory.mktemp("site")
    files = made_files(folder, MadeWeb(PAGES))
    with running_site(folder, start=False) as site, shell_of(site) as shell:
        shell.run(IMPORT.format(**files))
        with site.begin(
            "crawl", "bread", "--strategy", "breadth_first", "--pages", "1000", "--web", "made"
        ) as crawl:
            wait_for(lambda: int(shell.run(FETCHED)) > 20, 60)
            crawl.send_signal(signal.SIGSTOP)
            assert int(shell.run(FETCHED)) < PAGES
            done = site.manage("backup", str(folder / "backup.tar.gz"))
            crawl.send_signal(signal.SIGCONT)
        assert done.returncode == 0, done.stderr
        yield folder / "backup.tar.gz", shell.run(STORED)


@pytest.fixture
def new(tmp_path: Path) -> Iterator[RunningSite]:
    """A data folder and a database with nothing in them."""
    with running_site(tmp_path, start=False, tables=False) as site:
        yield site


def test_a_restored_site_has_everything_and_its_crawl_goes_on(backed_up, new: RunningSite):
    file, stored = backed_up
    assert file.stat().st_mode & 0o777 == 0o600
    cut = new.folder / "cut.tar.gz"
    cut.write_bytes(file.read_bytes()[: file.stat().st_size * 9 // 10])
    refused = new.manage("restore", str(cut))
    assert refused.returncode == 1 and "is no whole backup" in refused.stderr
    assert not (new.folder / "data" / "webs").exists()
    done = new.manage("restore", str(file))
    assert done.returncode == 0, done.stderr
    with shell_of(new) as shell:
        shell.run(GO_ON)
        state, pages = json.loads(shell.run(STORED))
    assert state == "finished" and len(pages) > 100
    assert [state, pages] == json.loads(stored)
    again = new.manage("restore", str(file))
    assert again.returncode == 1 and "The database is not empty" in again.stderr


def test_what_is_no_backup_is_refused_and_nothing_changed(backed_up, new: RunningSite):
    file, _ = backed_up
    bad = new.folder / "bad.tar.gz"
    with tarfile.open(bad, "w:gz") as archive:
        archive.add(__file__, "notes.txt")
    refusals = {bad: "is no backup of Crawlsite"}
    half = new.folder / "half.tar.gz"
    half.write_bytes(file.read_bytes()[:500])
    refusals[half] = "is no whole backup"
    other = new.folder / "other.tar.gz"
    with tarfile.open(other, "w:gz") as archive:
        entry = tarfile.TarInfo("format")
        entry.size = 4
        archive.addfile(entry, io.BytesIO(b"999\n"))
        archive.addfile(tarfile.TarInfo("database.dump"))
    refusals[other] = f"has format 999; this version reads format {FORMAT} only"
    for path, words in refusals.items():
        done = new.manage("restore", str(path))
        assert done.returncode == 1 and words in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
    assert not (new.folder / "data" / "webs").exists()


def test_a_backup_with_one_changed_bit_is_refused_and_the_folder_stays(backed_up, tmp_path: Path):
    good = backed_up[0].read_bytes()
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "format").write_text(FORMAT)
    bad = tmp_path / "bad.tar.gz"
    for position in (len(good) * part // 13 for part in range(1, 13)):
        bad.write_bytes(good[:position] + bytes([good[position] ^ 16]) + good[position + 1 :])
        with pytest.raises(backup.BackupError, match="is no whole backup"):
            backup._unpacked(bad, folder)
        assert [path.name for path in folder.iterdir()] == ["format"]


def pack(file: Path, database: bytes) -> None:
    """A whole archive with that database."""
    with tarfile.open(file, "w:gz") as archive:
        for name, content in (("format", FORMAT.encode()), (DATABASE, database)):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file is the database of SQLite alone")
def test_a_backup_of_a_damaged_or_empty_database_is_refused(new: RunningSite):
    with closing(sqlite3.connect(new.folder / "one.sqlite3")) as database:
        database.execute("CREATE TABLE one (text UNIQUE)")
        database.executemany("INSERT INTO one VALUES (?)", ((f"{n:0900}",) for n in range(100)))
        database.commit()
    whole = (new.folder / "one.sqlite3").read_bytes()
    file = new.folder / "backup.tar.gz"
    for content, words in (
        (b"", "The database of the backup is empty."),
        (b"no database" * 1000, "is no whole backup: file is not a database"),
        (whole[:8192] + bytes(8192) + whole[16384:], "is no whole backup: its database is damaged"),
    ):
        pack(file, content)
        done = new.manage("restore", str(file))
        assert done.returncode == 1 and words in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1
        with closing(sqlite3.connect(new.folder / "data" / DATABASE)) as database:
            assert database.execute("SELECT name FROM sqlite_schema").fetchall() == []
        assert not list((new.folder / "data").glob(f"{backup.UNPACKED}*"))


def test_what_a_restore_that_was_killed_has_unpacked_is_removed_by_the_next(
    backed_up, new: RunningSite
):
    left = new.folder / "data" / f"{backup.UNPACKED}killed"
    left.mkdir(parents=True)
    (left.parent / "format").write_text(FORMAT)
    assert new.manage("restore", str(backed_up[0])).returncode == 0
    assert not left.exists()


@pytest.mark.parametrize("filters", [True, False], ids=["filter", "before Python 3.11.4"])
@pytest.mark.parametrize("name", ["../outside.txt", "link"])
def test_nothing_is_restored_outside_of_the_data_folder(tmp_path: Path, monkeypatch, filters, name):
    if not filters:
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
    file, folder = tmp_path / "bad.tar.gz", tmp_path / "data"
    folder.mkdir()
    with tarfile.open(file, "w:gz") as archive:
        entry = tarfile.TarInfo(name)
        if name == "link":
            entry.type, entry.linkname = tarfile.SYMTYPE, "/etc"
        archive.addfile(entry)
    with tarfile.open(file) as archive, pytest.raises((backup.BackupError, tarfile.TarError)):
        backup._keep_inside(archive, file)
        archive.extractall(folder)
    assert not list(folder.iterdir()) and not (tmp_path / "outside.txt").exists()


def test_no_file_is_overwritten_and_none_written_into_the_data_folder(tmp_path: Path):
    file, reports = tmp_path / "backup.tar.gz", []
    file.touch()
    with pytest.raises(backup.BackupError, match="exists already"):
        backup.write(tmp_path / "data", file, reports.append)
    with pytest.raises(backup.BackupError, match="name one outside of it"):
        backup.write(tmp_path, tmp_path / "new.tar.gz", reports.append)
    assert file.stat().st_size == 0 and not reports


def test_what_a_store_holds_is_backed_up_and_put_into_another(on: On, monkeypatch):
    def stored(folder: Path) -> None:
        (folder / "webs" / "coast").mkdir(parents=True)
        (folder / "webs" / "coast" / "index.sqlite").write_text("index")
        keep(folder / "webs" / "coast")
        (folder / "crawls" / "7").mkdir(parents=True)
        (folder / "crawls" / "7" / "checkpoint-1.npz").write_text("state")
        keep(folder / "crawls" / "7" / "checkpoint-1.npz")

    stored(on("a"))
    folder = on("b")  # another machine of the site: nothing is here yet
    (folder / "secret_key").write_text("key")
    (folder / "crawls").mkdir()
    (folder / "crawls" / "cached").touch()
    contents = {name: path.read_text() for name, path in backup._contents(folder, folder.parent)}
    assert contents == {
        "secret_key": "key",
        "webs/coast/index.sqlite": "index",
        "crawls/7/checkpoint-1.npz": "state",
    }
    monkeypatch.setitem(storages._storages, "data", Store())
    new = on("c")
    for name, text in contents.items():
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).write_text(text)
    backup._store(new)
    last = on("d")
    assert (local(last / "webs" / "coast") / "index.sqlite").read_text() == "index"
    assert local(last / "crawls" / "7" / "checkpoint-1.npz").read_text() == "state"
    assert not local(last / "secret_key").exists()
