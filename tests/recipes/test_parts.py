"""What a recipe brings besides its topic: tables, classes, the earlier crawl; on a fresh site."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F

from apps.accounts.sharing import share_with_everybody
from apps.crawls.models import Crawl
from apps.directories.importing import import_directory
from apps.directories.readers.listing import Listed
from apps.engine.codes import State
from apps.recipes import reruns
from apps.recipes.recipe import recipe_of
from apps.recipes.schemas import Recipe
from apps.schemas.refused import Refused
from apps.topics.inputs.lists import add_rows, current
from apps.topics.models import Example, Topic
from apps.webs.models import Web
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def draft(data_dir: Path) -> Crawl:
    """A draft of a topic whose examples are rows only."""
    topic = made_topic(person("ada"))
    topic.examples.update(final_url=F("url"))
    return made_crawl(topic, state=State.DRAFT, reason="", strategy="breadth_first", parameters={})


def carried(crawl: Crawl) -> dict[str, Any]:
    """The recipe as another site reads it."""
    return json.loads(json.dumps(recipe_of(crawl)))


def taken(name: str, recipe: dict[str, Any]) -> Crawl:
    return reruns.import_recipe(person(name), Recipe.read(recipe))


TABLES = {
    "inlinks": [("http://example0.test/", 12), ("http://example1.test/", 3)],
    "traffic": [("a.test", 7), ("b.test", 1)],
    "sites": [("listed.test", 1)],
}


def with_tables(draft: Crawl) -> Crawl:
    for kind, rows in TABLES.items():
        add_rows(draft.owner, draft.topic, kind, f"{kind}.csv", rows)
    return draft


def test_tables_come_along_and_are_given_to_the_crawl(draft: Crawl) -> None:
    recipe = carried(with_tables(draft))
    assert {kind: part["rows"] for kind, part in recipe["tables"].items()} == {
        "inlinks": 2,
        "traffic": 2,
        "sites": 1,
    }
    made = taken("bob", recipe)
    for kind in TABLES:
        table = current(made.topic, kind)
        assert table and (table.name, table.owner) == (f"{kind}.csv", made.owner)
    made.topic.examples.update(fetch=Example.Fetch.FETCHED, final_url=F("url"))
    assert carried(made)["tables"] == recipe["tables"]


def test_a_topic_with_the_same_tables_is_taken_as_it_is_and_another_is_not(draft: Crawl) -> None:
    recipe = carried(with_tables(draft))
    assert reruns.import_recipe(draft.owner, Recipe.read(recipe)).topic == draft.topic
    add_rows(draft.owner, draft.topic, "traffic", "newer.csv", [("a.test", 9)])
    made = reruns.import_recipe(draft.owner, Recipe.read(recipe))
    assert made.topic.name == "Sourdough (2)"


def packed(lines: str) -> str:
    return base64.b64encode(zlib.compress(lines.encode())).decode()


@pytest.mark.parametrize(
    "change",
    [
        {"data": packed("a.test\t8\n")},
        {"data": "é"},
        {"data": packed("a.test\t7\n")[:-8]},
        {"sha256": "0"},
    ],
)
def test_a_damaged_table_is_refused(draft: Crawl, change: dict[str, Any]) -> None:
    recipe = carried(with_tables(draft))
    recipe["tables"]["traffic"] |= change
    with pytest.raises(Refused, match="tables: The table traffic"):
        taken("bob", recipe)
    assert not Topic.objects.filter(owner__username="bob").exists()


@pytest.mark.parametrize(
    "tables",
    [
        [],
        {"nonsense": {}},
        {"traffic": []},
        None,
        {"traffic": {"name": 1}},
        {"traffic": {"name": "x", "rows": 1, "sha256": "0", "data": None}},
    ],
)
def test_what_is_not_a_table_is_refused(draft: Crawl, tables: object) -> None:
    with pytest.raises(Refused) as refusal:
        Recipe.read(carried(draft) | {"tables": tables})
    assert refusal.value.field == "tables"


def test_a_recipe_without_tables_and_classes_is_read(draft: Crawl) -> None:
    recipe = carried(draft)
    for part in ("tables", "classes", "earlier"):
        del recipe[part]
    assert taken("bob", recipe).topic.name == "Sourdough"


def test_the_other_topics_come_along_as_classes(draft: Crawl) -> None:
    recipe = carried(draft) | {
        "classes": {
            "topics": {
                "Stars": ["http://s.test/1", "http://s.test/2"],
                "Sourdough": ["http://x.test/"],
            }
        }
    }
    made = taken("bob", recipe)
    stars = Topic.objects.get(owner=made.owner, name="Stars")
    assert stars.work == "fetching"
    assert list(stars.examples.values_list("url", flat=True)) == [
        "http://s.test/1",
        "http://s.test/2",
    ]
    reruns.import_recipe(made.owner, Recipe.read(recipe))
    assert made.owner.topics.count() == 2


def test_a_directory_that_is_missing_is_named(draft: Crawl) -> None:
    recipe = carried(draft) | {"classes": {"directory": "glass", "path": "Arts/Glass"}}
    bob = person("bob")
    with pytest.raises(Refused, match="Upload that directory under the same name"):
        reruns.import_recipe(bob, Recipe.read(recipe))
    assert not bob.topics.exists()
    import_directory(bob, "glass", [Listed("Arts/Glass", "http://g.test/")])
    made = reruns.import_recipe(bob, Recipe.read(recipe))
    made.topic.refresh_from_db()
    assert made.topic.category.path == "Arts/Glass"


def test_the_classes_are_those_the_crawl_was_given(draft: Crawl, monkeypatch) -> None:
    pages = [
        {"class": name, "url": url}
        for name, url in (
            ("/Sourdough #1", "http://a.test/"),
            ("/Stars #2", "http://s.test/"),
            ("/", "http://n.test/"),
        )
    ]
    given = {"taxonomy": {"of": "topics", "name": "", "focus": "/Sourdough #1", "pages": pages}}
    monkeypatch.setattr("apps.recipes.recipe.freeze", lambda *_: given)
    assert carried(draft)["classes"] == {"topics": {"Stars": ["http://s.test/"]}}
    given["taxonomy"] |= {"of": "directory", "name": "glass", "focus": "/Arts/Glass"}
    assert carried(draft)["classes"] == {"directory": "glass", "path": "Arts/Glass"}


@pytest.fixture
def learner(draft: Crawl) -> Crawl:
    """A draft that learns from the first 30 pages of a finished crawl of the same topic."""
    first = made_crawl(
        draft.topic,
        strategy="breadth_first",
        parameters={},
        random_seed=3,
        state=State.FINISHED,
        reason="budget_reached",
        pages=40,
        budget=40,
    )
    Crawl.objects.filter(pk=draft.pk).update(
        strategy="recall_crawler", earlier=first, earlier_pages=30
    )
    return Crawl.objects.get(pk=draft.pk)


def test_the_earlier_crawl_comes_along_and_is_to_be_run_first(learner: Crawl) -> None:
    recipe = carried(learner)
    assert recipe["earlier"]["pages"] == 30
    bob = person("bob")
    for _ in range(2):
        with pytest.raises(Refused, match=r"crawl #\d+ \(draft\). Run that one to 30 pages"):
            reruns.import_recipe(bob, Recipe.read(recipe))
    (first,) = bob.crawls.all()
    assert (first.strategy, first.random_seed, first.topic.name) == (
        "breadth_first",
        3,
        "Sourdough",
    )
    first.topic.examples.update(fetch=Example.Fetch.FETCHED)
    Crawl.objects.filter(pk=first.pk).update(state=State.FINISHED, pages=35)
    made = reruns.import_recipe(bob, Recipe.read(recipe))
    assert (made.strategy, made.earlier) == ("recall_crawler", first)


def test_here_it_learns_from_the_crawl_that_is_here(learner: Crawl) -> None:
    made = reruns.import_recipe(learner.owner, Recipe.read(carried(learner)))
    assert made.earlier == learner.earlier


def test_an_earlier_crawl_that_may_not_be_seen_is_left_out(learner: Crawl) -> None:
    hidden = made_topic(person("eve"), "Hidden")
    Crawl.objects.filter(pk=learner.earlier_id).update(topic=hidden, owner=hidden.owner)
    share_with_everybody(learner)
    share_with_everybody(learner.topic)
    assert recipe_of(learner, person("mate"))["earlier"] is None


@pytest.mark.parametrize("earlier", [{}, {"pages": 0, "recipe": {}}, {"pages": 3, "recipe": []}])
def test_an_earlier_crawl_that_cannot_be_read_is_refused(draft: Crawl, earlier: object) -> None:
    with pytest.raises(Refused):
        Recipe.read(carried(draft) | {"earlier": earlier})


def test_a_recipe_within_a_recipe_without_end_is_refused(draft: Crawl) -> None:
    recipe = carried(draft)
    for _ in range(20):
        recipe = carried(draft) | {"earlier": {"pages": 1, "recipe": recipe}}
    with pytest.raises(Refused, match="earlier"):
        Recipe.read(recipe)


def test_a_web_that_is_missing_is_named(draft: Crawl) -> None:
    Web.objects.filter(pk=draft.web_id).update(name="coast", source=Web.Source.FOLDER)
    recipe = carried(Crawl.objects.get(pk=draft.pk))
    recipe["web"]["name"] = "shore"
    with pytest.raises(Refused, match="no web shore here"):
        taken("bob", recipe)


def test_links_counted_in_a_web_are_counted_again(draft: Crawl) -> None:
    recipe = carried(draft) | {"inputs": {"inlinks": {"of": "counted"}}}
    assert taken("bob", recipe).topic.work == "scanning"
