"""The folders of webs, and opening the webs that rows name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from django.conf import settings

from apps.demo.web import DemoWeb
from apps.engine.networking.virtual_web import VirtualWeb
from apps.engine.networking.virtual_web import Web as EngineWeb
from apps.webs.models import Web


def webs_folder() -> Path:
    """The folder of imported webs; each has its own folder in it."""
    return Path(settings.DATA_DIR) / "webs"


def open_web(web: Web) -> EngineWeb:
    """The web of a row.

    Raises BadWebFile if its folder holds none, ValueError for the live Web, which cannot be opened.
    """
    if web.source == Web.Source.FOLDER:
        return VirtualWeb(webs_folder() / web.folder)
    if web.source == Web.Source.DEMO:
        return _demo_web(web.seed)
    raise ValueError("the live Web cannot be opened, only fetched")


@lru_cache(maxsize=2)
def _demo_web(seed: int) -> EngineWeb:
    return DemoWeb(seed)
