"""Ports and first starts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.crawls.models import Crawl
from apps.engine.model import State
from apps.topics.models import Example, Topic
from apps.webs.models import Web
from crawlsite import first_start, start_up


@pytest.fixture
def taken() -> Iterator[int]:
    with start_up.listen(20_000) as one:
        yield one.getsockname()[1]


def test_a_taken_port_leads_to_the_next_free_one(taken: int) -> None:
    with start_up.listen(taken) as other:
        host, port = other.getsockname()
    assert host == "127.0.0.1" and taken < port < taken + start_up.PORTS_TRIED


def test_no_free_port_is_said_in_words(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr(start_up, "PORTS_TRIED", 1)
    with pytest.raises(start_up.NoFreePort, match="name another with --port"):
        start_up.listen(taken)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    made: list[str] = []
    monkeypatch.setattr(first_start, "prepare", lambda: made.append("demo"))
    return made


def test_the_demo_is_made_once_for_a_folder(calls: list[str], data_dir: Path) -> None:
    start_up.prepare_first_start()
    start_up.prepare_first_start()
    assert calls == ["demo"]


def test_a_demo_that_fails_is_tried_again(
    calls: list[str], data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken, pytest.raises(ZeroDivisionError):
        broken.setattr(first_start, "prepare", lambda: 1 / 0)
        start_up.prepare_first_start()
    start_up.prepare_first_start()
    assert calls == ["demo"]


@pytest.mark.django_db
def test_it_makes_web_topic_and_crawl_once(data_dir: Path) -> None:
    first_start.prepare()
    first_start.prepare()
    crawl = Crawl.objects.get()
    assert (crawl.state, crawl.budget, crawl.over) == (State.QUEUED, 1000, Crawl.Over.HTTP)
    assert crawl.politeness == {"pages_per_second": 4.0}
    assert crawl.web == Web.objects.get(source=Web.Source.DEMO) and crawl.web.pages >= 10_000
    assert Topic.objects.get().is_demo and User.objects.get().username == "owner"


@pytest.mark.django_db
def test_it_goes_on_where_a_start_was_cut_off(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as cut, pytest.raises(KeyboardInterrupt):
        cut.setattr("apps.topics.tasks.read_here", _interrupt)
        first_start.prepare()
    assert Topic.objects.count() == 1 and not Crawl.objects.exists()
    first_start.prepare()
    topic = Topic.objects.get()
    assert not topic.examples.filter(fetch=Example.Fetch.WAITING).exists()
    assert topic.work == Topic.Work.TRAINING and Crawl.objects.get().state == State.QUEUED


def _interrupt(topic: Topic) -> None:
    raise KeyboardInterrupt
