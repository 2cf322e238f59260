"""A continued crawl has its frozen inputs, whatever became of their sources meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.limits.budget import continue_with
from apps.topics.models import Topic
from apps.webs.links import links_path
from tests.crawls.run_here import bread, made_web, new_crawl, order, run
from tests.made_once import made_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def topic(data_dir: Path) -> Topic:
    return bread(get_user_model().objects.create_user("ada"), made_web(data_dir))


# The database keeps what any of them was given in the same rows.
INPUTS = [
    ("hcla", {}),
    ("ss2", {}),
    ("plsi_phits", {}),
    ("taxonomy_baseline", {}),
    ("text_window_backlink", {}),
    ("utility", {}),
]


@pytest.mark.parametrize(
    ("strategy", "parameters"),
    [
        *(pytest.param(*given, marks=pytest.mark.alike) for given in INPUTS),
        ("recall_crawler", {}),
        ("apprentice", {"mode": "offline"}),
    ],
)
def test_it_fetches_the_same_pages_in_the_same_order(
    topic: Topic, strategy: str, parameters: dict[str, object]
) -> None:
    earlier = None
    if strategy in ("recall_crawler", "apprentice"):
        earlier = made_once(
            ("earlier crawl", topic.pk),
            lambda: run(new_crawl(topic, "breadth_first", budget=80)),
            topic.owner,
        )
    at_once = run(new_crawl(topic, strategy, parameters=parameters, earlier=earlier, budget=40))
    halved = run(new_crawl(topic, strategy, parameters=parameters, earlier=earlier, budget=20))
    topic.inlink_counts.all().delete()
    topic.input_pages.all().delete()
    links_path(topic.web).unlink()
    continue_with(halved, 40)
    assert order(run(halved)) == order(at_once)
    assert halved.inputs == at_once.inputs
