"""What has to be there before a page is rendered, and what the site says where it is not."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from apps.engine.parsing.rendering import availability
from apps.engine.parsing.rendering.availability import missing


@pytest.fixture(autouse=True)
def asked_again() -> Iterator[None]:
    """The answer is remembered for the life of a process: here, for a test."""
    missing.cache_clear()
    yield
    missing.cache_clear()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Chromium and Playwright as installed; returns the driver of Playwright."""
    package = tmp_path / "playwright"
    driver = package / "driver" / "node"
    driver.parent.mkdir(parents=True)
    driver.write_text("#!/bin/sh\n")
    driver.chmod(0o755)
    spec = ModuleSpec("playwright", None, origin=str(package / "__init__.py"))
    monkeypatch.setattr(availability, "find_spec", lambda name: spec)
    monkeypatch.setattr(availability, "chromium_path", lambda: "/usr/bin/chromium")
    return driver


def run_as(monkeypatch: pytest.MonkeyPatch, user: int, *, failing: str = "") -> list[Any]:
    """Makes `user` the account of this process; the command named `failing` fails. Returns the
    list in which each command stands with the account that ran it."""
    runs: list[Any] = []

    def run(command: tuple[str, ...], **options: Any) -> subprocess.CompletedProcess[bytes]:
        runs.append((Path(command[0]).name, options["user"], options["extra_groups"]))
        return subprocess.CompletedProcess(command, int(Path(command[0]).name == failing))

    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(subprocess, "run", run)
    return runs


def test_it_states_that_chromium_is_missing(
    monkeypatch: pytest.MonkeyPatch, installed: Path
) -> None:
    monkeypatch.setattr(availability, "chromium_path", lambda: "")
    assert missing() == "Chromium is not installed on this machine"


def test_it_advises_how_to_install_playwright(
    monkeypatch: pytest.MonkeyPatch, installed: Path
) -> None:
    monkeypatch.setattr(availability, "find_spec", lambda name: None)
    assert "pip install 'crawlsite[render]'" in missing()


def test_an_ordinary_account_renders_without_a_probe(
    monkeypatch: pytest.MonkeyPatch, installed: Path
) -> None:
    runs = run_as(monkeypatch, 1000)
    assert missing() == ""
    assert runs == []


def test_root_renders_where_another_account_can_start_the_sandbox(
    monkeypatch: pytest.MonkeyPatch, installed: Path
) -> None:
    runs = run_as(monkeypatch, 0)
    assert missing() == ""
    nobody = pwd.getpwnam("nobody").pw_uid
    assert runs == [("node", nobody, []), ("unshare", nobody, [])]


@pytest.mark.parametrize("failing", ["node", "unshare"])
def test_root_is_refused_where_no_other_account_can_start_the_sandbox(
    monkeypatch: pytest.MonkeyPatch, installed: Path, failing: str
) -> None:
    run_as(monkeypatch, 0, failing=failing)
    assert "the site runs as root" in missing()
    assert "start the site by another account" in missing()


def test_root_is_refused_on_a_machine_without_the_other_account(
    monkeypatch: pytest.MonkeyPatch, installed: Path
) -> None:
    run_as(monkeypatch, 0)
    monkeypatch.setattr(availability, "UNPRIVILEGED", "no account of this machine")
    assert "the site runs as root" in missing()
