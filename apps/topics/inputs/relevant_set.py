"""The entire relevant set, which LC's judges learn from (LC §6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from apps.engine import topics
from apps.figures.quantities import number_of
from apps.topics.examples.fetching import fetch_all
from apps.topics.examples.loading import load_target_pages
from apps.topics.examples.other_topics import other_positives, other_topics
from apps.topics.inputs.crawl_input import CrawlInput, Origin
from apps.topics.inputs.page_references import FETCHED, documents, references
from apps.topics.models import StoredPage, TargetPage, Topic
from apps.topics.sampling import sampling_key


def want_target_pages(topic: Topic) -> None:
    """Queues the pages of the topic's targets for fetching; drops those of former targets."""
    topic.target_pages.exclude(url__in=topic.targets.values("url")).delete()
    here = set(topic.target_pages.values_list("url", flat=True))
    wanted = topic.targets.values_list("url", flat=True)
    TargetPage.objects.bulk_create(
        (TargetPage(topic=topic, url=url) for url in wanted if url not in here),
        batch_size=500,
        ignore_conflicts=True,  # another crawl of the topic may be prepared at the same time
    )


def pages_at_hand(topic: Topic) -> tuple[int, int]:
    """The number of targets with a stored page, and of all targets. A recorded web has every
    page."""
    targets = topic.targets.count()
    return (targets if topic.recorded_web else len(_target_pages(topic))), targets


def freeze(topic: Topic) -> dict[str, Any]:
    """The fetched pages of the targets, and as many negatives more as they call for.

    A recorded web is read for them here. Negatives are drawn by the topic's seed from the other
    topics' relevant sets, until there are `negatives_per_positive` for every positive of the topic,
    targets included (LC §6: twice as many); there may be fewer. `positives` is the number of
    targets, `examples` how many of them the judges learn from. Raises BadWebFile, OSError.
    """
    if topic.recorded_web:
        want_target_pages(topic)
        load_target_pages(topic, fetch_all(topic.web), lambda: True)
    targets = _target_pages(topic)
    negatives = _negatives(topic, targets)
    pages = [
        {"relevant": relevant, **page}
        for relevant, rows in ((True, targets), (False, negatives))
        for page in references(topic, rows)
    ]
    if not pages:
        return {}
    return {
        "of": "targets",
        "rows": len(pages),
        "examples": len(targets),
        "positives": topic.targets.count(),
        "pages": pages,
    }


def _target_pages(topic: Topic) -> list[TargetPage]:
    """The fetched pages of present targets that are not examples."""
    in_use = _examples(topic)
    mine = topic.target_pages.filter(fetch=FETCHED, url__in=topic.targets.values("url"))
    return [row for row in mine if not in_use & {row.url, row.final_url}]


def _negatives(topic: Topic, targets: list[TargetPage]) -> list[StoredPage]:
    """Pages drawn from other topics, as many as are needed besides the negative examples."""
    mine = topic.examples.filter(fetch=FETCHED)
    positives = len(targets) + mine.filter(relevant=True).count()
    wanted = topic.negatives_per_positive * positives - mine.filter(relevant=False).count()
    in_use = _examples(topic) | {url for row in targets for url in (row.url, row.final_url)}
    in_use |= set(topic.targets.values_list("url", flat=True))
    eligible = {row.url: row for row in _others(topic) if not in_use & {row.url, row.final_url}}
    order = sorted(eligible.values(), key=lambda row: sampling_key(topic.random_seed, row.url))
    return order[: max(0, wanted)]


def _others(topic: Topic) -> Iterator[StoredPage]:
    targets = TargetPage.objects.filter(topic__in=other_topics(topic), fetch=FETCHED)
    return chain(targets.order_by("pk"), other_positives(topic).order_by("pk"))


def _examples(topic: Topic) -> set[str]:
    pairs = topic.examples.values_list("url", "final_url")
    return {url for pair in pairs for url in pair} - {""}


def supply(topic: topics.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic. Raises BadWebFile if a page is gone."""
    pages = documents(topic_id, frozen["pages"])
    return {
        "relevant_set": tuple(
            topics.Example(page["url"], document, page["relevant"])
            for page, document in zip(frozen["pages"], pages, strict=True)
        )
    }


def _origin(origin: Origin) -> str:
    targets = number_of(origin["positives"], "target")
    return f"judges: {origin['examples']:,} of {targets} learned from, besides the examples"


RELEVANT_SET = CrawlInput(
    id="relevant_set",
    title="Entire relevant set",
    sentence="The pages of the targets, and negatives drawn for them, which LC's judges learn from "
    "besides the examples.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    judge="lc",
)
