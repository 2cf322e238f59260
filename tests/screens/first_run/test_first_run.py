"""The first screen of a person without topics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.crawls.first_crawl import being_made, has_failed
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.crawl_rows import made_crawl, made_topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(data_dir: Path) -> User:
    return User.objects.create_superuser("owner")


@pytest.fixture
def browser(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def demo(owner: User, **values: object) -> Crawl:
    topic = made_topic(owner)
    Topic.objects.filter(pk=topic.pk).update(is_demo=True)
    topic.refresh_from_db()
    return made_crawl(topic, **values)


def test_a_new_owner_lands_on_the_demo_crawl(browser: Client, owner: User) -> None:
    crawl = demo(owner)
    assert browser.get("/").headers["Location"] == f"/crawls/{crawl.pk}/"


def test_while_the_demo_is_made_its_steps_are_shown(browser: Client) -> None:
    being_made().touch()
    assert browser.get("/").headers["Location"] == "/first-run/"
    shown = browser.get("/first-run/").content.decode()
    assert shown.count("to come") == 2 and shown.count("under way") == 1
    assert "data-crawl" not in shown


def test_the_steps_lead_to_the_crawl_once_it_is_there(browser: Client, owner: User) -> None:
    crawl = demo(owner)
    being_made().touch()
    piece = browser.get("/first-run/", headers={"X-Piece": "steps"}).content.decode()
    assert f'data-crawl="/crawls/{crawl.pk}/"' in piece and "<html" not in piece


def test_a_finished_step_names_what_was_made(browser: Client, owner: User) -> None:
    Web.objects.create(name="demo", source=Web.Source.DEMO, pages=20_000, hosts=36)
    demo(owner)
    shown = browser.get("/first-run/").content.decode()
    assert "20,000 invented pages on 36 hosts; nothing is fetched" in shown
    assert "Sourdough: 3 seeds, 4 positive and 4 negative examples, 4 targets" in shown


def test_a_demo_that_failed_is_reported_with_its_reason_and_tried_again(browser: Client) -> None:
    has_failed().write_text("No space left on device")
    shown = browser.get("/", follow=True).content.decode()
    assert "The demo could not be made: No space left on device." in shown
    assert browser.post("/first-run/try-again/").headers["Location"] == "/first-run/"
    assert being_made().exists() and not has_failed().exists()
    assert "under way" in browser.get("/first-run/").content.decode()


def test_only_whom_the_demo_is_made_for_may_try_it_again(client: Client, owner: User) -> None:
    has_failed().touch()
    client.force_login(User.objects.create_user("guest"))
    assert client.get("/first-run/").status_code == 403
    assert client.post("/first-run/try-again/").status_code == 403 and has_failed().exists()


def test_without_a_demo_and_with_topics_of_ones_own_the_topics_come_first(
    browser: Client, owner: User
) -> None:
    assert browser.get("/").headers["Location"] == "/topics/"
    demo(owner)
    made_topic(owner, "Herring")
    assert browser.get("/").headers["Location"] == "/topics/"


def test_somebody_else_is_not_led_to_the_owners_demo(client: Client, owner: User) -> None:
    demo(owner)
    being_made().touch()
    client.force_login(User.objects.create_user("guest"))
    assert client.get("/").headers["Location"] == "/topics/"


def test_the_demo_is_run_again_by_another_strategy(browser: Client, owner: User) -> None:
    before = demo(owner, state=State.FINISHED)
    browser.post("/first-run/again/", {"strategy": "breadth_first"})
    crawl = Crawl.objects.exclude(pk=before.pk).get()
    assert (crawl.strategy, crawl.state, crawl.web) == ("breadth_first", State.QUEUED, before.web)
    assert crawl.politeness["pages_per_second"] == 4.0


def test_the_guide_stands_on_demo_crawls_alone(browser: Client, owner: User) -> None:
    mine = made_crawl(made_topic(owner, "Herring"))
    assert "First ten minutes" in browser.get(f"/crawls/{demo(owner).pk}/").content.decode()
    assert "First ten minutes" not in browser.get(f"/crawls/{mine.pk}/").content.decode()


def test_what_is_done_of_the_guide_is_kept_with_the_account(client: Client, owner: User) -> None:
    def kept(person: User) -> dict[str, Any]:
        client.force_login(person)
        return client.post("/first-run/guide/").json()

    client.force_login(owner)
    for step in ("why", "why", "label", "label", "label", "label"):
        client.post("/first-run/guide/", {"step": step})
    assert kept(owner) == {"done": ["why"], "labels": 4, "hidden": False}
    client.post("/first-run/guide/", {"step": "label"})
    client.post("/first-run/guide/", {"hidden": "1"})
    assert kept(owner) == {"done": ["why", "label"], "labels": 5, "hidden": True}
    assert client.post("/first-run/guide/", {"step": "fly"}).status_code == 400
    assert kept(User.objects.create_user("guest"))["done"] == []
    client.force_login(owner)
    shown = client.get(f"/crawls/{demo(owner).pk}/").content.decode()
    assert '{"done": ["why", "label"], "labels": 5, "hidden": true}' in shown


def test_running_the_demo_again_is_a_step_of_the_guide(browser: Client, owner: User) -> None:
    demo(owner, state=State.FINISHED)
    browser.post("/first-run/again/", {"strategy": "breadth_first"})
    assert browser.post("/first-run/guide/").json()["done"] == ["again"]
