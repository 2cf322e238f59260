"""Orders that a running crawl reads at each commit, from its row and from its machine."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from django.conf import settings

from apps.crawls.commands.limits.stop_rules import STOP_RULES
from apps.crawls.models import Change, Crawl
from apps.engine.codes import State, StopReason
from apps.jobs.site import is_stopping
from apps.machines import workers


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders now; `hand_on` if another crawl or the end of the site waits for the worker, or if
    it is drained."""

    desired: str
    limits: tuple[float | None, ...]
    changes: tuple[Change, ...]
    hand_on: bool

    def halt(self, crawl: Crawl) -> StopReason | None:
        """Why the crawl is to be halted now, or None."""
        if self.desired == Crawl.Desired.PAUSE:
            return StopReason.PAUSED_BY_USER
        if self.desired == Crawl.Desired.STOP:
            return StopReason.STOPPED_BY_USER
        for rule, limit in zip(STOP_RULES, self.limits, strict=True):
            if limit is not None and rule.reached(crawl, limit):
                return rule.reason
        if self.hand_on:
            return StopReason.WAITING_FOR_A_WORKER
        return StopReason.DISK_FULL if disk_is_full() else None


def read_orders(crawl: Crawl, changes: tuple[Change, ...], kept_for: float | None) -> Orders:
    """The orders for a crawl that its worker has run for `kept_for` seconds (None if the worker
    runs no other)."""
    names = (rule.name for rule in STOP_RULES)
    desired, *limits = Crawl.objects.values_list("desired", *names).get(pk=crawl.pk)
    hand_on = kept_for is not None and (
        _others_wait(kept_for) or is_stopping(settings.DATA_DIR) or workers.are_drained()
    )
    return Orders(desired, tuple(limits), changes, hand_on)


def _others_wait(kept_for: float) -> bool:
    """Whether another crawl waits for a worker, after a turn of the full length."""
    if kept_for <= settings.KEEP_SECONDS:
        return False
    return Crawl.objects.filter(state=State.QUEUED, runner="", desired="run").exists()


def disk_is_full() -> bool:
    """Whether there is less room than a crawl may leave on the disk of the data folder."""
    return bool(shutil.disk_usage(settings.DATA_DIR).free < settings.LEAST_FREE_DISK)
