"""The tables of the database, made once for all tests and all sites that they start.

A site that begins with them is like one that was started before; making them takes a quarter of a
minute. On SQLite they stay in test-output/ until a migration changes.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django

from crawlsite.data_folder import DATABASE, FORMAT_FILE
from tests import stores

WORKER = "PYTEST_XDIST_WORKER"
ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "test-output"
_OPEN: list[sqlite3.Connection] = []


def put_tables(data: Path) -> None:
    """Puts a database with tables in the data folder of a site that is to be started, which is made
    where it is not there."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in (FORMAT_FILE, DATABASE):
        shutil.copy2(_folder() / name, data / name)


@cache
def database_with_tables(server: str) -> str:
    """The name of a PostgreSQL database with tables, beside that of the URL, to make others of."""
    name = f"{urlsplit(server).path.strip('/')}_tables_{os.environ.get(WORKER, 'alone')}"
    stores.drop_database(server, name)
    stores.create_database(server, name)
    atexit.register(stores.drop_database, server, name)
    its_url = urlsplit(server)._replace(path=f"/{name}").geturl()
    with tempfile.TemporaryDirectory(prefix="tables-") as folder:
        _migrate(Path(folder), {"DATABASE_URL": its_url})
    return name


def begin_with_tables(connection: Any) -> None:
    """Has the test database of a connection begin with them, so that `migrate` finds all done."""
    if connection.vendor == "postgresql":
        server = os.environ["DATABASE_URL"]
        connection.settings_dict["TEST"]["TEMPLATE"] = database_with_tables(server)
        return
    create = connection.creation._create_test_db

    def create_with_tables(*arguments: Any, **options: Any) -> str:
        name = create(*arguments, **options)
        # In memory, it is there as long as somebody has it open.
        memory = sqlite3.connect(name, uri=True)
        with closing(sqlite3.connect(_folder() / DATABASE)) as made:
            made.backup(memory)
        _OPEN.append(memory)
        return name

    connection.creation._create_test_db = create_with_tables


@cache
def _folder() -> Path:
    """A data folder with tables, made anew after every change of a migration."""
    OUTPUT.mkdir(exist_ok=True)
    folder = OUTPUT / f"tables-{_digest_of_migrations()}"
    with (OUTPUT / "tables.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            for outdated in OUTPUT.glob("tables-*"):
                shutil.rmtree(outdated)
            unfinished = Path(tempfile.mkdtemp(prefix="tables-", dir=OUTPUT))
            _migrate(unfinished, {"DATABASE_URL": ""})
            unfinished.rename(folder)
    return folder


def _digest_of_migrations() -> str:
    digest = hashlib.sha256(f"{django.VERSION} {sqlite3.sqlite_version}".encode())
    # The index of words is made by a migration, of what this module says.
    of_them = [
        ROOT / "apps/collection/indexing/word_index.py",
        *ROOT.glob("apps/*/migrations/*.py"),
    ]
    for path in sorted(of_them):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _migrate(data: Path, environment: Mapping[str, str]) -> None:
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "0", "--skip-checks"],
        check=True,
        env={**os.environ, **environment, "CRAWLSITE_DATA": str(data)},
        stdin=subprocess.DEVNULL,
    )
