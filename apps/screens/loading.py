"""Loading all screens at once, before the first of them is asked for."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from pathlib import Path

from django.template import Engine
from django.template.loader import get_template
from django.urls import get_resolver

from apps.engine.garbage import freeze_for_good

LASTING = 30_000
"""So many objects are searched for garbage in some ten milliseconds."""


def load_screens() -> None:
    """Imports all screens, compiles their templates, and leaves what is loaded out of Python's
    search for garbage, now and whenever much more has come to stay: among its objects the search
    took up to a sixth of a second of some requests."""
    assert get_resolver().url_patterns
    for name in Engine.get_default().dirs:
        folder = Path(name)
        for path in folder.rglob("*.html"):
            get_template(path.relative_to(folder).as_posix())
    gc.collect()
    freeze_for_good()
    if _freeze_lasting not in gc.callbacks:
        gc.callbacks.append(_freeze_lasting)


def _freeze_lasting(phase: str, search: Mapping[str, int]) -> None:
    """Freezes what a search through all objects has left, if that is much: modules that a screen
    imports when it is asked, and caches."""
    if phase == "stop" and search["generation"] == 2 and len(gc.get_objects(2)) > LASTING:
        gc.freeze()
