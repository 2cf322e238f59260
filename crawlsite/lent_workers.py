"""Workers and agents that a machine lends to the site of another one.

Workers find it by the data folder that both share, or by the store of files: there the site leaves
a file with its address, the version of its code and a digest of its key. Agents find it by the
database.
"""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.db import ProgrammingError
from django.utils.crypto import salted_hmac

from apps.jobs import site
from apps.jobs.code_version import code_version
from apps.machines import events
from apps.machines.models import Site
from apps.stored_files.errors import StoreDown
from apps.stored_files.files import is_elsewhere, keep, local

SITE = "site.json"


class CannotLend(Exception):
    """Workers or agents of this machine cannot serve the site; the text has reason and remedy."""


def check_agents() -> None:
    """Raises CannotLend if agents of this machine cannot serve the site of its database."""
    if not settings.DATABASE_URL or not settings.REDIS_URL:
        raise CannotLend(
            "Agents for another machine's site need its PostgreSQL and its Redis: set DATABASE_URL"
            " and REDIS_URL as there. They need no data folder of the site."
        )
    theirs = _code_in_database()
    if not theirs:
        raise CannotLend(
            "No site has run on this database: start the site first, or correct DATABASE_URL."
        )
    if theirs != code_version():
        raise CannotLend(_other_code(theirs, "agents"))


def _code_in_database() -> str:
    """The version of the code of the site of this database; empty if it never ran."""
    try:
        return str(Site.objects.values_list("code", flat=True).get(pk=1))
    except (Site.DoesNotExist, ProgrammingError):
        return ""


def _other_code(theirs: str, what: str) -> str:
    """Why `what` of this machine may not join the site, where it is noted too."""
    events.write(
        "refused",
        settings.MACHINE,
        what=what,
        version=settings.VERSION,
        code=code_version(),
        site=theirs,
    )
    return (
        f"The site runs another version of the code ({theirs}) than this machine"
        f" ({code_version()}): install the same on both."
    )


def announce(folder: Path, address: str) -> None:
    """Leaves word of this site where other machines look for it. Raises StoreDown."""
    if is_elsewhere():
        entry = {"address": address, "code": code_version(), "key": _key()}
        (folder / SITE).write_text(json.dumps(entry))
        keep(folder / SITE)


def check(folder: Path) -> str:
    """The address of the site of that data folder or of the store. Raises CannotLend."""
    if not settings.DATABASE_URL or not settings.REDIS_URL:
        raise CannotLend(
            "Workers for another machine's site need its PostgreSQL and its Redis: set DATABASE_URL"
            " and REDIS_URL as there."
        )
    address, theirs = _announced(folder) if is_elsewhere() else _shared(folder)
    if theirs != code_version():
        raise CannotLend(_other_code(theirs, "workers"))
    if _code_in_database() != theirs:  # written there once its tables are made
        raise CannotLend(
            "The site has not made its tables in this database yet: try again when it answers, or"
            " correct DATABASE_URL."
        )
    return address


def _shared(folder: Path) -> tuple[str, str]:
    """The site's address and its code."""
    if not site.code(folder):
        raise CannotLend(
            f"No site has run on the data folder {folder}: mount the site's own folder here and"
            " name it in CRAWLSITE_DATA, or start the site first."
        )
    return site.address(folder), site.code(folder)


def _announced(folder: Path) -> tuple[str, str]:
    """The announcement of a site that shares only the store."""
    try:
        path = local(folder / SITE, anew=True)
    except StoreDown as error:
        raise CannotLend(f"{error}.") from error
    if not path.exists():
        raise CannotLend(
            f"No site has run on the bucket {settings.S3_BUCKET}: name the site's own in"
            " CRAWLSITE_S3_BUCKET (and CRAWLSITE_S3_PREFIX), or start the site first."
        )
    entry = json.loads(path.read_text())
    if entry["key"] != _key():
        raise CannotLend(
            "The site has another key, so it would not accept this machine's work: set"
            " CRAWLSITE_SECRET_KEY as there."
        )
    return entry["address"], entry["code"]


def _key() -> str:
    """A digest of the key with which tasks are signed."""
    return salted_hmac("crawlsite.lent_workers", "key", algorithm="sha256").hexdigest()
