"""Creating the database's tables, and refusing a database made by another version."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

OLDER = (
    "The database was made by another version of Crawlsite (it names {name}, which this version "
    "does not have). Nothing in it has been changed. Start that version to export what you need, "
    "then name another folder in CRAWLSITE_DATA, or another database in DATABASE_URL."
)


def make_tables(before: Callable[[], object] = lambda: None) -> None:
    """Applies pending migrations, for commands that may be the first ever to run; another one that
    is started meanwhile on the same data folder waits. `before` is called if there are any.

    Raises CommandError if another version made the database.
    """
    with _alone_on(settings.DATA_DIR):
        if refusal := refusal_of_history():
            raise CommandError(refusal)
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            before()
            call_command("migrate", verbosity=0)


@contextmanager
def _alone_on(folder: Path) -> Iterator[None]:
    """Holds a lock on the folder itself, which leaves no file in it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def refusal_of_history() -> str:
    """The message about a database with migrations that this version lacks, or an empty string."""
    loader = MigrationLoader(connection, ignore_no_migrations=True)
    unknown = set(loader.applied_migrations) - set(loader.disk_migrations)
    names = sorted(f"{app}.{name}" for app, name in unknown if app in loader.migrated_apps)
    return OLDER.format(name=names[0]) if names else ""
