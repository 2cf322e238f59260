"""The head of a process tree, with children made for the test."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from crawlsite.processes import Command, Patience, ProcessTree
from tests.running_site import PATIENCE, wait_for

SLEEP = "import time; time.sleep(3600)"
QUICK = Patience(grace=0.5, endings=3, span=3600)


def command(name: str, code: str, *arguments: str) -> Command:
    return Command(name, (sys.executable, "-c", code, *arguments))


def in_background(tree: ProcessTree) -> Callable[[], list[bool]]:
    """Watch in a thread; the returned function waits for the verdict."""
    verdict: list[bool] = []
    thread = threading.Thread(target=lambda: verdict.append(tree.watch()))
    thread.start()

    def join() -> list[bool]:
        thread.join(30 * PATIENCE)
        return verdict

    return join


def test_a_child_that_will_not_stay_ends_everything_with_a_sentence() -> None:
    message: list[str] = []
    tree = ProcessTree(message.append, patience=QUICK)
    tree.start(command("clock", "raise SystemExit(3)"), command("sleeper", SLEEP))
    assert tree.watch() is False
    tree.end()
    assert len(message) == 3
    assert message[0] == "The clock ended with code 3; it is started again."
    assert "3 times within 3600 seconds. Everything is stopped" in message[-1]


def test_a_child_that_ends_once_is_started_again(tmp_path: Path) -> None:
    message: list[str] = []
    tree = ProcessTree(message.append, patience=QUICK)
    tree.start(command("sleeper", SLEEP))
    first = tree.pids()["sleeper"]
    assert first
    os.kill(first, signal.SIGKILL)
    join = in_background(tree)
    wait_for(lambda: tree.pids()["sleeper"] not in (None, first), 10)
    tree.ask_to_end()
    assert join() == [True]
    tree.end()
    assert message == ["The sleeper was killed by SIGKILL; it is started again."]


def test_what_is_to_happen_before_the_end_happens_first(tmp_path: Path) -> None:
    mark, seen = tmp_path / "stopping", tmp_path / "seen"
    code = (
        "import pathlib, signal, sys, time\n"
        "def end(*_):\n"
        "    pathlib.Path(sys.argv[2]).write_text(str(pathlib.Path(sys.argv[1]).exists()))\n"
        "    sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "pathlib.Path(sys.argv[2]).touch()\n"
        "time.sleep(3600)\n"
    )
    tree = ProcessTree(print, before_end=mark.touch)
    tree.start(command("witness", code, str(mark), str(seen)))
    wait_for(seen.exists, 10)
    tree.end()
    assert seen.read_text() == "True"


def test_a_child_that_ignores_the_request_is_killed_with_its_whole_group(tmp_path: Path) -> None:
    grandchild = tmp_path / "pid"
    code = (
        "import os, pathlib, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "if os.fork() == 0:\n"
        "    pathlib.Path(sys.argv[1]).write_text(str(os.getpid()) + '.')\n"
        "time.sleep(3600)\n"
    )
    tree = ProcessTree(print, patience=QUICK)
    tree.start(command("stubborn", code, str(grandchild)))
    wait_for(lambda: grandchild.exists() and grandchild.read_text().endswith("."), 10)
    begun = time.monotonic()
    tree.end()
    assert time.monotonic() - begun >= QUICK.grace
    pid = int(grandchild.read_text()[:-1])
    wait_for(lambda: not _lives(pid), 5)


@pytest.mark.parametrize(("endings", "seconds"), [(1, 0.2), (2, 0.4), (4, 1.6), (9, 5.0)])
def test_each_new_start_waits_longer(endings: int, seconds: float) -> None:
    assert Patience().delay(endings) == pytest.approx(seconds)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
