"""Snapshots of a topic's versions, and the engine's topic made of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.engine import topics
from apps.engine.model import Document, PageSizes
from apps.engine.networking.page_store.store import PageStore, Record
from apps.engine.parsing.later import parsed_later
from apps.topics.examples.page_store import page_store, read_document
from apps.topics.models import Example, Topic, TopicSnapshot

FORMAT = 2
"""Format 1 has no description, and all its examples count as judged before any crawl."""
Outlines = Mapping[str, Sequence[Any]]
"""The address and the sizes of each example's document, by the example's address."""
UNLABELLED = frozenset({Example.Source.OTHER_TOPIC, Example.Source.BACKGROUND})


def snapshot(topic: Topic) -> TopicSnapshot:
    """The snapshot of the topic's present version; made on first use."""
    stored, _ = TopicSnapshot.objects.get_or_create(
        topic=topic,
        version=topic.version,
        defaults={"format": FORMAT, "data": snapshot_data(topic)},
    )
    return stored


def is_outdated(topic: Topic) -> bool:
    """Whether the present version was frozen with other examples or targets than there are: by a
    crawl that began while they were fetched, if the worker that would have raised the version after
    that was killed."""
    frozen = TopicSnapshot.objects.filter(topic=topic, version=topic.version).first()
    if frozen is None:
        return False
    present = {"examples": _examples(topic), "targets": _targets(topic)}
    return any(frozen.data[part] != rows for part, rows in present.items())


def snapshot_data(topic: Topic) -> dict[str, Any]:
    """Everything a crawl needs of a topic; unfetched examples and undecided suspects are left out.

    `{"name", "description", "keywords": [..], "language", "web_label", "seeds": [url],
    "targets": [url], "examples": [{"url", "role", "source", "relevant", "weight", "file", "offset",
    "length", "digest"}], "inlinks": {url: n}}`, each list in stored order.
    """
    return {
        "name": topic.name,
        "description": topic.description,
        "keywords": list(topic.keywords),
        "language": topic.language,
        "web_label": topic.web_label,
        "seeds": topic.written_seeds,
        "targets": _targets(topic),
        "examples": _examples(topic),
        "inlinks": dict(topic.inlink_counts.order_by("id").values_list("url", "count")),
    }


def _targets(topic: Topic) -> list[str]:
    return list(topic.targets.values_list("url", flat=True))


def _examples(topic: Topic) -> list[Any]:
    learned = topic.examples.filter(fetch=Example.Fetch.FETCHED, left_out=False)
    return list(
        learned.values(
            "url", "role", "source", "relevant", "weight", "file", "offset", "length", "digest"
        )
    )


def engine_topic(
    snapshot: TopicSnapshot, main_text: bool = False, stored: Outlines | None = None
) -> topics.Topic:
    """The topic in the engine's form, its example pages read from the page store and parsed, with
    their main text if pages are judged by that; each once something of it is asked for that is not
    `stored`.

    `background` are the unlabelled pages: examples drawn from other topics and gathered ones.
    Raises BadWebFile if a stored page is gone or damaged.
    """
    data = snapshot.data
    store = page_store(snapshot.topic_id)
    try:
        examples = [
            (row, _example(row, store, snapshot.format, main_text, stored))
            for row in data["examples"]
        ]
    finally:
        store.close()
    return topics.Topic(
        name=data["name"],
        version=f"{snapshot.topic_id}.{snapshot.version}",
        language=data["language"] or None,
        description=data["description"] if snapshot.format > 1 else "",
        keywords=tuple(data["keywords"]),
        seeds=tuple(data["seeds"]),
        training=_of_role(examples, Example.Role.TRAIN),
        evaluation=_of_role(examples, Example.Role.EVALUATE),
        targets=frozenset(data["targets"]),
        background=tuple(e.document for row, e in examples if row["source"] in UNLABELLED),
        inlinks=data["inlinks"],
        main_text=main_text,
    )


def _example(
    row: dict[str, Any],
    store: PageStore,
    format: int,
    main_text: bool,
    stored: Outlines | None,
) -> topics.Example:
    record = Record(row["file"], row["offset"], row["length"], row["digest"])

    def read() -> Document:
        return read_document(store, record, main_text)

    def read_later() -> Document:
        try:
            return read()
        finally:
            store.close()

    outline = stored and stored.get(row["url"])
    return topics.Example(
        row["url"],
        parsed_later(read_later, outline[0], PageSizes(*outline[1:])) if outline else read(),
        row["relevant"],
        row["weight"],
        from_crawl=format > 1 and row["source"] == Example.Source.LABEL,
        is_unjudged=format > 1 and row["source"] == Example.Source.BACKGROUND,
    )


def _of_role(
    examples: list[tuple[dict[str, Any], topics.Example]], role: str
) -> tuple[topics.Example, ...]:
    return tuple(example for row, example in examples if row["role"] == role)
