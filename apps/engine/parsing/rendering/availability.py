"""Whether this machine can render pages."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.util import find_spec

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium_path() -> str:
    """The path of the system's Chromium, empty without one."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


@cache
def missing() -> str:
    """What is missing to render pages, in words; empty if nothing is."""
    if not chromium_path():
        return "Chromium is not installed on this machine"
    if find_spec("playwright") is None:
        return "Playwright is not installed: pip install 'crawlsite[render]'"
    return ""
