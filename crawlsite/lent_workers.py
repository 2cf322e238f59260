"""Workers that a machine lends to the site of another one."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from apps.jobs import site
from crawlsite.code_version import code_version


class CannotLend(Exception):
    """Workers of this machine cannot serve the site; the text says why and what to do."""


def check(folder: Path) -> str:
    """The address of the site whose data folder that is. Raises CannotLend."""
    if not settings.DATABASE_URL or not settings.REDIS_URL:
        raise CannotLend(
            "Workers for another machine's site need its PostgreSQL and its Redis: set DATABASE_URL"
            " and REDIS_URL as there."
        )
    theirs = site.code(folder)
    if not theirs:
        raise CannotLend(
            f"No site has run on the data folder {folder}: mount the site's own folder here and"
            " name it in CRAWLSITE_DATA, or start the site first."
        )
    if theirs != code_version():
        raise CannotLend(
            f"The site runs another version of the code ({theirs}) than this machine"
            f" ({code_version()}): install the same on both."
        )
    return site.address(folder)
