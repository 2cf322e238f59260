"""The folders of webs, and opening the webs that rows name."""

from __future__ import annotations

import secrets
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from apps.demo.web import DemoWeb
from apps.engine.networking.virtual_web import VirtualWeb
from apps.engine.networking.virtual_web import Web as EngineWeb
from apps.stored_files.files import is_elsewhere, local
from apps.webs.models import Web


def webs_folder() -> Path:
    """The folder of imported webs; each has its own folder in it."""
    return Path(settings.DATA_DIR) / "webs"


def new_folder(name: str) -> Path:
    """The folder for a new web of that name. In a store no name is used again, since another
    machine may still have what it had fetched of it."""
    return webs_folder() / (f"{name}.{secrets.token_hex(4)}" if is_elsewhere() else name)


def web_folder(web: Web) -> Path:
    """The folder of an imported web, fetched to this machine if it is stored elsewhere."""
    return local(webs_folder() / web.folder)


def open_web(web: Web) -> EngineWeb:
    """The web of a row.

    Raises BadWebFile if its folder holds none, ValueError for the live Web, which cannot be opened.
    """
    if web.source == Web.Source.FOLDER:
        return VirtualWeb(web_folder(web))
    if web.source == Web.Source.DEMO:
        return _demo_web(web.seed)
    raise ValueError("the live Web cannot be opened, only fetched")


@lru_cache(maxsize=2)
def _demo_web(seed: int) -> EngineWeb:
    return DemoWeb(seed)
