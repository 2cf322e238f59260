"""Workers and agents are started with the allocator that is set, if it is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from ctypes.util import find_library

import pytest

from crawlsite import start_up
from crawlsite.allocator import allocator_environment

MAPS = "from pathlib import Path; print(Path('/proc/self/maps').read_text())"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LD_PRELOAD", raising=False)


@pytest.mark.parametrize("name", ["", "no_such_allocator"])
def test_without_one_that_is_installed_nothing_changes(settings, name: str) -> None:
    settings.ALLOCATOR = name
    assert allocator_environment() == {}


def test_processes_are_started_with_jemalloc_where_nothing_is_set() -> None:
    if find_library("jemalloc") is None:
        pytest.skip("jemalloc is not installed")
    for command in (*start_up.all_workers(), start_up.fetch_workers(1)):
        line = (sys.executable, "-c", MAPS)
        maps = subprocess.run(
            line,
            env={**os.environ, **command.environment},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "libjemalloc" in maps.stdout


def test_what_is_preloaded_already_stays(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ALLOCATOR = "m"
    monkeypatch.setenv("LD_PRELOAD", "other.so")
    assert allocator_environment() == {"LD_PRELOAD": f"{find_library('m')} other.so"}
