"""The state of a crawl, from which it is restored exactly as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.errors import BadCheckpoint

VERSION = 6
"""The version of a state; it rises with what a frontier, a strategy or a recorder keeps in it."""


def check_version(state: Mapping[str, Any]) -> None:
    """Raises BadCheckpoint if `restore_state` cannot read the state, which then is replayed."""
    if state.get("version") != VERSION:
        raise BadCheckpoint(f"a state of version {state.get('version')}, not {VERSION}")


def state_of(crawl: CrawlLoop) -> dict[str, Any]:
    """The state of a crawl for a checkpoint; call it right after `close_batch`."""
    robots = crawl.fetcher.robots
    return {
        "version": VERSION,
        "pages": crawl.pages,
        "requests": crawl.requests,
        "changes": crawl.changes,
        "labels": list(crawl.guide.labels),
        "reorder_seconds": crawl.reorder_seconds,
        "discovered": len(crawl.frontier),
        "frontier": crawl.frontier.snapshot(crawl.clock()),
        "strategy": crawl.strategy.state(),
        "vocabulary": crawl.guide.topic.vocabulary.entries(),
        "recorder": crawl.recorder.state(),
        "robots": robots.snapshot() if robots else None,
        "site_lists": crawl.turns.site_lists.state(),
        "site_opt_outs": crawl.fetcher.site_opt_outs.snapshot(),
        "rendering": crawl.rendering.state() if crawl.rendering else None,
    }


def restore_state(crawl: CrawlLoop, state: dict[str, Any], discovered: list[str]) -> None:
    """Restores what `state_of` returned; `discovered` are its `state["discovered"]` URLs, by
    number.

    The guide must have learned the state's labels already.
    """
    crawl.limits.pages = state["pages"]
    crawl.limits.requests = state["requests"]
    crawl.changes = state["changes"]
    crawl.turns.reorder_seconds = state["reorder_seconds"]
    crawl.guide.topic.vocabulary.restore(state["vocabulary"])
    crawl.frontier.restore(state["frontier"], discovered, crawl.clock())
    crawl.strategy.restore(state["strategy"])
    crawl.recorder.restore(state["recorder"])
    crawl.turns.site_lists.restore(state["site_lists"])
    crawl.fetcher.site_opt_outs.restore(state["site_opt_outs"])
    if crawl.rendering and state["rendering"]:
        crawl.rendering.restore(state["rendering"])
    if crawl.fetcher.robots and state["robots"] is not None:
        crawl.fetcher.robots.restore(state["robots"])
