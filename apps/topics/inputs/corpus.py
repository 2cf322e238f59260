"""The corpus: unlabelled documents of the topic's field (HCLA §4)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from apps.engine import topics
from apps.engine.codes import Need
from apps.figures.quantities import number_of
from apps.topics.examples.other_topics import (
    HOPEFUL_TRAINING,
    held_back,
    other_positives,
    own_training,
)
from apps.topics.inputs.crawl_input import CrawlInput, Frozen, Origin, StrategyNeed, topics_with
from apps.topics.inputs.page_list import PageListInput
from apps.topics.inputs.page_references import FETCHED, documents, references
from apps.topics.models import Example, InputPage, Topic
from apps.topics.sampling import sample

MOST = 7_000


def freeze(topic: Topic) -> dict[str, Any]:
    """The pages named as the topic's corpus; else background pages and its own examples.

    **Choice** (HCLA has a corpus of the field; a topic may have none): without one, the background
    (other topics' examples, gathered pages) together with the topic's training examples without
    their labels, since the keywords may not occur in the background alone; without a background,
    the examples alone. `of` is the one that was used. At most 7,000 pages, as many as HCLA's.
    """
    of, rows = choose_pages(topic)
    pages = references(topic, sample(rows, MOST, topic.random_seed))
    return {"of": of, "rows": len(pages), "pages": pages} if pages else {}


def choose_pages(topic: Topic) -> tuple[str, list[Any]]:
    """The kind of pages `freeze` would sample from (`named`, `background` or `examples`), and the
    pages."""
    named = list(topic.input_pages.filter(kind=InputPage.Kind.CORPUS, fetch=FETCHED))
    if named:
        return "named", named
    own, held = list(own_training(topic)), held_back(topic)
    in_use = {row.url for row in own} | held
    others = [
        row
        for row in other_positives(topic).order_by("url", "-topic_id")
        if row.url not in in_use and row.final_url not in held
    ]
    others = list({row.url: row for row in others}.values())
    background = bool(others) or any(row.source in ("other_topic", "background") for row in own)
    return "background" if background else "examples", [*own, *others]


def supply(topic: topics.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic."""
    return {"corpus": tuple(documents(topic_id, frozen["pages"]))}


_KINDS = {
    "named": "the topic’s own corpus",
    "background": "background pages and the topic’s examples, without their labels",
    "examples": "the topic’s examples, without their labels",
}


def _origin(origin: Origin) -> str:
    return f"corpus: {_KINDS[origin['of']]}, {number_of(origin['rows'], 'page')}"


def _expected(topic: Topic) -> Frozen:
    of, rows = choose_pages(topic)
    return {"of": of, "rows": min(len(rows), MOST)}


def _possible_for(topics: Sequence[Topic]) -> Set[Topic]:
    usable = InputPage.objects.exclude(fetch=InputPage.Fetch.FAILED)
    named = topics_with(usable.filter(kind=InputPage.Kind.CORPUS), topics)
    positives = Example.objects.filter(HOPEFUL_TRAINING, relevant=True)
    return named | topics_with(positives, [topic for topic in topics if topic not in named])


CORPUS = CrawlInput(
    id="corpus",
    title="Corpus",
    sentence="Unlabelled pages of the topic's field.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    expected=_expected,
    need=StrategyNeed(
        Need.CORPUS,
        "a corpus of unlabelled pages",
        "corpus",
        "Texts of the field without labels.",
        met_by=_possible_for,
        anchor=lambda topic: "inputs-corpus",
    ),
    lists=(
        PageListInput(
            id="corpus",
            title="Corpus",
            purpose="Unlabelled pages of the field: HCLA, PLSI + PHITS, ss2.",
            accepts="an address a line",
            in_form=True,
            nothing="None: background pages and the examples serve, without their labels.",
        ),
    ),
)
