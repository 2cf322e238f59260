"""A crawl's checkpoint files: written completely, then named in a commit; older ones are
deleted."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.db import transaction

from apps.crawls.lifecycle.lease import write_fenced
from apps.crawls.models import Crawl, WordsToErase
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.words_to_erase import PendingErasure, pending_erasure
from apps.engine import checkpoint
from apps.engine.crawl.checkpointing import check_version
from apps.engine.errors import BadCheckpoint
from apps.stored_files.files import forget, keep, local, names

log = logging.getLogger("crawlsite.runner")

EVERY_PAGES = 1000
EVERY_SECONDS = 60.0
MOST_SHARE = 0.02
"""The share of a crawl's time for its checkpoints, which grow with the URLs discovered."""


class Checkpoints:
    """The checkpoints of one crawl while one process runs it."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._at = time.monotonic()
        self._pages = crawl.pages
        self._took = 0.0
        self._looked_at = self._at
        self._erasures: tuple[int, ...] = ()

    def last(self) -> dict[str, Any] | None:
        """The state that the row names, or None before the first.

        None, too, if its file is gone or damaged, as after a restored backup, or from another
        version: then everything is replayed.
        """
        if not self._crawl.checkpoint:
            return None
        try:
            state: dict[str, Any] = checkpoint.read(
                local(crawl_folder(self._crawl.pk) / self._crawl.checkpoint)
            )
            check_version(state)
            return state
        except BadCheckpoint as error:
            log.warning("crawl %s is replayed from its start: %s", self._crawl.pk, error)
            return None

    def due(self, pages: int) -> bool:
        """Whether enough pages have been committed since the last checkpoint, and enough time has
        passed for another one of its cost."""
        since = time.monotonic() - self._at
        enough = pages - self._pages >= EVERY_PAGES or since >= EVERY_SECONDS
        return pages != self._pages and enough and since * MOST_SHARE >= self._took

    def may_look(self) -> bool:
        """Whether it is time to look for words to erase, for which a checkpoint is made even if no
        page was committed since the last."""
        return time.monotonic() - self._looked_at >= EVERY_SECONDS

    def erasure(self) -> PendingErasure:
        """The words that the state of the next checkpoint is to forget; the request is met once the
        files before it are deleted."""
        self._looked_at = time.monotonic()
        pending = pending_erasure(self._crawl)
        self._erasures = pending.rows
        return pending

    def keep(self, state: dict[str, Any], begun: float) -> None:
        """Writes a checkpoint and names it in the row; `begun` is when, by the monotonic clock, its
        state began to be gathered. Raises LostOwnershipError, OSError."""
        name = self.write(state)
        with transaction.atomic():
            write_fenced(self._crawl, checkpoint=name)
        self.sweep(name)
        self._at, self._pages = time.monotonic(), state["pages"]
        self._took = self._at - begun

    def write(self, state: dict[str, Any]) -> str:
        """Writes a file that no row names yet, and returns its name."""
        name = f"checkpoint-{self._crawl.epoch:06d}-{state['requests']:09d}.npz"
        path = crawl_folder(self._crawl.pk) / name
        checkpoint.write(path, state)
        keep(path)
        return name

    def sweep(self, kept: str) -> None:
        """Deletes the files before the current one, which have the words that it has not."""
        folder = crawl_folder(self._crawl.pk)
        for name in names(folder):
            if name.startswith("checkpoint-") and name < kept:
                forget(folder / name)
        if self._erasures:
            WordsToErase.objects.filter(pk__in=self._erasures).delete()
            self._erasures = ()
