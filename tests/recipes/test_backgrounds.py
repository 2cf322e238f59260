"""The background of a crawl in its recipe: the same numbers elsewhere, damaged ones refused."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from apps.background_sources.services import (
    BackgroundSent,
    delete_background,
    make_background,
)
from apps.backgrounds.models import Background
from apps.recipes import reruns
from apps.recipes.recipe import recipe_of
from apps.recipes.schemas import Recipe
from apps.schemas.refused import Refused
from apps.topics import tasks
from apps.topics.models import Topic
from apps.topics.services import choose_background
from apps.topics.versions import new_version
from tests.background import work_on
from tests.crawls.run_here import bread, made_web, new_crawl, order, run
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(data_dir: Path) -> SimpleNamespace:
    """A topic with a background of its web, and a crawl of it by the learner."""
    ada = person("ada")
    web = made_web(data_dir)
    topic = bread(ada, web)
    made = make_background(ada, BackgroundSent(source="web", options={"web": web.pk, "size": 60}))
    work_on(made.newest)
    choose_background(topic, made)
    crawl = run(new_crawl(topic, "learner", budget=30))
    return SimpleNamespace(ada=ada, web=web, topic=topic, made=made, crawl=crawl)


def the_recipe(world) -> dict:
    return json.loads(json.dumps(recipe_of(world.crawl)))


def test_it_is_named_and_its_texts_come_along(world) -> None:
    recipe = the_recipe(world)
    assert recipe["inputs"]["background"]["digest"] == world.made.ready.digest
    assert recipe["background"]["digest"] == world.made.ready.digest
    assert recipe["background"]["name"] == "made"


def test_elsewhere_it_is_kept_and_the_crawl_fetches_the_same(world) -> None:
    bob, recipe = person("bob"), the_recipe(world)
    there = reruns.import_recipe(bob, Recipe.read(recipe))
    kept = Background.objects.get(owner=bob)
    assert kept.source == "recipe" and kept.ready.digest == world.made.ready.digest
    assert there.topic.background == kept
    tasks.run_here(Topic.objects.get(pk=there.topic_id))
    again = run(there)
    assert order(again) == order(world.crawl) and again.pages == 30
    assert recipe_of(again)["background"]["digest"] == recipe["background"]["digest"]


def test_here_the_topic_and_its_background_are_found_again(world) -> None:
    draft = reruns.import_recipe(world.ada, Recipe.read(the_recipe(world)))
    assert draft.topic == world.topic and Background.objects.count() == 1


def test_a_crawl_of_a_background_since_deleted_runs_again(world) -> None:
    delete_background(world.made)
    again = reruns.run_again(world.crawl, world.ada)
    assert order(run(again)) == order(world.crawl)


def test_to_have_none_is_kept_too(world) -> None:
    choose_background(world.topic, None, Topic.BackgroundUse.NONE)
    crawl = run(new_crawl(world.topic, "learner", budget=10))
    recipe = json.loads(json.dumps(recipe_of(crawl)))
    assert recipe["background"]["use"] == "none"
    there = reruns.import_recipe(person("bob"), Recipe.read(recipe))
    assert there.topic.background_use == Topic.BackgroundUse.NONE


def test_targets_in_a_background_are_not_counted_elsewhere_either(world) -> None:
    choose_background(world.topic, world.made, hold_out=Topic.HoldOut.REGARDLESS)
    crawl = run(new_crawl(world.topic, "learner", budget=10))
    choose_background(world.topic, world.made, hold_out=Topic.HoldOut.BY_ADDRESS)
    recipe = json.loads(json.dumps(recipe_of(crawl)))
    assert recipe["topic"]["hold_out"] == "regardless"
    draft = reruns.import_recipe(world.ada, Recipe.read(recipe))
    assert draft.topic != world.topic, "this one counts all its targets"
    there = reruns.import_recipe(person("bob"), Recipe.read(recipe))
    tasks.run_here(Topic.objects.get(pk=there.topic_id))
    again = run(there)
    assert crawl.metrics["targets"] < world.topic.targets.count()
    assert again.metrics["targets"] == crawl.metrics["targets"]


def test_another_background_makes_another_topic(world) -> None:
    recipe = the_recipe(world)
    choose_background(world.topic, None)
    draft = reruns.import_recipe(world.ada, Recipe.read(recipe))
    assert draft.topic != world.topic and draft.topic.background == world.made


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"data": "%%"}, "cannot be decompressed"),
        ({"data": base64.b64encode(zlib.compress(b"no texts")).decode()}, "cannot be read"),
        ({"digest": "0" * 40}, "do not match their digest"),
    ],
)
def test_damaged_texts_are_refused(world, change: dict[str, str], words: str) -> None:
    recipe = the_recipe(world)
    delete_background(world.made)
    recipe["background"] |= change
    with pytest.raises(Refused, match=words) as refused:
        reruns.import_recipe(person("bob"), Recipe.read(recipe))
    assert refused.value.field == "background" and not Background.objects.exists()


@pytest.mark.parametrize("strategy", ["learner", "full_page"])
def test_negatives_drawn_from_it_are_the_same_here_and_elsewhere(world, strategy: str) -> None:
    world.topic.examples.filter(relevant=False).delete()
    new_version(world.topic)
    crawl = run(new_crawl(world.topic, strategy, budget=20))
    drawn = crawl.inputs["sampled_negatives"]
    assert drawn["rows"] > 30 and drawn["digest"] == world.made.ready.digest
    bob = person("bob")
    there = reruns.import_recipe(bob, Recipe.read(json.loads(json.dumps(recipe_of(crawl)))))
    tasks.run_here(Topic.objects.get(pk=there.topic_id))
    again = run(there)
    assert (
        order(again) == order(crawl)
        and again.inputs["sampled_negatives"] | {"at": drawn["at"]} == drawn
    )
