"""Sampled negatives: texts of the background in place of negatives, for a topic that names none,
and its keywords as one more positive text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import QuerySet

from apps.engine import topics
from apps.engine.parsing.document import document_of_words
from apps.engine.parsing.words import words
from apps.engine.representation.bags import Bags, read_bags
from apps.engine.representation.tokens import Vocabulary
from apps.figures.quantities import number_of
from apps.topics.examples.other_topics import hopeful_training, own_training
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs import background
from apps.topics.inputs.crawl_input import CrawlInput, Frozen, Origin
from apps.topics.models import Example, Topic
from apps.topics.sampling import sampling_key

MOST = 100
LEAST_POSITIVES = 2
# Some texts may be on the topic (Elkan & Noto 2008 weight unlabelled examples).
WEIGHT = 0.5
ADDRESS = "background:{}"
KEYWORDS = "keywords:"


def are_wanted(topic: Topic) -> bool:
    """Whether crawls of the topic would be given sampled negatives: it has positives, names no
    negative and has drawn none, and there is a background to draw from."""
    return _are_needed(hopeful_training(topic)) and background.is_possible(topic)


def _are_needed(examples: QuerySet[Example]) -> bool:
    """Labels of crawled pages are no named negatives: they are few, and found near the topic."""
    named = examples.filter(relevant=False).exclude(source=Example.Source.LABEL)
    if named.exists():
        return False
    return examples.filter(relevant=True).count() >= LEAST_POSITIVES


def freeze(topic: Topic) -> Frozen:
    """Which texts of the topic's background are its negatives; empty if it has any of its own.

    They are drawn uniformly, by the digest of the background alone, so that the same background
    gives the same negatives wherever the crawl is run again. Raises BadWebFile, OSError.
    """
    if not _are_needed(own_training(topic)):
        return {}
    given = background.freeze(topic)
    if not given.get("file"):
        return {}
    texts = read_bags(topic_file(topic.pk, given["file"]))
    numbers = drawn(texts, set(given["left_out"]))
    kept = ("of", "name", "version", "digest", "at", "file")
    return {**{key: given[key] for key in kept if key in given},
            "rows": len(numbers), "numbers": numbers}


def drawn(texts: Bags, left_out: set[int]) -> list[int]:
    """The numbers of at most a hundred texts, uniform over all but those left out."""
    digest = texts.digest()
    free = [number for number in range(len(texts)) if number not in left_out]
    return sorted(sorted(free, key=lambda number: sampling_key(0, f"{digest} {number}"))[:MOST])


def supply(topic: topics.Topic, topic_id: int, frozen: Frozen) -> dict[str, Any]:
    """The topic's training examples and what is added to them. Raises BadWebFile if the file is
    gone."""
    texts = read_bags(topic_file(topic_id, frozen["file"]))
    wanted = set(frozen["numbers"])
    found = texts.texts(without=[n for n in range(len(texts)) if n not in wanted])
    added = added_examples(topic, zip(frozen["numbers"], found, strict=True))
    return {"training": (*topic.training, *added)}


def added_examples(
    topic: topics.Topic, texts: Iterable[tuple[int, Sequence[str]]]
) -> tuple[topics.Example, ...]:
    """The topic's keywords as a text on it, and texts of its background, each with its number, as
    negatives."""
    negatives = (
        topics.Example(url, document_of_words(url, text), relevant=False, weight=WEIGHT)
        for number, text in texts for url in [ADDRESS.format(number)]
    )
    return (*keywords_text(topic), *negatives)


def keywords_text(topic: topics.Topic) -> tuple[topics.Example, ...]:
    """The keywords as a text on the topic, one more positive for a topic that has few; none
    without a word that counts."""
    found = words(" ".join(topic.keywords))
    if (Vocabulary(topic.language).encode(found) < 0).all():
        return ()
    return (topics.Example(KEYWORDS, document_of_words(KEYWORDS, found), relevant=True),)


def expected(topic: Topic) -> Frozen:
    """The origin if a crawl were started now, without the number of texts."""
    return {"of": "expected", "rows": MOST} if are_wanted(topic) else {}


_KINDS = {"topics": "your other topics’ examples", "web": "the recorded web"}


def _origin(origin: Origin) -> str:
    if origin["of"] == "expected":
        return f"negatives: up to {origin['rows']} texts, to be drawn at random from its background"
    of = origin["name"] if origin["of"] == "built" else _KINDS[origin["of"]]
    return f"negatives: {number_of(origin['rows'], 'text')} drawn at random from {of}"


SAMPLED_NEGATIVES = CrawlInput(
    id="sampled_negatives",
    title="Sampled negatives",
    sentence="Texts drawn at random from the background, as negatives of half weight for a topic "
    "that names none; its keywords are one more positive text.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    expected=expected,
)
