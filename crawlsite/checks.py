"""System checks: run by `crawlsite check` and by every start, before the first request.

Commands that serve no screens require only these, by their tag: Django's own would import all
screens and the API, which takes longer than many a command.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connection

from apps.accounts.client_address import networks
from apps.jobs.tables import refusal_of_history

OLDEST_PYTHON = (3, 11)
# The first version in which bulk inserts return their keys (RETURNING).
OLDEST_SQLITE = (3, 35, 0)
REDIS_SECONDS = 2
TAG = "crawlsite"


@register(TAG)
def python_is_new_enough(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return []
    return [
        Error(
            f"Python {_dotted(sys.version_info[:3])} is too old.",
            hint=f"Install Python {_dotted(OLDEST_PYTHON)} or newer, then run make setup again.",
            id="crawlsite.E001",
        )
    ]


@register(TAG)
def sqlite_is_new_enough(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if connection.vendor != "sqlite" or sqlite3.sqlite_version_info >= OLDEST_SQLITE:
        return []
    return [
        Error(
            f"SQLite {sqlite3.sqlite_version} is too old.",
            hint=f"Use a Python with SQLite {_dotted(OLDEST_SQLITE)} or newer, "
            "or name a PostgreSQL database in DATABASE_URL.",
            id="crawlsite.E002",
        )
    ]


@register(TAG)
def data_folder_is_writable(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if os.access(settings.DATA_DIR, os.W_OK | os.X_OK):
        return []
    return [
        Error(
            f"The data folder {settings.DATA_DIR} is not writable.",
            hint="Make it writable, or name another folder in CRAWLSITE_DATA.",
            id="crawlsite.E003",
        )
    ]


@register(Tags.database)
def this_version_made_the_database(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Runs before `migrate`, which would otherwise build on another version's tables."""
    refusal = refusal_of_history() if kwargs.get("databases") else ""
    return [Error(refusal, id="crawlsite.E005")] if refusal else []


@register(TAG)
def redis_answers(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if not settings.REDIS_URL:
        return []
    reason = _why_redis_is_silent(settings.REDIS_URL)
    if not reason:
        return []
    return [
        Error(
            f"Redis does not answer: {reason}.",
            hint="Start Redis, correct REDIS_URL, or unset it: the database can be the queue.",
            id="crawlsite.E004",
        )
    ]


@register(TAG)
def the_store_of_files_can_be_used(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if not settings.S3_BUCKET:
        return []
    from crawlsite.store_problems import store_problems

    problem = next(store_problems(), None)
    return [Error(problem[0], hint=problem[1], id="crawlsite.E006")] if problem else []


@register(TAG)
def proxies_are_addresses(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    try:
        proxies = networks(tuple(settings.TRUSTED_PROXIES))
    except ValueError as error:
        return [
            Error(
                f"CRAWLSITE_PROXIES: {error}.",
                hint="Give addresses or networks with commas between: 127.0.0.1, 172.16.0.0/12.",
                id="crawlsite.E007",
            )
        ]
    if proxies or not settings.HTTPS:
        return []
    return [
        Warning(
            "Everybody who signs in seems to have one address, that of the server before this one:"
            " somebody who guesses a password keeps all others out.",
            hint="Name that server's address in CRAWLSITE_PROXIES.",
            id="crawlsite.W002",
        )
    ]


@register(TAG)
def crawls_can_use_their_proxy(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """The message has nothing of the address, in which a password may be."""
    proxy = settings.CRAWL_PROXY
    if proxy is None or not proxy.problem:
        return []
    return [
        Error(
            f"CRAWLSITE_CRAWL_PROXY cannot be used: {proxy.problem}.",
            hint="Give http://host:port or http://user:password@host:port, or unset it.",
            id="crawlsite.E008",
        )
    ]


@register(TAG)
def warn_of_private_addresses(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if not settings.ALLOWED_ADDRESSES:
        return []
    return [
        Warning(
            "Live crawls may enter private networks: " + ", ".join(settings.ALLOWED_ADDRESSES),
            hint="Unset CRAWLSITE_ALLOWED_ADDRESSES unless these networks are meant to be crawled.",
            id="crawlsite.W001",
        )
    ]


def _why_redis_is_silent(url: str) -> str:
    """Why Redis does not answer a ping, or an empty text if it does."""
    try:
        import redis
    except ImportError:
        return "the Python package redis is not installed (pip install redis)"
    try:
        with redis.from_url(url, socket_connect_timeout=REDIS_SECONDS) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        return str(error).rstrip(".")
    return ""


def _dotted(version: Sequence[int]) -> str:
    return ".".join(map(str, version))
