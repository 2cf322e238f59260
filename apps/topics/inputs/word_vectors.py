"""Word vectors for crawls that begin with words: texts without any of a topic's words are still
near it if theirs are used alike."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from apps.engine import topics
from apps.engine.errors import BadWebFile
from apps.engine.intelligence.classifying.classifiers import LEAST_EXAMPLES
from apps.engine.representation.vectors.reading import BadVectors
from apps.engine.representation.vectors.stored import digest_of, read_vectors_of, write_vectors
from apps.engine.topics import VectorTable
from apps.figures.quantities import number_of
from apps.topics.examples.other_topics import hopeful_training, own_training
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs.crawl_input import CrawlInput, Frozen, Origin
from apps.topics.inputs.page_references import link_file
from apps.topics.models import Example, Topic
from apps.topics.named_vectors import are_named, named_vectors, vectors_label
from apps.topics.snapshots import UNLABELLED


def freeze(topic: Topic) -> Frozen:
    """The vectors that an administrator has named or installed; empty without any, or if the
    topic's named examples suffice for a classifier. Raises BadWebFile, OSError, StoreDown."""
    if not are_named() or has_enough(own_training(topic)):
        return {}
    try:
        vectors = named_vectors()
    except BadVectors as problem:
        raise BadWebFile(str(problem)) from None
    if vectors is None:
        return {}
    path = _stored(vectors.table)
    return {
        "of": "named",
        "name": vectors_label(),
        "rows": len(vectors.listed),
        "digest": path.stem,
        "file": link_file(topic.pk, path),
    }


def has_enough(training: QuerySet[Example]) -> bool:
    """Whether there are two named pages on the topic and two off it."""
    named = training.exclude(source__in=[Example.Source.LABEL, *UNLABELLED])
    return all(
        named.filter(relevant=relevant).count() >= LEAST_EXAMPLES for relevant in (True, False)
    )


def expected(topic: Topic) -> Frozen:
    """The origin if a crawl were started now, without the number of words."""
    if not are_named() or has_enough(hopeful_training(topic)):
        return {}
    return {"of": "named", "name": vectors_label()}


def supply(topic: topics.Topic, topic_id: int, frozen: Frozen) -> dict[str, Any]:
    """The vectors. Raises BadWebFile if the file is gone."""
    return {"vectors": _read(topic_file(topic_id, frozen["file"]))}


def _stored(table: VectorTable) -> Path:
    """The file of these vectors, written once for all topics, which link to it."""
    path = Path(settings.DATA_DIR) / "vectors" / f"{digest_of(table)}.vectors"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_vectors(table, path)
    return path


@lru_cache(maxsize=1)
def _read(path: Path) -> VectorTable:
    """Read once by each worker: the file's name is its digest."""
    return read_vectors_of(path)


def _origin(origin: Origin) -> str:
    size = f", {number_of(origin['rows'], 'word')}" if "rows" in origin else ""
    return f"word vectors: {origin['name']}{size}"


WORD_VECTORS = CrawlInput(
    id="word_vectors",
    title="Word vectors",
    sentence="Vectors of words that an administrator has named, for a topic without examples: "
    "pages whose words are used like the topic’s look relevant, too. Ten labels of a crawl, "
    "two of them yes and two no, choose how much they count: 1, ½ or 0.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    expected=expected,
)
