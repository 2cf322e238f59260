"""The topic in a recipe: written from a crawl's snapshot, and made into a topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from apps.crawls.commands.scope.host_decisions import obeyed_decisions
from apps.crawls.models import Crawl
from apps.recipes.backgrounds import Use, background_for, uses
from apps.recipes.schemas import PackedBackground, PackedTable, RecipeExample, RecipeTopic
from apps.recipes.tables import add_tables, holds
from apps.topics.definition.schemas import host_states
from apps.topics.hosts import decisions_on, replace_all
from apps.topics.inputs.counted_targets import hold_out_of
from apps.topics.messages import line_words
from apps.topics.models import Example, InputPage, Topic
from apps.topics.services import TopicRefused, create_topic
from apps.topics.snapshots import snapshot_data


def topic_part(crawl: Crawl) -> RecipeTopic:
    """The crawl's topic: as it was at the start, or for a draft as it is now."""
    if crawl.snapshot is None:
        return part_of(crawl.topic, snapshot_data(crawl.topic), decisions_on(crawl.topic))
    part = part_of(crawl.topic, crawl.snapshot.data, obeyed_decisions(crawl))
    return part.model_copy(update={"hold_out": hold_out_of(crawl.inputs)})


def part_of(topic: Topic, data: Mapping[str, Any], decisions: Mapping[str, bool]) -> RecipeTopic:
    """A topic with the contents of its snapshot and these decisions on hosts."""
    as_it_was = ("name", "keywords", "language", "web_label", "seeds", "targets", "inlinks")
    return RecipeTopic.read(
        {
            **{name: data[name] for name in as_it_was},
            "description": data.get("description", topic.description),
            "negatives_per_positive": topic.negatives_per_positive,
            "hold_out": topic.hold_out,
            "backlinks": _named_pages(topic, InputPage.Kind.BACKLINK),
            "corpus": _named_pages(topic, InputPage.Kind.CORPUS),
            "hosts_in": [name for name, is_in in decisions.items() if is_in],
            "hosts_out": [name for name, is_in in decisions.items() if not is_in],
            "examples": [
                {name: row[name] for name in RecipeExample.model_fields} for row in data["examples"]
            ],
        }
    )


def _named_pages(topic: Topic, kind: str) -> list[str]:
    """The unlabelled pages that the analyst named; a scan yields the others again."""
    named = topic.input_pages.filter(kind=kind, origin=InputPage.Origin.NAMED)
    return list(named.order_by("id").values_list("url", flat=True))


def topic_for(
    owner: User,
    part: RecipeTopic,
    web_id: int | None,
    tables: Mapping[str, PackedTable] | None = None,
    background: PackedBackground | None = None,
) -> tuple[Topic, bool]:
    """The owner's topic that equals the recipe's, with its tables and its background, and whether
    it was made now.

    A topic of the same name and content with these is reused; otherwise one is made under the next
    free name. Raises Refused.
    """
    tables = tables or {}
    alike = Topic.objects.filter(owner=owner, name__startswith=part.name[:150], web=web_id)
    for topic in alike:
        if _same(topic, part) and holds(topic, tables) and uses(topic, background):
            return topic, False
    with transaction.atomic():
        saved = create_topic(owner, part.definition(_free_name(owner, part.name), web_id))
        for name, errors in saved.errors.items():
            raise TopicRefused(name, f"{errors[0].text[:200]}: {line_words(errors[0])}.")
        _add_gathered(saved.topic, part)
        add_tables(saved.topic, tables)
        _give_background(saved.topic, background)
        replace_all(saved.topic, host_states(part.hosts_in, part.hosts_out), owner)
    return saved.topic, True


def _give_background(topic: Topic, part: PackedBackground | None) -> None:
    if part is not None:
        topic.background = background_for(topic.owner, part)
        topic.background_use = Use.NONE if part.use == "none" else Use.DRAWN
        topic.save(update_fields=["background", "background_use"])


def _same(topic: Topic, part: RecipeTopic) -> bool:
    """Whether the topics are the same but for their names.

    Drawn negatives count as named ones, as when a topic is made from a recipe. The examples must be
    all of them, or those that could be fetched.
    """
    data, wanted = snapshot_data(topic), _comparable(part)
    every = {**data, "examples": list(topic.examples.values(*RecipeExample.model_fields))}
    decided = decisions_on(topic)
    return any(_comparable(part_of(topic, each, decided)) == wanted for each in (data, every))


def _comparable(part: RecipeTopic) -> dict[str, Any]:
    same = (
        *("description", "language", "web_label", "keywords"),
        *("seeds", "backlinks", "corpus", "inlinks"),
    )
    return {
        **{name: getattr(part, name) for name in same},
        "hold_out": part.hold_out or Topic.HoldOut.BY_ADDRESS.value,
        "targets": set(part.targets),
        "hosts": host_states(part.hosts_in, part.hosts_out),
        "examples": {
            (e.url, e.relevant, e.role, "" if e.is_named else e.source, e.weight)
            for e in part.examples
        },
    }


def _free_name(owner: User, name: str) -> str:
    taken = set(Topic.objects.filter(owner=owner).values_list("name", flat=True))
    if name not in taken:
        return name
    number = next(n for n in range(2, len(taken) + 3) if f"{name[:190]} ({n})" not in taken)
    return f"{name[:190]} ({number})"


def _add_gathered(topic: Topic, part: RecipeTopic) -> None:
    existing = set(topic.examples.values_list("url", flat=True))
    Example.objects.bulk_create(
        Example(
            topic=topic,
            url=e.url,
            relevant=e.relevant,
            role=e.role,
            source=e.source,
            weight=e.weight,
        )
        for e in {e.url: e for e in part.examples if not e.is_named}.values()
        if e.url not in existing
    )
