"""The project as an app."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.running_site import ROOT

ENDING = """
import atexit, gc
atexit.register(lambda: print(gc.get_freeze_count() > 10_000))
import django
django.setup()
"""


def test_a_process_ends_without_a_search_for_garbage() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDING],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert done.stdout == "True\n"
