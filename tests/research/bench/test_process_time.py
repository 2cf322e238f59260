from __future__ import annotations

import os
import time

import pytest

from apps.research.bench.process_time import process_seconds


def test_it_grows_by_what_the_process_takes() -> None:
    before, until = process_seconds(os.getpid()), time.thread_time() + 0.05
    while time.thread_time() < until:
        pass
    assert process_seconds(os.getpid()) - before > 0.04


def test_a_process_that_is_not_there_has_none() -> None:
    with pytest.raises(OSError, match="No such"):
        process_seconds(2**22 + 1)
