"""A site of its own for the bench: a data folder and, on PostgreSQL, a database; both are deleted
at the end."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from urllib.parse import urlsplit

from django.conf import settings

from apps.research.bench.result import ScreenCost, ScreensResult
from apps.research.bench.screens.timing import ScreenTime

OF_THE_SITE = ("REDIS_URL", "CRAWLSITE_S3_BUCKET", "CRAWLSITE_SEARCH_ENGINE", "CRAWLSITE_ADVISER")
"""What the site of the bench does without."""


def saved_screens(
    timed: Sequence[ScreenTime], pages: int, crawls: int, rounds: int, busy: bool, load: float
) -> ScreensResult:
    """The addresses that were read, to be saved: what they take of the processor, or of a busy site
    by the clock; `load` is the machine's when they began."""
    database = "postgresql" if settings.DATABASE_URL else "sqlite"
    command = f"manage.py bench --screens --pages {pages} --crawls {crawls} --rounds {rounds}"
    of_answer = attrgetter("wall" if busy else "cpu")
    return ScreensResult(
        web=f"{database}-busy" if busy else database,
        command=f"{command} --busy" if busy else command,
        pages=pages,
        crawls=crawls,
        rounds=rounds,
        load=round(load, 2),
        cores=os.cpu_count() or 1,
        busy=busy,
        screens={
            each.address: ScreenCost(
                **{
                    name: round(of_answer(getattr(each, name)), 1)
                    for name in ("first", "median", "p95")
                }
            )
            for each in timed
        },
    )


def bench_screens(pages: int, crawls: int, rounds: int, busy: bool) -> list[ScreenTime]:
    """What every screen of a new site with so much in it takes, in a process of its own, the
    slowest first; of a busy one while two more crawl and index. Raises CalledProcessError if it
    fails; it has printed why."""
    with own_site() as environment:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "apps.research.bench.screens"]
            + [str(number) for number in (pages, crawls, rounds)]
            + ["busy"] * busy,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return [ScreenTime.of_json(row) for row in json.loads(done.stdout)]


@contextmanager
def own_site() -> Iterator[Mapping[str, str]]:
    """The environment of a process of that site."""
    others = {name: value for name, value in os.environ.items() if name not in OF_THE_SITE}
    with (
        tempfile.TemporaryDirectory(prefix="crawlsite-bench-") as folder,
        _own_database(settings.DATABASE_URL) as address,
    ):
        yield others | {"CRAWLSITE_DATA": folder, "DATABASE_URL": address, "CRAWLSITE_AGENTS": "0"}


@contextmanager
def _own_database(server: str) -> Iterator[str]:
    """The address of a new database of that server; empty for SQLite, whose database is in the data
    folder."""
    if not server:
        yield ""
        return
    import psycopg

    name = f"crawlsite_bench_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
