"""How many pages are near to each example that people named as relevant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from apps.collection.blocks import in_blocks
from apps.collection.models import Entry, TopicVectors
from apps.collection.vectors.page_vectors import space_of, vector_blocks, vectors_of_topic
from apps.collection.vectors.terms import terms_of
from apps.collection.vectors.text_space import Rows
from apps.engine.errors import EngineError
from apps.engine.parsing.words import words
from apps.engine.representation.language_detection import detect_languages
from apps.stored_pages.page_text import page_text
from apps.topics.examples.page_store import page_store
from apps.topics.models import Example, Topic

MOST_EXAMPLES = 20
AT_ONCE = 500


def named_examples(topic: Topic) -> list[Example]:
    """The first of the examples that people named as relevant and that have a stored page."""
    named = topic.examples.filter(
        relevant=True, source=Example.Source.NAMED, offset__isnull=False, length__isnull=False
    )
    return list(named.order_by("pk")[:MOST_EXAMPLES])


def pages_near_examples(
    topic: Topic, crawls: Sequence[int], typical: float | None
) -> dict[str, int | None]:
    """The number of pages of the crawls, by address, that are at least as near to each example as
    `typical`, by the example's key; None if the example has no text to compare, or without
    `typical`."""
    examples, row = named_examples(topic), vectors_of_topic(topic.pk)
    counts: dict[str, int | None] = {str(example.pk): None for example in examples}
    if row is None or typical is None:
        return counts
    placed = list(_example_rows(topic, examples, row))
    if not placed:
        return counts
    near = [set[int]() for _ in placed]
    queries = np.stack([vector for _, vector in placed])
    for keys, rows in vector_blocks(crawls, row.version):
        passes = rows @ queries.T >= typical
        for number in range(len(placed)):
            near[number] |= _addresses(keys[passes[:, number]].tolist())
    return counts | {
        str(example.pk): len(pages) for (example, _), pages in zip(placed, near, strict=True)
    }


def _addresses(keys: Sequence[int]) -> set[int]:
    addresses = set[int]()
    for some in in_blocks(keys, AT_ONCE):
        rows = Entry.objects.filter(page_id__in=some)
        addresses |= {*rows.values_list("address", flat=True)}
    return addresses


def _example_rows(
    topic: Topic, examples: Sequence[Example], row: TopicVectors
) -> Iterator[tuple[Example, Rows]]:
    """The examples that can be read and have words of the space, with their vectors."""
    store = page_store(topic.pk)
    for example in examples:
        try:
            text = page_text(store.read(example.record))
        except (EngineError, OSError):
            continue
        whole = f"{text.title}\n{text.text}"
        language = (detect_languages([words(whole)]) or "").split(" ")[0]
        terms = terms_of(whole, language, [language] if row.by_words else [])
        vector = space_of(row).place([terms])[0]
        if vector.any():
            yield example, vector
