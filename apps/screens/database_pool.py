"""Connections to PostgreSQL that the requests of a web server take in turn.

Each request is answered in a thread of its own. With a connection of its own it would have a new
process of PostgreSQL, which reads the description of every table and index before it plans the
first query.
"""

from __future__ import annotations

import atexit
from importlib.util import find_spec
from typing import Any

from django.db import connection

POOL = {"min_size": 0, "max_size": 50, "max_idle": 60.0, "timeout": 10.0}
"""PostgreSQL accepts 100 connections unless told otherwise: half are left to workers and other
machines. Where all are busy, or the database is down, a request waits so many seconds."""


def share_connections() -> None:
    """Lets all threads of this process take connections from one pool until it ends; whether one
    still lives is asked when it is taken. Those to SQLite, or without psycopg's pool, are opened
    as before."""
    if connection.vendor != "postgresql" or find_spec("psycopg_pool") is None:
        return
    connection.close()
    connection.settings_dict["CONN_HEALTH_CHECKS"] = True
    connection.settings_dict["OPTIONS"]["pool"] = POOL
    atexit.register(_close_pool)


def _close_pool() -> None:
    pooled: Any = connection
    pooled.close_pool()
