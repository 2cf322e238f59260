"""The processor time of all processes with which PostgreSQL serves this database."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.db import connection

from apps.research.bench.process_time import process_seconds

EVERY = 0.1
"""Seconds between two looks: what a process takes after the last look at it is lost."""
SERVING = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
    " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


class ServerTime:
    """Within it, `seconds` grows by what PostgreSQL takes for this database, looked at by a thread
    with a connection of its own; it stays 0 with SQLite. The server is on this machine."""

    def __init__(self) -> None:
        self._before: dict[int, float] = {}
        self._now: dict[int, float] = {}
        self._ended = Event()
        self._looking = Thread(target=self._look, daemon=True)
        self._server: Any = None

    @property
    def seconds(self) -> float:
        return sum(now - self._before.get(pid, 0.0) for pid, now in self._now.items())

    def __enter__(self) -> ServerTime:
        if connection.vendor == "postgresql":
            import psycopg

            name = connection.settings_dict["NAME"]
            self._server = psycopg.connect(settings.DATABASE_URL, dbname=name, autocommit=True)
            self._read(self._before)
            self._looking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._server is not None:
            self._looking.join()
            self._read(self._now)
            self._server.close()

    def _look(self) -> None:
        while not self._ended.wait(EVERY):
            self._read(self._now)

    def _read(self, seconds: dict[int, float]) -> None:
        for (pid,) in self._server.execute(SERVING).fetchall():
            with suppress(OSError):  # it has ended meanwhile
                seconds[pid] = process_seconds(pid)
