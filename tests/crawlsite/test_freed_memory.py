from __future__ import annotations

import os
import sys

import pytest

from crawlsite import freed_memory


@pytest.fixture
def started(monkeypatch) -> list[list[str]]:
    """The programs that were started in the place of this one."""
    monkeypatch.setattr(sys, "orig_argv", ["python", "-X", "dev", "manage.py", "check"])
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda path, line: started.append([path, *line]))
    return started


def test_it_starts_again_once_with_room_for_freed_memory(started, monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    freed_memory.keep_in_pieces()
    assert started == [[sys.executable, sys.executable, "-X", "dev", "manage.py", "check"]]
    assert os.environ["GLIBC_TUNABLES"] == freed_memory.KEPT
    freed_memory.keep_in_pieces()
    assert len(started) == 1


def test_what_the_administrator_set_stays(started, monkeypatch) -> None:
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.arena_max=1")
    freed_memory.keep_in_pieces()
    assert started == [] and os.environ["GLIBC_TUNABLES"] == "glibc.malloc.arena_max=1"
