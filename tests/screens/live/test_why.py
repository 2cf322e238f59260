"""The why panel: what it shows, and to whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run
from tests.people import Program


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


def test_the_panel_is_for_those_who_may_see_the_crawl(topic: Topic, client: Client) -> None:
    crawl = run(new_crawl(topic, "full_page", budget=20))
    number = crawl.pages_fetched.last().number
    address = reverse("live:why", args=[crawl.pk, number])
    eve = get_user_model().objects.create_user("eve")
    client.force_login(eve)
    assert client.get(address).status_code == 404
    client.force_login(topic.owner)
    text = client.get(address).content.decode()
    for message in (
        "Priority when it was picked",
        "P(c|u)",
        "Its priority was",
        "Path from the seed",
        "Waited",
    ):
        assert message in text


def test_programs_read_the_same_parts(topic: Topic) -> None:
    crawl = run(new_crawl(topic, "learner", budget=20))
    page = crawl.pages_fetched.filter(seed=False).last()
    address = f"crawls/{crawl.pk}/urls/{page.number}/why"
    message = Program(topic.owner).get(address).json()
    assert message["page"] == page.seq and message["trouble"] == "" and message["sentence"]
    assert message["log_odds"] == pytest.approx(sum(part["value"] for part in message["parts"]))
    assert Program(get_user_model().objects.create_user("eve")).get(address).status_code == 404
    unknown = f"crawls/{crawl.pk}/urls/{10**12}/why"
    assert Program(topic.owner).get(unknown).status_code == 404
