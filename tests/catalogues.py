"""Catalogues with one thing more than the product has, for as long as a test lasts."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.template import engines

Register = Callable[[Any, Any], None]


@pytest.fixture
def register(monkeypatch) -> Iterator[Register]:
    """Puts a longer catalogue in the place of one, wherever it has been imported to.

    Every screen and template tag is loaded first: what is imported later would keep the longer one.
    """
    importlib.import_module("crawlsite.urls")
    engines.all()

    def put(old: Any, new: Any) -> None:
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in ("apps", "tests"):
                for attribute, value in list(vars(module).items()):
                    if value is old:
                        monkeypatch.setattr(module, attribute, new)
        _forget()

    yield put
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    """What was made of the catalogues before."""
    from apps.screens.help import reference, searching
    from apps.screens.live import figures

    figures.figures.cache_clear()
    for made in (searching.entries, searching.spelt_entries, reference.reference):
        made.cache_clear()
    cache.clear()
