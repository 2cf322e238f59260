"""Where the program and its data lie, and what signs sessions and tasks."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

import environ

from crawlsite import __version__, folders
from crawlsite.data_folder import KEY_FILE, open_folder, write_once

env = environ.Env()

BASE_DIR = folders.BASE
folders.share_with_children()
# Begins the command lines of programs that are started here. Without -P a file of the folder that
# it is started in could stand for a module.
COMMAND_LINE = (sys.executable, "-P", "-m", "crawlsite")
VERSION = __version__

DATA_DIR = open_folder(
    Path(env.str("CRAWLSITE_DATA", default="") or folders.default_data()).resolve()
)
SECRET_KEY = env.str("CRAWLSITE_SECRET_KEY", default="") or write_once(
    DATA_DIR / KEY_FILE, secrets.token_urlsafe(50)
)
