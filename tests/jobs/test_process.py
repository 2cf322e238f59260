"""Names of processes: which of them are known to have ended."""

from __future__ import annotations

import subprocess
import sys

from apps.jobs.process import is_gone, system_of, this_process, this_system

NAME = "from apps.jobs.process import this_process; print(this_process(), flush=True); input()"


def test_a_process_is_gone_once_it_has_ended():
    assert not is_gone(this_process())
    with subprocess.Popen(
        [sys.executable, "-c", NAME], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        name = other.stdout.readline().strip()
        assert not is_gone(name)
        other.stdin.close()
    assert is_gone(name)


def test_a_number_that_another_process_has_now_does_not_count():
    machine, pid, _ = this_process().split(":")
    assert is_gone(f"{machine}:{pid}:0")


def test_a_process_is_named_with_its_place():
    assert system_of(this_process()) == this_system()


def test_nothing_is_known_of_processes_of_other_machines_and_containers():
    machine, pid, started = this_process().split(":")
    boot, namespace = machine.split("-")
    assert not is_gone(f"another-{namespace}:{pid}:{started}")
    assert not is_gone(f"{boot}-1:{pid}:never")
