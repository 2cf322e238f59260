from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.commands.limits.recall import RECALL, parse
from apps.crawls.errors import CrawlRefused
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.crawls.services import create_crawl
from apps.engine.codes import State, StopReason
from apps.recipes.recipe import recipe_of
from apps.recipes.reruns import run_again
from apps.recipes.schemas import Recipe
from tests.crawl_rows import made_crawl, made_topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run


def test_a_crawl_ends_at_its_share_of_the_targets_and_goes_on_with_more(
    transactional_db, data_dir: Path
) -> None:
    owner = get_user_model().objects.create_user("ada")
    topic = run_here.bread(owner, run_here.made_web(data_dir))
    crawl = new_crawl(topic, "breadth_first", budget=1000)
    COMMANDS["recall"].act(crawl, "30 %", owner)
    crawl = run(crawl)
    assert (crawl.state, crawl.reason) == (State.FINISHED, StopReason.RECALL_ESTIMATE_REACHED)
    assert 0.3 <= crawl.metrics["target_recall"] < 1
    message = state_words(crawl)
    assert message.action == "recall"
    assert (
        f"{crawl.metrics['targets_found']} of {crawl.metrics['targets']} targets" in message.reason
    )
    pages = crawl.pages
    COMMANDS["recall"].act(crawl, "", owner)
    assert crawl.state == State.QUEUED
    crawl = run(crawl)
    assert crawl.reason != StopReason.RECALL_ESTIMATE_REACHED and crawl.pages > pages


@pytest.mark.django_db
def test_without_targets_the_lower_end_of_the_estimate_counts() -> None:
    crawl = made_crawl(
        made_topic(get_user_model().objects.create_user("ada")),
        metrics={
            "targets": 0,
            "estimated_recall": 0.82,
            "estimated_recall_low": 0.74,
            "estimated_recall_high": 0.9,
            "relevant_soon": 31.2,
        },
    )
    assert not RECALL.reached(crawl, 0.8) and RECALL.reached(crawl, 0.74)
    with pytest.raises(CrawlRefused, match=r"74\.0 % already"):
        COMMANDS["recall"].act(crawl, "70 %", crawl.owner)
    COMMANDS["recall"].act(crawl, "80 %", crawl.owner)
    assert crawl.recall == 0.8


@pytest.mark.django_db
def test_what_is_reached_already_is_refused_and_an_undo_lifts_the_limit() -> None:
    metrics = {"targets": 4, "targets_found": 2, "target_recall": 0.5}
    crawl = made_crawl(made_topic(get_user_model().objects.create_user("ada")), metrics=metrics)
    with pytest.raises(CrawlRefused, match=r"50\.0 % already"):
        COMMANDS["recall"].act(crawl, "0.5", crawl.owner)
    COMMANDS["recall"].act(crawl, "75%", crawl.owner)
    assert crawl.recall == 0.75
    COMMANDS["undo"].act(crawl, "1", crawl.owner)
    assert Crawl.objects.get(pk=crawl.pk).recall is None


@pytest.mark.parametrize("text", ["0", "80", "-5 %", "101 %", "nan", "most"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(CrawlRefused, match=r"80 % or 0\.8"):
        parse(text)


@pytest.mark.django_db
def test_limits_are_in_the_recipe_and_in_another_run(data_dir: Path) -> None:
    topic = made_topic(get_user_model().objects.create_user("ada"))
    topic.targets.create(url="http://a.test/held-back")
    crawl = create_crawl(
        topic.owner,
        topic,
        made_crawl(topic).web,
        strategy="breadth_first",
        budget=9,
        hours=2.5,
        recall=0.8,
        slope=5,
    )
    settings = Recipe.read(recipe_of(crawl)).settings()
    assert (settings["hours"], settings["recall"], settings["slope"]) == (2.5, 0.8, 5)
    again = run_again(crawl, topic.owner)
    assert (again.hours, again.recall, again.slope) == (2.5, 0.8, 5)
