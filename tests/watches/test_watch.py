"""The command `watch`: what a person at a shell does with watches."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.topics.models import Topic
from apps.watches.models import Watch
from tests.crawl_rows import made_crawl, made_topic

pytestmark = pytest.mark.alike
AT = "2026-11-02T09:00"


@pytest.fixture
def topic(owner: User) -> Topic:
    return made_crawl(made_topic(owner), state=State.FINISHED, pages=10).topic


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    call_command("watch", *words, "--at", AT, skip_checks=True)
    return capsys.readouterr().out


def test_a_watch_is_started_listed_paused_resumed_and_deleted(
    topic: Topic, capsys: pytest.CaptureFixture[str]
) -> None:
    started = printed(capsys, "start", topic.name, "--cron", "0 6 * * 1", "--requests", "40")
    assert "at most 40 requests a visit · next visit 2026-11-02 09:00 UTC" in started
    assert printed(capsys, "list").startswith(f"#{Watch.objects.get().pk} {topic.name} · 0 visits")
    assert "2026-11-09 06:00 UTC" in printed(capsys, "next", str(topic.pk))
    assert printed(capsys, "pause", topic.name).rstrip().endswith("paused")
    assert "next visit 2026-11-0" in printed(capsys, "resume", topic.name)
    assert "its pages stay" in printed(capsys, "delete", topic.name)
    assert Crawl.objects.filter(topic=topic).exists()


def test_what_cannot_be_done_is_reported(topic: Topic, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="There is no topic Rye"):
        printed(capsys, "start", "Rye")
    with pytest.raises(CommandError, match="is not watched: crawlsite watch start"):
        printed(capsys, "pause", topic.name)
    with pytest.raises(CommandError, match="Name a topic"):
        printed(capsys, "pause")
    with pytest.raises(CommandError, match="cron"):
        printed(capsys, "start", topic.name, "--cron", "every day")
