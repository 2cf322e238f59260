"""The folder of a crawl."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.conf import settings


def crawl_folder(crawl_id: int) -> Path:
    """Where a crawl's page store and checkpoints are."""
    return Path(settings.DATA_DIR) / "crawls" / str(crawl_id)


def new_store_file(crawl_id: int, epoch: int) -> Path:
    """A file for the pages of one run of a crawl, with a name that none has had.

    A database restored from a backup hands out epochs again; what was written in them since has no
    row any more and is nobody's.
    """
    return crawl_folder(crawl_id) / f"pages-{epoch:06d}-{secrets.token_hex(4)}.warc.gz"
