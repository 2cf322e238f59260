"""The commands for another machine give no password away."""

from __future__ import annotations

import pytest

from apps.screens.machines.add_machine import commands, without_password


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (
            "postgres://me:s3@db.test:5432/x?sslmode=require&password=s3",
            "postgres://me:PASSWORD@db.test:5432/x?sslmode=require&password=PASSWORD",
        ),
        ("redis://:s3@db.test:6379/0", "redis://:PASSWORD@db.test:6379/0"),
        ("redis://:a/s3@db.test:6379/0", "redis://ADDRESS"),
        ("redis://:a#s3@db.test:6379/0", "redis://ADDRESS"),
        ("redis://:a@s3@db.test:6379/0", "redis://:PASSWORD@db.test:6379/0"),
        ("redis://db.test", "redis://db.test"),
    ],
)
def test_an_address_is_shown_without_its_password(url, shown) -> None:
    assert without_password(url) == shown


def test_an_address_that_others_cannot_reach_is_named(settings) -> None:
    settings.DATABASE_URL = "postgres://me:s3@127.0.0.1:5432/x"
    settings.REDIS_URL, settings.REDIS_PREFIX = "redis://db.test", "mine"
    printed = commands()
    assert printed.loopback == ["DATABASE_URL"]
    assert "export CRAWLSITE_REDIS_PREFIX=mine" in printed.lines.splitlines()


def test_the_commands_run_as_they_are_copied(settings) -> None:
    settings.DATABASE_URL, settings.REDIS_URL = "postgres://db.test/x", "redis://db.test"
    for line in commands().lines.splitlines():
        assert line.startswith(("export ", "crawlsite up --"))
