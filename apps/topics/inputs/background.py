"""The background: unlabelled pages over which the rarity of terms is counted."""

from __future__ import annotations

from typing import Any

from apps.engine import model
from apps.engine.codes import Need
from apps.figures.quantities import number_of
from apps.topics.examples.fetching import fetch_all
from apps.topics.examples.loading import load_background_pages
from apps.topics.examples.other_topics import held_back, other_positives, own_training
from apps.topics.inputs.crawl_input import CrawlInput, Origin, StrategyNeed
from apps.topics.inputs.page_references import FETCHED, documents, references
from apps.topics.models import BackgroundPage, Example, StoredPage, Topic
from apps.topics.sampling import sampling_key
from apps.webs.opening import open_web

SAMPLE = 300
UNLABELLED = (Example.Source.OTHER_TOPIC, Example.Source.BACKGROUND)


def freeze(topic: Topic) -> dict[str, Any]:
    """All the other topics' examples; if there are none, a uniform sample of the recorded web.

    Drawn and gathered examples of the topic are part of the background anyway. Judging examples are
    left out. Empty if there is neither. Raises BadWebFile, OSError.
    """
    known = {url for pair in own_training(topic).values_list("url", "final_url") for url in pair}
    known |= held_back(topic)
    others: list[StoredPage] = list({
        row.url: row for row in other_positives(topic).order_by("url", "-topic_id")
        if not known & {row.url, row.final_url}
    }.values())
    rows = others or _sample(topic, known)
    pages = references(topic, rows)
    of = "topics" if others else "web"
    return {"of": of, "rows": len(pages), "pages": pages} if pages else {}


def is_possible(topic: Topic) -> bool:
    """Whether a crawl would have any background."""
    own = own_training(topic).filter(source__in=UNLABELLED)
    return bool(topic.recorded_web) or own.exists() or other_positives(topic).exists()


def supply(topic: model.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic, with the topic's own unlabelled examples first."""
    return {"background": (*topic.background, *documents(topic_id, frozen["pages"]))}


def _sample(topic: Topic, known: set[str]) -> list[StoredPage]:
    """The same pages at every start, read once."""
    if topic.recorded_web is None:
        return []
    drawn = sorted(
        (url for url in open_web(topic.recorded_web).urls() if url not in known),
        key=lambda url: sampling_key(topic.random_seed, url),
    )[:SAMPLE]
    here = set(topic.background_pages.values_list("url", flat=True))
    BackgroundPage.objects.bulk_create(
        BackgroundPage(topic=topic, url=url) for url in drawn if url not in here
    )
    load_background_pages(topic, fetch_all(topic.web), lambda: True)
    wanted = set(drawn)
    return [row for row in topic.background_pages.filter(fetch=FETCHED) if row.url in wanted]


_KINDS = {"topics": "your other topics’ examples", "web": "a sample of the recorded web"}


def _origin(origin: Origin) -> str:
    return f"background: {_KINDS[origin['of']]}, {number_of(origin['rows'], 'page')}"


BACKGROUND = CrawlInput(
    id="background",
    title="Background",
    sentence="Unlabelled pages over which the rarity of terms is counted.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    need=StrategyNeed(
        Need.BACKGROUND, "background pages", "background pages",
        "Unlabelled pages over which the rarity of terms is counted: the examples of another topic "
        "of the same web, a recorded web, or gathered pages.",
        is_met=is_possible, place=lambda topic: "topic-classifier",
    ),
)
