from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings

from crawlsite import glibc


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The programs that were started in the place of this one, without the setting so far."""
    # Set before it is deleted, so that the test's own setting is undone.
    monkeypatch.setenv("GLIBC_TUNABLES", "")
    monkeypatch.delenv("GLIBC_TUNABLES")
    monkeypatch.setattr(sys, "orig_argv", ["python", "-X", "dev", "manage.py", "check"])
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda path, line: started.append([path, *line]))
    return started


def test_it_starts_again_once(started, monkeypatch) -> None:
    monkeypatch.setattr(os, "confstr", lambda name: "glibc 2.36")
    glibc.exec_with_malloc_cache()
    assert started == [[sys.executable, sys.executable, "-X", "dev", "manage.py", "check"]]
    assert os.environ["GLIBC_TUNABLES"] == glibc.TUNABLES
    glibc.exec_with_malloc_cache()
    assert len(started) == 1


@pytest.mark.parametrize("version", ["glibc 2.28", "other 3.1", "", None])
def test_without_a_glibc_that_counts_so_far_nothing_is_set(started, monkeypatch, version) -> None:
    monkeypatch.setattr(os, "confstr", lambda name: version)
    glibc.exec_with_malloc_cache()
    assert started == [] and "GLIBC_TUNABLES" not in os.environ


@pytest.mark.parametrize("own", ["", "glibc.malloc.arena_max=1"])
def test_what_the_administrator_set_stays(started, monkeypatch, own) -> None:
    monkeypatch.setenv("GLIBC_TUNABLES", own)
    glibc.exec_with_malloc_cache()
    assert started == [] and os.environ["GLIBC_TUNABLES"] == own


@pytest.mark.skipif(glibc.version() < glibc.FIRST_VERSION, reason="no such glibc")
def test_a_command_has_the_setting_its_arguments_and_its_input() -> None:
    asks = "import os, sys; print(os.environ['GLIBC_TUNABLES'], sys.argv[-1][-3:], input())"
    environment = {k: v for k, v in os.environ.items() if k != "GLIBC_TUNABLES"}
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", f"{asks}  # é 1"],
        cwd=settings.BASE_DIR,
        env=environment,
        input="typed\n",
        capture_output=True,
        text=True,
    )
    assert done.stdout == f"{glibc.TUNABLES} é 1 typed\n"
