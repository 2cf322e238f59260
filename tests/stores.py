"""A database and a Redis prefix of their own for whoever starts a site of its own.

With `DATABASE_URL` and `REDIS_URL` set the tests run on PostgreSQL and Redis; without them a data
folder is all there is to make.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit

# Read by libpq in every process: a commit waits for no disk. Tests kill our processes, never the
# server, without whose end nothing committed is lost.
NO_WAIT = {"PGOPTIONS": "-c synchronous_commit=off"}


@contextmanager
def own_stores(
    template: Callable[[str], str] = lambda server: "", servers: Mapping[str, str] = os.environ
) -> Iterator[Mapping[str, str]]:
    """The environment that names them; both are removed at the end. `template` returns the name of
    the database of that server which the new one is a copy of; `servers` has both addresses."""
    database, redis_url = servers.get("DATABASE_URL", ""), servers.get("REDIS_URL", "")
    if not database:
        yield {}
        return
    name = f"crawlsite_tests_{secrets.token_hex(4)}"
    create_database(database, name, template(database))
    try:
        yield {
            "DATABASE_URL": urlsplit(database)._replace(path=f"/{name}").geturl(),
            "REDIS_URL": redis_url,
            "CRAWLSITE_REDIS_PREFIX": name,
            **NO_WAIT,
        }
    finally:
        # pytest-django adds one for each worker, which an interrupted run leaves behind.
        for made in databases(database, name):
            drop_database(database, made)
        delete_keys(redis_url, name)


def create_database(server: str, name: str, template: str = "") -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        of_it = f' TEMPLATE "{template}"' if template else ""
        connection.execute(f'CREATE DATABASE "{name}"{of_it}')


def databases(server: str, word: str) -> list[str]:
    """The names of the server's databases that hold the word."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT datname FROM pg_database WHERE strpos(datname, %s) > 0", [word]
        )
        return [name for (name,) in rows]


def drop_database(server: str, name: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def delete_keys(server: str, prefix: str) -> None:
    """Every key with the prefix, django-q2's own included."""
    import redis

    with redis.from_url(server) as client:
        keys = list(client.scan_iter(match=f"*{prefix}*"))
        if keys:
            client.delete(*keys)
