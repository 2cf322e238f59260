"""Where the project lies: a checkout, or what the wheel has installed.

In a checkout templates and static files stand beside the packages, and the data folder too. The
wheel has templates and static files inside this package, and data goes to the user's own folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parent
BASE = PACKAGE.parent
"""The folder of the packages `apps` and `crawlsite`."""
INSTALLED = (PACKAGE / "templates").is_dir()
SCREENS = PACKAGE if INSTALLED else BASE
"""The folder of `templates` and `static`."""


def default_data() -> Path:
    """The data folder where CRAWLSITE_DATA names none."""
    if INSTALLED:
        return Path(platformdirs.user_data_dir("crawlsite", appauthor=False))
    return BASE / "data"


def share_with_children() -> None:
    """Makes Python programs started by this one import the same checkout, from any folder."""
    path = os.environ.get("PYTHONPATH", "")
    if not INSTALLED and str(BASE) not in path.split(os.pathsep):
        os.environ["PYTHONPATH"] = f"{BASE}{os.pathsep}{path}" if path else str(BASE)
