"""Sampled negatives: texts of the background instead of negatives, for a topic that names none,
and its keywords as one more positive text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Any

from django.db.models import Count, Q, QuerySet

from apps.engine import topics
from apps.engine.intelligence.cold_start.subject import ALIKE
from apps.engine.parsing.document import document_of_words
from apps.engine.parsing.words import words
from apps.engine.representation.bags import Bags, read_bags
from apps.engine.representation.tokens import Vocabulary
from apps.figures.quantities import number_of
from apps.topics.examples.other_topics import HOPEFUL_TRAINING, own_training
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs import background
from apps.topics.inputs.crawl_input import CrawlInput, Frozen, Origin, topics_with
from apps.topics.inputs.likeness import likest_of
from apps.topics.models import Example, Topic
from apps.topics.sampling import sampling_key

MOST = 100
SHOWN = 3
LEAST_POSITIVES = 2
# Some texts may be on the topic (Elkan & Noto 2008 weight unlabelled examples).
WEIGHT = 0.5
ADDRESS = "background:{}"
KEYWORDS = "keywords:"


def are_wanted(topic: Topic) -> bool:
    """Whether crawls of the topic would be given sampled negatives."""
    return topic in wanted_by([topic])


def wanted_by(topics: Sequence[Topic]) -> Set[Topic]:
    """The topics whose crawls would be given sampled negatives: they have positives, name no
    negative and have drawn none, and there is a background to draw from."""
    hopeful = Example.objects.filter(HOPEFUL_TRAINING)
    return background.possible_for(topics_with(_needing(hopeful), topics))


def _needing(examples: QuerySet[Example]) -> QuerySet[Any]:
    """A row for each topic of the examples that needs some. Labels of crawled pages are no named
    negatives: they are few, and near the topic."""
    named = Q(relevant=False) & ~Q(source=Example.Source.LABEL)
    counted = (
        examples.order_by()
        .values("topic")
        .annotate(
            positives=Count("pk", filter=Q(relevant=True)), negatives=Count("pk", filter=named)
        )
    )
    return counted.filter(positives__gte=LEAST_POSITIVES, negatives=0)


def freeze(topic: Topic) -> Frozen:
    """Which texts of the topic's background are its negatives; empty if it has any of its own.

    They are drawn uniformly, by the digest of the background alone, and the 30 % most like the
    topic's words and examples left out, so that the same background gives the same topic the same
    negatives wherever the crawl is run again. `left_out_alike` counts these, `alike` has the
    addresses of the first. Raises BadWebFile, OSError.
    """
    if not _needing(own_training(topic)).exists():
        return {}
    given = background.freeze(topic)
    if not given.get("file"):
        return {}
    texts = read_bags(topic_file(topic.pk, given["file"]))
    drawn = draw_texts(texts, set(background.labelled_texts_of(topic, texts)))
    likest = [drawn[i] for i in likest_of(topic, texts.texts_at(drawn))]
    numbers = sorted(set(drawn) - set(likest))
    copied = ("of", "name", "version", "digest", "at", "file")
    return {
        **{key: given[key] for key in copied if key in given},
        "rows": len(numbers),
        "numbers": numbers,
        "are_unjudged": True,
        "left_out_alike": len(likest),
        "alike": [texts.urls[i][0] for i in likest[:SHOWN] if texts.urls[i]],
    }


def draw_texts(texts: Bags, left_out: set[int]) -> list[int]:
    """The numbers of as many texts as leave a hundred when the likest are left out, at most;
    uniform over all but those left out."""
    digest = texts.digest()
    free = [number for number in range(len(texts)) if number not in left_out]
    free.sort(key=lambda number: sampling_key(0, f"{digest} {number}"))
    return sorted(free[: round(MOST / (1 - ALIKE))])


def supply(topic: topics.Topic, topic_id: int, frozen: Frozen) -> dict[str, Any]:
    """The topic's training examples and what is added to them. Raises BadWebFile if the file is
    gone."""
    texts = read_bags(topic_file(topic_id, frozen["file"]))
    wanted = set(frozen["numbers"])
    drawn_texts = texts.texts(without=[n for n in range(len(texts)) if n not in wanted])
    added = added_examples(topic, zip(frozen["numbers"], drawn_texts, strict=True))
    # Crawls that were frozen earlier go on as they began: their negatives count as judged.
    unjudged = frozen.get("are_unjudged", False)
    return {"training": (*topic.training, *(replace(e, is_unjudged=unjudged) for e in added))}


def added_examples(
    topic: topics.Topic, texts: Iterable[tuple[int, Sequence[str]]]
) -> tuple[topics.Example, ...]:
    """The topic's keywords as a text on it, and texts of its background, each with its number, as
    negatives."""
    negatives = (
        topics.Example(
            url, document_of_words(url, text), relevant=False, weight=WEIGHT, is_unjudged=True
        )
        for number, text in texts
        for url in [ADDRESS.format(number)]
    )
    return (*keywords_text(topic), *negatives)


def keywords_text(topic: topics.Topic) -> tuple[topics.Example, ...]:
    """The keywords as a text on the topic, one more positive for a topic that has few; none
    without a word that counts."""
    terms = words(" ".join(topic.keywords))
    if (Vocabulary(topic.language).encode(terms) < 0).all():
        return ()
    text = document_of_words(KEYWORDS, terms)
    return (topics.Example(KEYWORDS, text, relevant=True, is_unjudged=True),)


def expected(topic: Topic) -> Frozen:
    """The origin if a crawl were started now, without the number of texts."""
    return {"of": "expected", "rows": MOST} if are_wanted(topic) else {}


_KINDS = {
    "topics": "your other topics’ examples",
    "web": "the recorded web",
    "both": "your other topics’ examples and the recorded web",
}


def _origin(origin: Origin) -> str:
    if origin["of"] == "expected":
        return f"negatives: up to {origin['rows']} texts, to be drawn at random from its background"
    of = origin["name"] if origin["of"] == "built" else _KINDS[origin["of"]]
    words = f"negatives: {number_of(origin['rows'], 'text')} drawn at random from {of}"
    if not (alike := origin.get("left_out_alike")):
        return words
    return f"{words}; left out as most like the topic: {alike:,}, as {', '.join(origin['alike'])}"


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
