"""The tables of the database, made once for all sites that the tests start.

A site that begins with them is like one that was started before; making them takes seconds.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from crawlsite.data_folder import DATABASE, FORMAT_FILE
from tests import stores

WORKER = "PYTEST_XDIST_WORKER"
ROOT = Path(__file__).resolve().parent.parent


def put_tables(data: Path) -> None:
    """Puts a database with tables in the data folder of a site that is to be started."""
    data.mkdir(mode=0o700, parents=True)
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


@cache
def _folder() -> Path:
    """A data folder with tables, gone with those of the tests."""
    folder = Path(tempfile.mkdtemp(prefix="tables-", dir=os.environ["CRAWLSITE_DATA"]))
    _migrate(folder, {"DATABASE_URL": ""})
    return folder


def _migrate(data: Path, environment: Mapping[str, str]) -> None:
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "0"],
        check=True,
        env={**os.environ, **environment, "CRAWLSITE_DATA": str(data)},
        stdin=subprocess.DEVNULL,
    )
