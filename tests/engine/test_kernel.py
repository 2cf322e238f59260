"""What the kernel tells of processes and their descendants."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from apps.engine.kernel import (
    memory_of_tree,
    process_fields,
    processor_seconds_of_tree,
    tree_of,
)

BURN = "import time; ends = time.process_time() + 0.3\nwhile time.process_time() < ends: pass"
# The first child ends and is waited for, the second lives on.
PARENT = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {BURN!r}], check=True)
other = subprocess.Popen([sys.executable, "-c", {BURN!r} + "\\nprint(flush=True)\\ninput()"])
other.wait()
"""


@pytest.fixture
def parent():
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()  # the second child has done its work
    yield process
    process.communicate()


def test_processor_time_is_that_of_all_descendants_living_and_ended(parent) -> None:
    assert len(tree_of(parent.pid)) == 2
    assert processor_seconds_of_tree(parent.pid) >= 0.6
    own = process_fields(parent.pid)
    assert own is not None
    # Its own is less than that of its two children.
    assert (int(own[11]) + int(own[12])) / os.sysconf("SC_CLK_TCK") < 0.6
    assert memory_of_tree(parent.pid) > memory_of_tree(max(tree_of(parent.pid))) > 2**20


def test_what_has_ended_has_used_nothing(parent) -> None:
    parent.communicate()
    time.sleep(0.01)
    assert process_fields(parent.pid) is None
    assert tree_of(parent.pid) == {parent.pid}
    assert processor_seconds_of_tree(parent.pid) == 0
    assert memory_of_tree(parent.pid) == 0
