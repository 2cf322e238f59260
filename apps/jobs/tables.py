"""The tables of the database: made where they are not, refused where another version made them."""

from __future__ import annotations

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

OLDER = (
    "The database was made by another version of Crawlsite (it names {name}, which this version "
    "does not have). Nothing in it has been changed. Start that version to export what you need, "
    "then name another folder in CRAWLSITE_DATA, or another database in DATABASE_URL."
)


def make_tables() -> None:
    """Brings the database up to date, where it is not; for commands that may be the first ever to
    run. Raises CommandError where another version made it."""
    if refusal := refusal_of_history():
        raise CommandError(refusal)
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0)


def refusal_of_history() -> str:
    """What to say of a database with migrations that this version does not have; empty where it
    has none."""
    loader = MigrationLoader(connection, ignore_no_migrations=True)
    unknown = set(loader.applied_migrations) - set(loader.disk_migrations)
    names = sorted(f"{app}.{name}" for app, name in unknown if app in loader.migrated_apps)
    return OLDER.format(name=names[0]) if names else ""
