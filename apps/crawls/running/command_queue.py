"""Applies people's changes to a running crawl.

A change that does not concern the engine (a note) only becomes an event.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from apps.crawls.commands.scope.host_decisions import catch_up
from apps.crawls.models import Change, Crawl
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.relearning.lessons import KIND as LABELS
from apps.engine.crawl.relearning.lessons import Lesson
from apps.engine.crawl.retraining import apply_lesson, prepare_lesson, rate_ahead
from apps.engine.errors import EngineError

log = logging.getLogger("crawlsite.runner")


class CommandQueue:
    """The changes of one crawl while one process runs it.

    Labels are learned beside the crawl; their effect waits for a moment between two commits.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._done: set[int] = set()
        self._learning: asyncio.Task[Lesson] | None = None
        self._learned: Change | None = None

    def catch_up(self) -> None:
        """Asks for what the topic has decided on hosts since the crawl obeyed it last."""
        catch_up(Crawl.objects.select_related("topic").get(pk=self._crawl.pk))

    def read_pending(self) -> tuple[Change, ...]:
        """The changes not yet stored as applied, in the order they were made."""
        return tuple(self._crawl.changes.filter(applied=False).order_by("id"))

    async def carry_out(
        self, engine: CrawlLoop, changes: Sequence[Change], at_once: bool = False
    ) -> bool:
        """Applies new changes; one that the engine refuses becomes an event with the reason.

        Labels are waited for only `at_once`. True if they have taken effect: a commit and a
        checkpoint must follow before anything else.
        """
        new = [change for change in changes if change.pk not in self._done]
        for change in new:
            if change.kind != LABELS:
                self._done.add(change.pk)
                self._apply(engine, change)
        lessons = [change for change in new if change.kind == LABELS]
        if lessons and self._learning is None:
            self._begin(engine, lessons[-1])
        if self._learning is None or not (at_once or self._learning.done()):
            return False
        return await self._finish(engine)

    def write(self) -> None:
        """Marks the applied changes, in the transaction that writes their events."""
        if self._done:
            Change.objects.filter(pk__in=self._done, applied=False).update(applied=True)

    def drop(self) -> None:
        """Stops learning from labels; the next start does it again."""
        if self._learning is not None:
            self._learning.cancel()

    def _begin(self, engine: CrawlLoop, change: Change) -> None:
        self._learned = change
        self._learning = asyncio.create_task(_learn(engine, change.payload["labels"]))

    async def _finish(self, engine: CrawlLoop) -> bool:
        """Applies the lesson; False if there is nothing to learn from."""
        assert self._learning is not None and self._learned is not None
        change, learning = self._learned, self._learning
        try:
            lesson = await learning
        except EngineError as error:
            self._refuse(engine, change, error)
            return False
        finally:
            self._learning = None
            self._done.add(change.pk)
        await apply_lesson(engine, lesson, {**change.payload, "by": change.by_id})
        return True

    def _apply(self, engine: CrawlLoop, change: Change) -> None:
        payload = {**change.payload, "by": change.by_id}
        if change.kind not in engine.change_kinds:
            engine.note(change.kind, payload)
            return
        try:
            engine.change(change.kind, payload)
        except EngineError as error:
            self._refuse(engine, change, error)

    def _refuse(self, engine: CrawlLoop, change: Change, error: EngineError) -> None:
        log.warning("crawl %s refused a change: %s", self._crawl.pk, error)
        engine.note("refused", {"change": change.kind, "why": str(error), "by": change.by_id})


async def _learn(engine: CrawlLoop, labels: Sequence[int]) -> Lesson:
    """A lesson that has scored most pages already, so that the crawl hardly waits for it."""
    lesson = await prepare_lesson(engine, labels)
    await rate_ahead(engine, lesson)
    return lesson
