"""Everything stored as one file (tar, compressed by gzip), and back.

The database is copied first, as it is at one moment, and the files after it. Files are only added
to, so that they have whatever the copied database names; what they have beyond it is cut off when
a crawl goes on. Tasks that wait in Redis are not copied: what was unfinished is queued again.

With a store of files the backup has what is in the store, and by the database what is not there
yet. It can be restored with another store, or without one.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

from django.db import connection

from apps.crawls.models import UnsealedPages
from apps.crawls.pages.segments import seal_everything_here
from apps.stored_files.files import copy_of, every_name, is_elsewhere, keep
from crawlsite.data_folder import DATABASE, FORMAT, FORMAT_FILE, private_database
from crawlsite.filling import MADE_AGAIN, to_store
from crawlsite.lent_workers import SITE

DUMP = "database.dump"
"""The database as PostgreSQL's own tool writes it; SQLite's is copied under its own name."""
NOT_COPIED = MADE_AGAIN | {"up.lock", SITE, f"{DATABASE}-wal", f"{DATABASE}-shm"}
UNPACKED = "restoring-"
"""Begins the name of the folder that a backup is unpacked and checked in."""
DAMAGES = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, sqlite3.DatabaseError)
Progress = Callable[[int], object]


class BackupError(Exception):
    """The backup cannot be made or restored; the text has reason and remedy."""


def write(folder: Path, file: Path, progress: Progress) -> None:
    """Writes a backup (0600), while the site runs or not; `progress` gets each file's bytes.

    Raises BackupError, OSError. A file of that name is never overwritten.
    """
    if file.exists():
        raise BackupError(f"{file} exists already: name another file.")
    if file.is_relative_to(folder):
        raise BackupError(f"{file} would lie in the data folder itself: name one outside of it.")
    part = file.with_name(f"{file.name}.part")
    part.touch(mode=0o600)
    try:
        with (
            tempfile.TemporaryDirectory(dir=file.parent) as beside,
            tarfile.open(part, "w:gz", compresslevel=1) as archive,
        ):
            archive.add(folder / FORMAT_FILE, FORMAT_FILE)
            copy = _copy_of_database(Path(beside))
            archive.add(copy, copy.name)
            progress(copy.stat().st_size)
            for name, path in _contents(folder, Path(beside)):
                archive.add(path, name, recursive=False)
                progress(path.stat().st_size if path.is_file() else 0)
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)


def restore(folder: Path, file: Path) -> None:
    """Fills a new data folder and an empty database with a backup. The database comes last, so that
    a restore that was cut off can be repeated.

    Raises BackupError, before anything is changed: if the database is in use, or the file is no
    backup, is damaged, or has another format or another kind of database. Raises OSError.
    """
    if connection.introspection.table_names():
        raise BackupError(
            "The database is not empty: restore into a new data folder (CRAWLSITE_DATA), and with"
            " PostgreSQL into a new database (DATABASE_URL)."
        )
    connection.close()  # SQLite's file is about to be replaced
    for left in folder.glob(f"{UNPACKED}*"):
        shutil.rmtree(left)
    with tempfile.TemporaryDirectory(dir=folder, prefix=UNPACKED) as beside:
        database = _unpacked(file, Path(beside))
        copy = folder / database
        for path in sorted(Path(beside).rglob("*"), key=lambda path: path.name == database):
            _move_to(path, folder / path.relative_to(beside))
        _store(folder)
        if database == DUMP:
            _fill_database(copy)
    # A backup of an earlier version may lack the table.
    if UnsealedPages._meta.db_table in connection.introspection.table_names():
        seal_everything_here()


def _unpacked(file: Path, beside: Path) -> str:
    """Unpacks a backup that is whole, with a database that is sound; returns the database's name.

    Raises BackupError, OSError.
    """
    try:
        _read_to_checksum(file)
        with tarfile.open(file, "r:gz") as archive:
            database = _checked(archive, file)
            _keep_inside(archive, file)
            archive.extractall(beside)
        _check_database(beside / database)
    except DAMAGES as error:
        raise BackupError(f"{file} is no whole backup: {error}") from error
    return database


def _read_to_checksum(file: Path) -> None:
    """Raises one of DAMAGES if a bit has changed: tarfile itself does not read to the checksum."""
    with gzip.open(file) as unpacked:
        while unpacked.read(2**20):
            pass


def _check_database(copy: Path) -> None:
    """Raises BackupError, sqlite3.DatabaseError if the database is empty or damaged."""
    if copy.name == DUMP:
        if "TABLE DATA" not in _run("pg_restore", "--list", str(copy)):
            raise BackupError("The database of the backup is empty.")
        return
    with closing(sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)) as database:
        (answer,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            raise sqlite3.DatabaseError(f"its database is damaged ({' '.join(answer.split())})")
        if not database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            raise BackupError("The database of the backup is empty.")


def _move_to(path: Path, target: Path) -> None:
    if path.is_dir():
        target.mkdir(exist_ok=True)
        shutil.copymode(path, target)
    else:
        path.replace(target)


def _fill_database(dump: Path) -> None:
    _run(
        "pg_restore",
        "--no-owner",
        "--exit-on-error",
        "--single-transaction",
        "--dbname",
        _server()["PGDATABASE"],
        str(dump),
    )
    dump.unlink()


def _checked(archive: tarfile.TarFile, file: Path) -> str:
    """The name of the database's copy. The first two files of a backup are the number of its format
    and that copy."""
    number, database = archive.next(), archive.next()
    text = archive.extractfile(number) if number and number.name == FORMAT_FILE else None
    if text is None or database is None or database.name not in (DUMP, DATABASE):
        raise BackupError(f"{file} is no backup of Crawlsite.")
    version = text.read().decode(errors="replace").strip()
    if version != FORMAT:
        raise BackupError(
            f"{file} has format {version}; this version reads format {FORMAT} only. Restore it with"
            " the version of Crawlsite that wrote it."
        )
    if (database.name == DUMP) is not (connection.vendor == "postgresql"):
        other = "PostgreSQL: set" if database.name == DUMP else "SQLite: do not set"
        raise BackupError(f"{file} is of a site on {other} DATABASE_URL to restore it.")
    return database.name


def _keep_inside(archive: tarfile.TarFile, file: Path) -> None:
    """Refuses members that would be extracted outside the data folder. Before Python 3.11.4, which
    has no filter for that, an archive with anything but files and folders inside it is refused."""
    if hasattr(tarfile, "data_filter"):
        archive.extraction_filter = tarfile.data_filter
        return
    for each in archive.getmembers():
        path = PurePosixPath(each.name)
        if path.is_absolute() or ".." in path.parts or not (each.isfile() or each.isdir()):
            raise BackupError(f"{file} is no backup of Crawlsite: it has {each.name}.")


def _contents(folder: Path, beside: Path) -> Iterator[tuple[str, Path]]:
    """What is copied besides the database, with its name, folders before what is in them. Of what a
    store holds one file at a time is here, in `beside`."""
    for path in sorted(folder.iterdir()):
        if path.name in NOT_COPIED | {DATABASE, FORMAT_FILE} or path.name.startswith("stopping-"):
            continue
        if is_elsewhere() and path.is_dir():
            continue
        for each in (path, *sorted(path.rglob("*"))):
            yield each.relative_to(folder).as_posix(), each
    for name in every_name():
        copy = copy_of(folder / name, beside / "stored")
        if name not in NOT_COPIED and copy.exists():
            yield name, copy
            copy.unlink()


def _store(folder: Path) -> None:
    """Puts the files of a restored data folder into the store, if there is one."""
    for path in to_store(folder) if is_elsewhere() else ():
        keep(path)


def _copy_of_database(beside: Path) -> Path:
    if connection.vendor == "postgresql":
        _run("pg_dump", "--format=custom", "--no-owner", "--file", str(beside / DUMP))
        return beside / DUMP
    copy = private_database(beside)
    with (
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
    return copy


def _run(program: str, *arguments: str) -> str:
    """What one of PostgreSQL's own programs prints. Raises BackupError."""
    if not shutil.which(program):
        raise BackupError(f"{program} is missing: install PostgreSQL's client programs.")
    done = subprocess.run(
        [program, *arguments],
        env={**os.environ, **_server()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


def _server() -> Mapping[str, str]:
    """The database in the variables of PostgreSQL's programs, so no process shows a password."""
    options: Mapping[str, Any] = connection.settings_dict
    names = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    return {name: str(options[key]) for name, key in names.items() if options[key]}
