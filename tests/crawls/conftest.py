from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from apps.crawls.lifecycle import lease
from apps.crawls.models import Crawl
from tests.crawl_rows import made_crawl, made_topic


@pytest.fixture
def asked(monkeypatch, settings) -> list[tuple[int, int]]:
    """The (crawl, epoch) of every task that a worker is asked for, at once on every set-up."""
    settings.REDIS_URL = ""
    calls: list[tuple[int, int]] = []
    monkeypatch.setattr(
        lease, "async_task", lambda name, crawl, epoch, **_: calls.append((crawl, epoch))
    )
    return calls


@pytest.fixture
def a_crawl(django_user_model) -> Callable[..., Crawl]:
    """Makes crawls of one topic, with these values."""
    topic = made_topic(django_user_model.objects.create_user("owner"))

    def make(**values: Any) -> Crawl:
        crawl = made_crawl(topic)
        Crawl.objects.filter(pk=crawl.pk).update(**values)
        crawl.refresh_from_db()
        return crawl

    return make
