"""The project as an app: what Python does not search for garbage."""

from __future__ import annotations

import os
import subprocess
import sys

from apps.engine.garbage import NEW_OBJECTS
from tests.running_site import ROOT

LOADING = """
import gc
from django.conf import settings
settings.DEBUG
import django
from django.apps import apps
gc.callbacks.append(lambda phase, search: apps.models_ready or print("too early"))
django.setup()
print(gc.isenabled(), gc.get_threshold()[0], gc.get_freeze_count() > 10_000)
"""
ENDING = """
import atexit, gc
atexit.register(lambda: print(gc.get_freeze_count() > 10_000))
import django
django.setup()
gc.unfreeze()
"""


def printed(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_garbage_is_sought_once_the_apps_are_ready_and_seldom() -> None:
    assert printed(LOADING) == [f"True {NEW_OBJECTS} True"]


def test_a_process_ends_without_a_search_for_garbage() -> None:
    assert printed(ENDING) == ["True"]
