"""What is wrong with the settings of the store of files, reported before the first request."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from importlib.util import find_spec

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from apps.crawls.pages.segments import left_behind
from apps.stored_files.errors import in_a_line
from apps.stored_files.files import is_elsewhere

KEY = "CRAWLSITE_S3_KEY and CRAWLSITE_S3_SECRET"
HINTS = {
    "NoSuchBucket": "Create the bucket, or correct CRAWLSITE_S3_BUCKET.",
    "AccessDenied": f"Let the key of {KEY} read, write, list and delete in the bucket.",
    "InvalidAccessKeyId": f"Correct {KEY}.",
    "SignatureDoesNotMatch": f"Correct {KEY}.",
    "NoCredentialsError": f"Set {KEY}.",
    "EndpointConnectionError": "Start the server, or correct CRAWLSITE_S3_ENDPOINT.",
    "ConnectTimeoutError": "Start the server, or correct CRAWLSITE_S3_ENDPOINT.",
    "ConnectionClosedError": "Correct CRAWLSITE_S3_ENDPOINT: what answers there is no such store.",
    "ValueError": "Correct CRAWLSITE_S3_ENDPOINT: it begins with http:// or https://.",
}
LEFT_BEHIND = (
    "Crawls' pages are in the data folder {folder}, and not in the bucket {bucket}: backups and"
    " other machines would miss them. Run crawlsite fill_bucket once, then start the site again."
)
OTHERWISE = (
    "Correct CRAWLSITE_S3_BUCKET, CRAWLSITE_S3_ENDPOINT and the key, or unset them: the"
    " data folder can hold the files."
)


def store_problems() -> Iterator[tuple[str, str]]:
    """What keeps the store from being used, each with what to do about it."""
    if not find_spec("storages") or not find_spec("boto3"):
        yield (
            "The Python package django-storages is not installed.",
            'Run pip install "django-storages[s3]".',
        )
        return
    if not settings.DATABASE_URL:
        yield (
            "A bucket holds the files of a site whose database is PostgreSQL: pages that are not"
            " in it yet are in the database, which has to outlive this machine.",
            "Set DATABASE_URL, or unset CRAWLSITE_S3_BUCKET: a folder can hold the files.",
        )
    if not os.environ.get("CRAWLSITE_SECRET_KEY"):
        yield (
            "With CRAWLSITE_S3_BUCKET the machines share no folder, so none would know another's"
            " key and take its tasks.",
            "Set CRAWLSITE_SECRET_KEY to the same long random text on every machine.",
        )
    yield from _refusal_of_the_store()


def pages_left_behind() -> str:
    """Why the site may not begin to use its store: its crawls have stored pages without it. Empty
    if it may. The tables are there already. Raises StoreDown."""
    if not is_elsewhere() or left_behind() is None:
        return ""
    return LEFT_BEHIND.format(folder=settings.DATA_DIR, bucket=settings.S3_BUCKET)


def _refusal_of_the_store() -> Iterator[tuple[str, str]]:
    """Writes, reads and deletes a file, as the site will."""
    name = f"check-{secrets.token_hex(4)}"
    try:
        store = storages["data"]
        store.save(name, ContentFile(b"as it was written"))
        with store.open(name) as file:
            file.read()
        store.delete(name)
    except Exception as error:  # of any layer: the endpoint may be anything
        yield f"The store of files cannot be used: {in_a_line(error)}.", _hint(error)


def _hint(error: BaseException | None) -> str:
    """What to do, by the store's own word for the error or the kind of an exception behind it."""
    while error is not None:
        response = getattr(error, "response", None) or {}
        for name in (str(response.get("Error", {}).get("Code", "")), type(error).__name__):
            if name in HINTS:
                return HINTS[name]
        error = error.__context__
    return OTHERWISE
