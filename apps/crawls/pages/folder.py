"""The folder of a crawl."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.conf import settings

SEGMENTS = "pages-*.warc.gz"


def crawl_folder(crawl_id: int) -> Path:
    """The folder of a crawl's page store and checkpoints."""
    return Path(settings.DATA_DIR) / "crawls" / str(crawl_id)


def new_store_file(crawl_id: int, epoch: int) -> Path:
    """A new file for the pages of one run of a crawl, with a name never used before.

    A database restored from a backup reuses epochs; files written in them since then have no rows.
    """
    return crawl_folder(crawl_id) / f"pages-{epoch:06d}-{secrets.token_hex(4)}.warc.gz"
