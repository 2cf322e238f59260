"""A preview of the classifier's quality for lists that are not saved yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.engine import topics
from apps.engine.intelligence.quality import Quality, assess
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document
from apps.engine.networking.webs import virtual_web
from apps.engine.parsing.document import parse
from apps.topics.definition.reading import Lists
from apps.topics.examples.other_topics import other_positives
from apps.topics.examples.page_store import page_store
from apps.topics.models import Example, Topic
from apps.topics.sampling import sampling_key
from apps.webs.opening import open_web

LEAST = 5
MOST = 60

Pages = Mapping[str, Document]


@dataclass(frozen=True, slots=True)
class Preview:
    """The usable pages, and the quality of a classifier trained on them; None if they are too
    few."""

    positives: int
    negatives: int
    quality: Quality | None = None

    @property
    def lacking(self) -> tuple[int, int]:
        """How many more positive and negative pages are needed."""
        return max(0, LEAST - self.positives), max(0, LEAST - self.negatives)


def preview(topic: Topic, lists: Lists, sample: bool) -> Preview:
    """Trains on the lists' pages that are available: those of a recorded web, and on the live Web
    those that another of the owner's topics has fetched.

    At most 60 of either class. Without named negatives these are the other topics' positives, or,
    with `sample`, pages of the recorded web. `topic` is not saved. Raises BadWebFile.
    """
    positives = _pages(topic, lists.positives.urls)
    is_unjudged = sample and not lists.negatives.urls
    named = lists.negatives.urls or _unnamed(topic, sample, {*positives, *lists.targets.urls})
    negatives = _pages(topic, named[: max(LEAST, 2 * len(positives))])
    counts = len(positives), len(negatives)
    if min(counts) < LEAST:
        return Preview(*counts)
    training = tuple(
        topics.Example(url, page, relevant, is_unjudged=is_unjudged and not relevant)
        for relevant, pages in ((True, positives), (False, negatives))
        for url, page in pages.items()
    )
    engine = topics.Topic(name=topic.name, language=topic.language or None, training=training)
    return Preview(*counts, assess(TopicModel(engine)))


def _unnamed(topic: Topic, sample: bool, named: set[str]) -> tuple[str, ...]:
    if sample:
        urls = open_web(topic.recorded_web).urls() if topic.recorded_web else iter(())
    else:
        urls = iter(set(other_positives(topic).values_list("url", flat=True)))
    drawn = sorted(set(urls) - named, key=lambda url: sampling_key(topic.random_seed, url))
    return tuple(drawn[:MOST])


def _pages(topic: Topic, urls: Sequence[str]) -> Pages:
    wanted = urls[:MOST]
    if topic.recorded_web is not None:
        web = open_web(topic.recorded_web)
        answers = ((url, virtual_web.read(web, url)) for url in wanted)
        parsed: Iterable[tuple[str, Document]] = (
            (url, parse(answer)) for url, answer in answers if not answer.failure
        )
    else:
        parsed = _stored(topic, wanted)
    return {url: page for url, page in parsed if page.visible}


def _stored(topic: Topic, urls: Sequence[str]) -> Iterable[tuple[str, Document]]:
    rows = Example.objects.filter(
        topic__owner_id=topic.owner_id, fetch=Example.Fetch.FETCHED, url__in=urls
    )
    for row in {row.url: row for row in rows}.values():
        store = page_store(row.topic_id)
        yield row.url, parse(store.read(row.record))
        store.close()
