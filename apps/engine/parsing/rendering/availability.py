"""Whether this machine can render pages, and by which account."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
UNPRIVILEGED = "nobody"
"""The account of Chromium on a site run by root, for whom there is no sandbox."""
PROBE_SECONDS = 20.0


def chromium_path() -> str:
    """The path of the system's Chromium, empty without one."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


@cache
def missing() -> str:
    """The package or program that is missing to render pages, in words; empty if none is."""
    if not chromium_path():
        return "Chromium is not installed on this machine"
    package = find_spec("playwright")
    if package is None or package.origin is None:
        return "Playwright is not installed: pip install 'crawlsite[render]'"
    if os.geteuid() == 0 and not _runs_unprivileged(Path(package.origin).parent):
        return (
            "the site runs as root, and no other account can start Chromium with its sandbox here;"
            " start the site by another account"
        )
    return ""


def _runs_unprivileged(package: Path) -> bool:
    """Whether an account without rights may run Playwright's driver, and make the user namespace
    that Chromium's sandbox needs."""
    driver = str(package / "driver" / "node")
    return _succeeds(driver, "--version") and _succeeds("unshare", "--user", "true")


def _succeeds(*command: str) -> bool:
    try:
        account = pwd.getpwnam(UNPRIVILEGED)
        done = subprocess.run(
            command,
            cwd="/",
            user=account.pw_uid,
            group=account.pw_gid,
            extra_groups=[],
            capture_output=True,
            timeout=PROBE_SECONDS,
        )
    except (KeyError, OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def leave_root() -> None:
    """Gives up the rights of root, if this process has them, for good."""
    if os.geteuid() != 0:
        return
    account = pwd.getpwnam(UNPRIVILEGED)
    os.setgroups([])
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    os.environ["HOME"] = account.pw_dir
