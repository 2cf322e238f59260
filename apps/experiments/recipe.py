"""An experiment as a file that runs it again, here or elsewhere, to the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from django.contrib.auth.models import User
from django.db import transaction
from pydantic import Field

from apps.engine.errors import BadWebFile
from apps.experiments.design.schema import MOST_CELLS, MOST_TOPICS, Design
from apps.experiments.models import Cell, Experiment, ExperimentTopic
from apps.experiments.selectors import web_named
from apps.experiments.services import create_experiment
from apps.jobs import queue
from apps.jobs.installation import versions
from apps.recipes.backgrounds import background_part
from apps.recipes.schemas import PackedBackground, PackedTable, RecipeTopic
from apps.recipes.tables import tables_part
from apps.recipes.topics import part_of, topic_for
from apps.schemas.input import Input
from apps.schemas.refused import Refused
from apps.topics.hosts import decisions_on
from apps.topics.models import Topic
from apps.topics.snapshots import snapshot_data
from apps.webs.models import Web


class TopicPart(Input):
    """A topic as it was crawled, with its tables (in-links, traffic, …) and its background, whose
    texts stand in the recipe once for all its topics."""

    topic: RecipeTopic
    tables: dict[str, PackedTable] = {}
    background: PackedBackground | None = None


class ExperimentRecipe(Input):
    """An experiment with all its topics. `pages` is how many the web has, None for the live Web.

    `digests` are those of the cells that ended, by topic, index of the crawler and repetition:
    `Bread/2/1`. Cells of another run with the same digest have the same numbers. `backgrounds` has
    the data of each background's texts, by their digest.
    """

    kind: Literal["experiment"]
    format: Literal[1]
    made_by: dict[str, str] = {}
    design: Design
    pages: int | None = None
    backgrounds: Annotated[dict[str, str], Field(max_length=MOST_TOPICS)] = {}
    topics: Annotated[tuple[TopicPart, ...], Field(max_length=MOST_TOPICS, strict=False)]
    digests: Annotated[dict[str, str], Field(max_length=MOST_CELLS)] = {}


def recipe_of(experiment: Experiment) -> dict[str, Any]:
    """The recipe, ready for JSON. Raises Refused if a topic or one of its tables is gone."""
    parts = [_topic_part(row) for row in experiment.topics.select_related("topic", "snapshot")]
    ended = experiment.cells.exclude(digest="").select_related("topic", "crawler")
    recipe = ExperimentRecipe.read(
        {
            "kind": "experiment",
            "format": 1,
            "made_by": versions(),
            "design": design_of(experiment).model_dump(mode="json"),
            "pages": experiment.web.pages if experiment.web.is_recorded else None,
            "backgrounds": {
                each.digest: each.data
                for part in parts
                if (each := part.background) and each.digest
            },
            "topics": [_without_texts(part).model_dump(mode="json") for part in parts],
            "digests": {key_of(cell): cell.digest for cell in ended},
        }
    )
    return recipe.model_dump(mode="json")


def design_of(experiment: Experiment) -> Design:
    """The design with the topics and the name it has now."""
    names = tuple(experiment.topics.values_list("name", flat=True))
    design = Design.read(experiment.design)
    return design.model_copy(
        update={"topics": names, "name": experiment.name, "note": experiment.note}
    )


def key_of(cell: Cell) -> str:
    """The name of a cell in recipes."""
    return f"{cell.topic.name}/{cell.crawler.position + 1}/{cell.repetition}"


def _topic_part(row: ExperimentTopic) -> TopicPart:
    if row.topic is None:
        raise Refused("topics", f"No recipe: the topic {row.name} has been deleted.")
    data = row.snapshot.data if row.snapshot else snapshot_data(row.topic)
    try:
        tables = tables_part(row.topic.pk, row.inputs)
        background = background_part(row.topic.pk, row.inputs)
    except (BadWebFile, OSError) as error:
        raise Refused(
            "topics", f"No recipe: an input of {row.name} cannot be read ({error})."
        ) from None
    part = part_of(row.topic, data, decisions_on(row.topic))
    return TopicPart(topic=part, tables=tables, background=background)


def _without_texts(part: TopicPart) -> TopicPart:
    packed = part.background and part.background.model_copy(update={"data": ""})
    return part.model_copy(update={"background": packed})


def import_experiment(owner: User, recipe: ExperimentRecipe) -> Experiment:
    """A draft of the recipe; topics that the owner does not have are made, and their examples are
    fetched in the background.

    Raises Refused if the web is not here, or is another one under that name.
    """
    web = web_named(owner, recipe.design.web)
    if web.is_recorded and web.pages != recipe.pages:
        raise Refused(
            "web",
            f"The web {web.name} here has {web.pages or 0:,} pages, that of the"
            f" recipe {recipe.pages or 0:,}: it is another one.",
        )
    with transaction.atomic():
        names = {
            part.topic.name: _make_topic(owner, web, part, recipe.backgrounds)
            for part in recipe.topics
        }
        design = recipe.design.model_copy(
            update={"topics": tuple(names.get(name, name) for name in recipe.design.topics)}
        )
        expected = recipe.digests if web.is_recorded else {}
        return create_experiment(
            owner,
            design,
            expected={_renamed(key, names): digest for key, digest in expected.items()},
        )


def _make_topic(owner: User, web: Web, part: TopicPart, texts: Mapping[str, str]) -> str:
    """The name of the topic here."""
    web_id = web.pk if web.is_recorded else None
    background = part.background and part.background.model_copy(
        update={"data": texts.get(part.background.digest, "")}
    )
    topic, is_new = topic_for(owner, part.topic, web_id, part.tables, background)
    if is_new:
        queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)
    return topic.name


def _renamed(key: str, names: dict[str, str]) -> str:
    name, crawler, repetition = key.rsplit("/", 2)
    return f"{names.get(name, name)}/{crawler}/{repetition}"


def same_numbers(experiment: Experiment) -> tuple[int, int] | None:
    """How many of its ended cells have the numbers of the recipe it was made from, and how many of
    them the recipe has; None if it was not made from one with results."""
    if not experiment.expected:
        return None
    ended = experiment.cells.exclude(digest="").select_related("topic", "crawler")
    pairs = [
        (cell.digest, experiment.expected[key_of(cell)])
        for cell in ended
        if key_of(cell) in experiment.expected
    ]
    return sum(digest == expected for digest, expected in pairs), len(pairs)
