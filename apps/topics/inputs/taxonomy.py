"""The taxonomy: the topic as a class among others (AFC §2.1, §3.1)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from html import escape
from typing import Any

from apps.directories.models import DirectoryTopic
from apps.engine import topics
from apps.engine.codes import Need
from apps.engine.model import Document
from apps.engine.parsing.document import parse_html
from apps.figures.quantities import number_of
from apps.topics.examples.other_topics import (
    FETCHED_TRAINING,
    held_back,
    other_positives,
    own_training,
)
from apps.topics.inputs.crawl_input import CrawlInput, Frozen, Origin, StrategyNeed, topics_with
from apps.topics.inputs.directory_classes import classes_of, freeze_classes
from apps.topics.inputs.page_references import documents, references
from apps.topics.models import Example, Topic


def freeze(topic: Topic) -> dict[str, Any]:
    """All leaves of the directory the topic came from; else the owner's topics as classes.

    **Choice**: each of the owner's topics is a class with its positive examples; this topic's
    negatives that are in none of these classes are at the root, and so under `Other`. Judging
    examples are left out.
    """
    if topic.category is not None:
        return _of_directory(topic, topic.category)
    return _of_topics(topic)


def _of_topics(topic: Topic) -> dict[str, Any]:
    held, focus = held_back(topic), _class_of(topic)
    own = list(own_training(topic))
    positives = [row for row in own if row.relevant]
    taken = {row.url for row in positives} | held
    others = [
        row
        for row in other_positives(topic).select_related("topic").order_by("pk")
        if not taken & {row.url, row.final_url}
    ]
    elsewhere = {row.url for row in others}
    negatives = [row for row in own if not row.relevant and row.url not in elsewhere]
    pairs = [(focus, row) for row in positives]
    pairs += [(_class_of(row.topic), row) for row in others]
    pairs += [("/", row) for row in negatives]
    classes = {name for name, _ in pairs} | {focus}
    if not positives or len(classes) < 2:
        return {}
    pages = references(topic, [row for _, row in pairs])
    return _frozen(
        "topics",
        "",
        focus,
        [{"class": name, **page} for (name, _), page in zip(pairs, pages, strict=True)],
    )


def _class_of(topic: Topic) -> str:
    """A unique class name for every topic, whatever its name."""
    return f"/{topic.name.replace('/', ' ')} #{topic.pk}"


def _of_directory(topic: Topic, category: DirectoryTopic) -> dict[str, Any]:
    classes = classes_of(topic, category)
    pages, fetched = freeze_classes(topic, category, classes)
    if len({page["class"] for page in pages}) < 2:
        return {}
    frozen = _frozen("directory", category.directory.name, f"/{category.path}", pages)
    return frozen | {"examples": fetched, "sizes": classes.sizes, "drawn": classes.each}


def _frozen(of: str, name: str, focus: str, pages: list[dict[str, Any]]) -> dict[str, Any]:
    return {"of": of, "name": name, "rows": len(pages), "focus": focus, "pages": pages}


def supply(topic: topics.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic."""
    stored = documents(topic_id, (page for page in frozen["pages"] if "file" in page))
    pages = tuple(
        (page["class"], next(stored) if "file" in page else _described(page))
        for page in frozen["pages"]
    )
    sizes, drawn = frozen.get("sizes", {}), frozen.get("drawn")
    return {"taxonomy": topics.Taxonomy(pages, frozen["focus"], sizes, drawn)}


def _described(page: dict[str, Any]) -> Document:
    title, words = escape(page["title"]), escape(page["description"])
    return parse_html(f"<title>{title}</title><p>{words}</p>", page["url"])


def possible_for(topics: Sequence[Topic]) -> Set[Topic]:
    """The topics with two classes, one of them the topic's own; reads no pages."""
    own = Example.objects.filter(FETCHED_TRAINING)
    positives = topics_with(own.filter(relevant=True), topics)
    negatives = topics_with(own.filter(relevant=False), positives)
    return {topic for topic in positives if _has_another_class(topic, topic in negatives)}


def _has_another_class(topic: Topic, has_negatives: bool) -> bool:
    if topic.category is not None:
        return bool(topic.category.directory.topics.filter(own_pages__gt=0).count() > 1)
    return has_negatives or other_positives(topic).exists()


def _origin(origin: Origin) -> str:
    classes = f"directory {origin['name']}" if origin["of"] == "directory" else "your topics"
    pages = f", {number_of(origin['rows'], 'page')}" if "rows" in origin else ""
    return f"classes: {classes}{pages}{_as_pages(origin)}"


def _as_pages(origin: Origin) -> str:
    """How many of a directory's pages were read, and how many are an editor's words."""
    if "examples" not in origin:
        return ""
    if not origin["examples"]:
        return ", all by their titles and descriptions"
    described = origin["rows"] - origin["examples"]
    return f", {described:,} of them by their descriptions" if described else ""


def _expected(topic: Topic) -> Frozen:
    name = topic.category.directory.name if topic.category else ""
    return {"of": "directory" if name else "topics", "name": name}


TAXONOMY = CrawlInput(
    id="taxonomy",
    title="Taxonomy",
    sentence="The topic as a class among others, with pages of each class.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    expected=_expected,
    need=StrategyNeed(
        Need.TAXONOMY,
        "a taxonomy of topics",
        "taxonomy",
        "A directory of topics with pages under each.",
        met_by=possible_for,
        anchor=lambda topic: "id_negatives",
    ),
)
