"""The topic in a recipe: written from a crawl's snapshot, read, and made into a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction

from apps.crawls.models import Crawl
from apps.engine.urls import canonical
from apps.recipes.tables import RecipeTable, add_tables, holds
from apps.topics.definition.reading import Definition
from apps.topics.definition.topic_file import BadTopicFile, topic_of
from apps.topics.messages import line_words
from apps.topics.models import Example, SourcePage, Topic
from apps.topics.services import TopicRefused, create_topic
from apps.topics.snapshots import snapshot_data

_ROLES = {
    (Example.Role.TRAIN.value, True): "positives",
    (Example.Role.TRAIN.value, False): "negatives",
    (Example.Role.EVALUATE.value, True): "evaluation_positives",
    (Example.Role.EVALUATE.value, False): "evaluation_negatives",
}
_OWN = frozenset({"name", "description", "keywords", "language", "web_label",
                  "negatives_per_positive", "seeds", "targets", "inlinks", "backlinks",
                  "corpus"})  # fmt: skip
MOST_EXAMPLES = 100_000


@dataclass(frozen=True, slots=True)
class RecipeExample:
    """An example by its address; `source` is one of `Example.Source`."""

    url: str
    relevant: bool
    role: str
    source: str
    weight: float


@dataclass(frozen=True, slots=True)
class TopicPart:
    """`plain` is the topic as JSON, for comparison; `definition` has no web yet; `gathered` are the
    examples that were gathered rather than named, and so are in no list of the definition."""

    plain: Mapping[str, Any]
    definition: Definition
    gathered: tuple[RecipeExample, ...]


def topic_part(crawl: Crawl) -> dict[str, Any]:
    """The crawl's topic as JSON: as it was at the start, or for a draft as it is now."""
    data = crawl.snapshot.data if crawl.snapshot else snapshot_data(crawl.topic)
    return _plain(crawl.topic, data)


