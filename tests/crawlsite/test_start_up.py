"""Ports and first starts."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from apps.crawls.first_crawl import being_made, has_failed, try_again
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.topics.models import Example, Topic
from apps.webs.models import Web
from crawlsite import first_start, start_up
from scripts import compile as compiling


@pytest.fixture
def taken() -> Iterator[int]:
    with start_up.listen(20_000) as one:
        yield one.getsockname()[1]


def test_a_taken_port_leads_to_the_next_free_one(taken: int) -> None:
    with start_up.listen(taken) as other:
        host, port = other.getsockname()
    assert host == "127.0.0.1" and taken < port < taken + start_up.PORTS_TRIED


def test_no_free_port_is_reported_in_words(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr(start_up, "PORTS_TRIED", 1)
    with pytest.raises(start_up.NoFreePort, match="name another with --port"):
        start_up.listen(taken)


def test_links_lead_to_the_sites_first_origin_if_one_is_set(settings) -> None:
    assert start_up.address("127.0.0.1", 8123) == "http://127.0.0.1:8123"
    settings.CSRF_TRUSTED_ORIGINS = ["https://*.example.org", "https://crawls.example.org/"]
    assert start_up.address("127.0.0.1", 8123) == "https://crawls.example.org"


def test_what_the_set_up_compiles_is_there() -> None:
    missing = [name for name in compiling.MODULES if find_spec(name) is None]
    assert len(compiling.MODULES) > 3 and not missing


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ports that the demo was made for; there is a web as soon as it was made."""
    made: list[int] = []

    def prepare(port: int, report: first_start.Report) -> None:
        made.append(port)
        Web.objects.create(name="demo", source=Web.Source.DEMO, served_port=port)

    monkeypatch.setattr(first_start, "prepare", prepare)
    return made


@pytest.mark.django_db
def test_the_demo_is_made_once_for_a_folder(calls: list[int], data_dir: Path) -> None:
    web = start_up.make_demo(8100, print)
    assert start_up.make_demo(8200, print) == web and calls == [8100]
    assert not being_made().exists() and not has_failed().exists()


@pytest.mark.django_db
def test_a_demo_that_failed_is_tried_again_when_somebody_asks(
    calls: list[int], data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reasons: list[str] = []
    make = first_start.prepare

    def fail_once(port: int, report: first_start.Report) -> None:
        if not reasons:
            raise OSError(errno.ENOSPC, "No space left on device")
        make(port, report)

    def ask_again(seconds: float) -> None:
        reasons.append(has_failed().read_text())
        try_again()

    monkeypatch.setattr(first_start, "prepare", fail_once)
    monkeypatch.setattr("time.sleep", ask_again)
    start_up.make_demo(8100, print)
    assert reasons == ["No space left on device"] and calls == [8100]
    assert not being_made().exists() and not has_failed().exists()


@pytest.mark.django_db
def test_it_makes_web_topic_and_crawl_once(data_dir: Path) -> None:
    steps: list[str] = []
    first_start.prepare(8100, steps.append)
    assert [step.split()[0] for step in steps] == ["making", "making", "the"]
    first_start.prepare(8100, steps.append)
    assert len(steps) == 3  # nothing is made again
    crawl = Crawl.objects.get()
    assert (crawl.state, crawl.budget, crawl.over) == (State.QUEUED, 1000, "http")
    assert crawl.politeness == {"pages_per_second": 4.0}
    assert crawl.web == Web.objects.get(source=Web.Source.DEMO) and crawl.web.pages >= 10_000
    assert Topic.objects.get().is_demo and User.objects.get().username == "owner"


@pytest.mark.django_db
def test_it_goes_on_where_a_start_was_cut_off(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as cut, pytest.raises(KeyboardInterrupt):
        cut.setattr("apps.topics.tasks.read_here", _interrupt)
        first_start.prepare(8100)
    assert Topic.objects.count() == 1 and not Crawl.objects.exists()
    first_start.prepare(8100)
    topic = Topic.objects.get()
    assert not topic.examples.filter(fetch=Example.Fetch.WAITING).exists()
    assert topic.work == Topic.Work.TRAINING and Crawl.objects.get().state == State.QUEUED


def _interrupt(topic: Topic) -> None:
    raise KeyboardInterrupt


START = """
import django
django.setup()
from django.core.checks import run_checks
from django.core.management import load_command_class
for app, name in (("crawlsite", "up"), ("apps.accounts", "sign_in_link")):
    run_checks(tags=load_command_class(app, name).requires_system_checks)
from apps.accounts.services import link_path
import sys
print(link_path("token"), [name for name in ("apps.api.main", "ninja") if name in sys.modules])
"""


def test_the_head_of_the_process_tree_imports_no_screens_of_which_it_prints_the_link() -> None:
    printed = subprocess.run(
        [sys.executable, "-c", START],
        capture_output=True,
        text=True,
        check=True,
        cwd=settings.BASE_DIR,
    ).stdout
    assert printed.strip() == f"{reverse('accounts:link', args=['token'])} []"
