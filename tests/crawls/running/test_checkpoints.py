"""When a checkpoint is due: often while it costs little, and seldom enough when it costs much."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.running import checkpoints
from apps.crawls.running.checkpoints import EVERY_PAGES, EVERY_SECONDS, Checkpoints
from apps.crawls.words_to_erase import ask_to_erase
from tests.crawl_rows import made_crawl, made_topic


def test_a_checkpoint_takes_no_more_than_its_share_of_the_time(
    db: None, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    monkeypatch.setattr(checkpoints, "time", SimpleNamespace(monotonic=lambda: now))
    kept = Checkpoints(made_crawl(made_topic(get_user_model().objects.create_user("ada"))))
    assert not kept.due(EVERY_PAGES - 1) and kept.due(EVERY_PAGES)
    now += 3.0  # gathering the state and writing it
    kept.keep({"pages": EVERY_PAGES, "requests": EVERY_PAGES}, begun=1_000.0)
    now += 140.0
    assert not kept.due(9 * EVERY_PAGES)
    now += 10.0
    assert kept.due(9 * EVERY_PAGES) and not kept.due(EVERY_PAGES)
    kept.keep({"pages": 9 * EVERY_PAGES, "requests": 9 * EVERY_PAGES}, begun=now)
    assert kept.due(10 * EVERY_PAGES) and not kept.due(9 * EVERY_PAGES + 1)
    now += EVERY_SECONDS
    assert kept.due(9 * EVERY_PAGES + 1)


def test_words_to_erase_are_looked_for_once_a_minute(
    db: None, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    monkeypatch.setattr(checkpoints, "time", SimpleNamespace(monotonic=lambda: now))
    crawl = made_crawl(made_topic(get_user_model().objects.create_user("ada")))
    kept = Checkpoints(crawl)
    assert not kept.may_look()
    now += EVERY_SECONDS
    assert kept.may_look() and not kept.erasure().rows and not kept.may_look()
    ask_to_erase(crawl, ["zwieback"])
    pending = kept.erasure()
    assert pending.has("zwieback") and not pending.has("bread")
    later = ask_to_erase(crawl, ["rusk"])
    kept.keep({"pages": 1, "requests": 1}, begun=now)
    assert kept.erasure().rows == (later.pk,)