def _plain(topic: Topic, data: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("url", "relevant", "role", "source", "weight")
    return {
        "name": data["name"],
        "description": topic.description,
        "keywords": data["keywords"],
        "language": data["language"],
        "web_label": data["web_label"],
        "negatives_per_positive": topic.negatives_per_positive,
        "seeds": data["seeds"],
        "targets": data["targets"],
        "inlinks": data["inlinks"],
        "backlinks": _named_pages(topic, SourcePage.Kind.BACKLINK),
        "corpus": _named_pages(topic, SourcePage.Kind.CORPUS),
        "examples": [{name: row[name] for name in kept} for row in data["examples"]],
    }


def _named_pages(topic: Topic, kind: str) -> list[str]:
    """The unlabelled pages that the analyst named; those found by a scan can be found again."""
    named = topic.source_pages.filter(kind=kind, origin=SourcePage.Origin.NAMED)
    return list(named.order_by("id").values_list("url", flat=True))


def read_topic_part(data: Any) -> TopicPart:
    """The topic of a recipe. Raises ValueError with a sentence."""
    if not isinstance(data, dict):
        raise ValueError("A recipe needs its topic, as an object.")
    rows = data.get("examples", [])
    if not isinstance(rows, list) or len(rows) > MOST_EXAMPLES:
        raise ValueError("examples must be a list.")
    unknown = set(data) - _OWN - {"examples"}
    if unknown:
        raise ValueError(f"A recipe's topic has no {str(min(unknown, key=str))[:50]}.")
    examples = [_example(row, place) for place, row in enumerate(rows, 1)]
    named = [e for e in examples if _is_named(e)]
    try:
        definition = topic_of({**_own(data), **_lists(named)}).definition
    except BadTopicFile as error:
        raise ValueError(str(error)) from None
    return TopicPart(data, definition, tuple(e for e in examples if not _is_named(e)))


def _own(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name in _OWN}


def _is_named(example: RecipeExample) -> bool:
    """Whether the example is a named one; drawn negatives become so, since the recipe fixes the
    draw."""
    return example.source in (Example.Source.NAMED, Example.Source.OTHER_TOPIC)


def _lists(examples: list[RecipeExample]) -> dict[str, Any]:
    lists: dict[str, list[str]] = {name: [] for name in _ROLES.values()}
    for example in examples:
        lists[_ROLES[example.role, example.relevant]].append(example.url)
    judging = {name: lists[f"evaluation_{name}"] for name in ("positives", "negatives")}
    return {"positives": lists["positives"], "negatives": lists["negatives"],
            "evaluation": judging}  # fmt: skip


def _example(row: Any, place: int) -> RecipeExample:
    if not isinstance(row, dict):
        raise ValueError(f"Example {place} must be an object.")
    url, relevant, weight = row.get("url"), row.get("relevant"), row.get("weight", 1.0)
    if not isinstance(url, str) or canonical(url) != url or not isinstance(relevant, bool):
        raise ValueError(f"Example {place} needs a web address and whether it is relevant.")
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight <= 100:
        raise ValueError(f"Example {place}: weight must be a number above 0, up to 100.")
    role, source = row.get("role"), row.get("source", Example.Source.NAMED.value)
    if role not in Example.Role.values or source not in Example.Source.values:
        raise ValueError(f"Example {place}: role or source is unknown.")
    return RecipeExample(url, relevant, role, source, float(weight))


def topic_for(
    owner: AbstractUser, part: TopicPart, web_id: int | None, tables: Sequence[RecipeTable] = ()
) -> tuple[Topic, bool]:
    """The owner's topic that equals the recipe's, with its tables, and whether it was made now.

    A topic of the same name, content and tables is reused; otherwise one is made under the next
    free name. Raises TopicRefused.
    """
    name = part.definition.name
    for topic in Topic.objects.filter(owner=owner, name__startswith=name[:150], web_id=web_id):
        if _same(topic, part) and holds(topic, tables):
            return topic, False
    with transaction.atomic():
        definition = _with_web(part.definition, _free_name(owner, name), web_id)
        saved = create_topic(owner, definition)
        for name, errors in saved.errors.items():
            raise TopicRefused(name, f"{errors[0].text[:200]}: {line_words(errors[0])}.")
        _add_gathered(saved.topic, part)
        add_tables(owner, saved.topic, tables)
    return saved.topic, True


def _same(topic: Topic, part: TopicPart) -> bool:
    """Whether the topics are the same but for their names.

    Drawn negatives count as named ones, as when a topic is made from a recipe. The examples must be
    all of them, or those that could be fetched.
    """
    data, wanted = snapshot_data(topic), _comparable(part.plain)
    fields = ("url", "relevant", "role", "source", "weight")
    every = {**data, "examples": list(topic.examples.values(*fields))}
    return any(_comparable(_plain(topic, each)) == wanted for each in (data, every))


def _comparable(plain: Mapping[str, Any]) -> dict[str, Any]:
    examples = [_example(row, place) for place, row in enumerate(plain.get("examples", ()), 1)]
    known = {(e.url, e.relevant, e.role, "" if _is_named(e) else e.source, e.weight)
             for e in examples}  # fmt: skip
    ordered = ("keywords", "seeds", "backlinks", "corpus")
    lists = {name: list(plain.get(name) or ()) for name in ordered}
    return {
        **lists,
        "language": plain.get("language") or "",
        "web_label": plain.get("web_label") or "",
        "targets": set(plain.get("targets") or ()),
        "inlinks": dict(plain.get("inlinks") or {}),
        "examples": known,
    }


def _free_name(owner: AbstractUser, name: str) -> str:
    taken = set(Topic.objects.filter(owner=owner).values_list("name", flat=True))
    if name not in taken:
        return name
    number = next(n for n in range(2, len(taken) + 3) if f"{name[:190]} ({n})" not in taken)
    return f"{name[:190]} ({number})"


def _with_web(definition: Definition, name: str, web_id: int | None) -> Definition:
    return replace(definition, name=name, web_id=web_id)


def _add_gathered(topic: Topic, part: TopicPart) -> None:
    known = set(topic.examples.values_list("url", flat=True))
    Example.objects.bulk_create(
        Example(topic=topic, url=e.url, relevant=e.relevant, role=e.role, source=e.source,
                weight=e.weight)
        for e in {e.url: e for e in part.gathered}.values()
        if e.url not in known
    )
