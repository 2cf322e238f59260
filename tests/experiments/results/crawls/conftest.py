"""Crawls to compare, one sample deep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.topics.models import Topic
from apps.topics.snapshots import snapshot
from tests.crawl_rows import made_crawl, made_topic, sampled
from tests.people import person

Made = Callable[..., Crawl]


@pytest.fixture
def topic(db) -> Topic:
    return made_topic(person("ada"), "Seagrass")


@pytest.fixture
def ended(topic: Topic) -> Made:
    """A finished crawl that had found so many of twenty targets at 100 pages."""

    def make(
        recalled: int | None, strategy: str = "full_page", on: Topic = topic, **values: Any
    ) -> Crawl:
        values = {"parameters": {}, "state": State.FINISHED, "snapshot": snapshot(on), **values}
        crawl = made_crawl(on, strategy=strategy, **values)
        targets = (
            {}
            if recalled is None
            else {"target_recall": recalled / 20, "targets_found": recalled, "targets": 20}
        )
        return sampled(crawl, {50: 0.5, 100: 0.4}, **targets)

    return make
