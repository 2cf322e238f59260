from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Change, Crawl
from apps.engine.codes import State
from tests.crawl_rows import made_crawl, made_topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def crawl() -> Crawl:
    owner = get_user_model().objects.create_user("ada")
    return made_crawl(made_topic(owner), state=State.FINISHED, reason="budget_reached")


def do(crawl: Crawl, name: str, value: str) -> None:
    COMMANDS[name].act(crawl, value, crawl.owner)
    crawl.refresh_from_db()


def test_name_note_and_tags_of_a_crawl_at_rest_are_events_at_once(crawl: Crawl) -> None:
    do(crawl, "name", "  Baseline  with α ")
    do(crawl, "note", "for the\r\nreport\n")
    do(crawl, "tags", "b, a ,, b")
    assert (crawl.name, crawl.note) == ("Baseline with α", "for the\nreport")
    assert crawl.tags == ["a", "b"]
    assert [(e.kind, e.by) for e in crawl.events.all()] == [
        (kind, crawl.owner) for kind in ("name", "note", "tags")
    ]
    assert not Change.objects.exists()


def test_a_note_is_undone_and_its_undo_too(crawl: Crawl) -> None:
    do(crawl, "note", "first")
    do(crawl, "note", "second")
    do(crawl, "undo", "2")
    assert crawl.note == "first"
    with pytest.raises(CrawlRefused, match="changed since"):
        do(crawl, "undo", "1")
    do(crawl, "undo", "3")
    assert crawl.note == "second"


def test_a_running_crawl_has_its_runner_write_the_event(crawl: Crawl) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(state=State.RUNNING, runner="somebody")
    crawl.refresh_from_db()
    do(crawl, "tags", "urgent")
    assert crawl.tags == ["urgent"] and not crawl.events.exists()
    assert Change.objects.get().kind == "tags"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("name", "x" * 121, "at most 120"),
        ("note", "x" * 5001, "at most 5,000"),
        ("tags", "x" * 41, "at most 40"),
        ("tags", ",".join(map(str, range(21))), "at most 20"),
        ("name", " ", "so already"),
    ],
)
def test_what_is_too_long_or_changes_nothing_is_refused(
    crawl: Crawl, name: str, value: str, words: str
) -> None:
    with pytest.raises(CrawlRefused, match=words) as refusal:
        do(crawl, name, value)
    assert refusal.value.field == name
