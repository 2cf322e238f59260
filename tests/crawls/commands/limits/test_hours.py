from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.errors import CrawlRefused
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from tests.crawl_rows import made_crawl, made_topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run
from tests.people import site_of


def test_a_crawl_ends_after_its_hours_and_goes_on_with_more(
    transactional_db, data_dir: Path
) -> None:
    owner = get_user_model().objects.create_user("ada")
    topic = run_here.bread(owner, run_here.made_web(data_dir))
    crawl = new_crawl(topic, "breadth_first", budget=150)
    COMMANDS["hours"].act(crawl, "1e-9", owner)
    crawl = run(crawl)
    assert (crawl.state, crawl.reason) == (State.FINISHED, StopReason.HOURS_REACHED)
    assert 0 < crawl.pages < 150
    assert state_words(crawl).action == "hours"
    COMMANDS["hours"].act(crawl, "", owner)
    assert crawl.state == State.QUEUED
    assert run(crawl).reason == StopReason.BUDGET_REACHED
    kinds = list(crawl.events.values_list("kind", flat=True))
    assert kinds == ["hours", "started", "finished", "hours", "continued", "finished"]


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "soon", "20000"])
def test_hours_out_of_range_are_refused(value: str) -> None:
    crawl = made_crawl(made_topic(get_user_model().objects.create_user("ada")))
    with pytest.raises(CrawlRefused, match="hours above 0"):
        COMMANDS["hours"].act(crawl, value, crawl.owner)


@pytest.mark.django_db
def test_fewer_hours_than_it_has_worked_are_refused_and_an_undo_lifts_the_limit() -> None:
    crawl = made_crawl(made_topic(get_user_model().objects.create_user("ada")), seconds=7200.0)
    with pytest.raises(CrawlRefused, match=r"2\.00 hours"):
        COMMANDS["hours"].act(crawl, "1", crawl.owner)
    COMMANDS["hours"].act(crawl, "3", crawl.owner)
    COMMANDS["undo"].act(crawl, "1", crawl.owner)
    assert Crawl.objects.get(pk=crawl.pk).hours is None


@pytest.mark.django_db
def test_an_undo_is_not_offered_back_to_a_limit_that_it_has_passed() -> None:
    crawl = made_crawl(made_topic(get_user_model().objects.create_user("ada")), hours=1.0)
    COMMANDS["hours"].act(crawl, "3", crawl.owner)
    address = reverse("live:crawl", args=[crawl.pk])
    assert b"Undo: Time limit changed" in site_of(crawl.owner).get(address).content
    Crawl.objects.filter(pk=crawl.pk).update(seconds=7200.0)
    assert b"Undo: Time limit changed" not in site_of(crawl.owner).get(address).content
    crawl.refresh_from_db()
    with pytest.raises(CrawlRefused, match=r"2\.00 hours"):
        COMMANDS["undo"].act(crawl, "1", crawl.owner)
