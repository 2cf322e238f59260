"""Negative examples drawn from the positives of the analyst's other topics (LC §6)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from django.db.models import QuerySet

from apps.engine.networking.page_store.store import PageStore
from apps.jobs import queue
from apps.topics.examples.loading import keep_page
from apps.topics.examples.other_topics import other_positives
from apps.topics.examples.page_store import ExampleWriter, page_store
from apps.topics.models import Example, Topic
from apps.topics.sampling import sampling_key

DRAWN = Example.Source.OTHER_TOPIC


def draw_negatives(topic: Topic) -> bool:
    """Updates the drawn negatives; True if they changed.

    `negatives_per_positive` times the fetched positives of each role are drawn at random by the
    topic's stored seed from the fetched positives of the owner's other topics; for topics that were
    made together, from these only (LC §5). Those of the demo and of other webs are left out
    (**Choice**): the classifier would learn to separate the webs, not the topic from the rest. A
    role with named negatives gets none. No page is in both roles.
    """
    order = _candidates(topic)
    wanted: dict[str, tuple[str, Example]] = {}
    for role in (Example.Role.TRAIN, Example.Role.EVALUATE):
        free = [c for c in order if c.url not in wanted]
        for candidate in free[: _number(topic, role)]:
            wanted[candidate.url] = (role, candidate)
    here = dict(topic.examples.filter(source=DRAWN).values_list("url", "role"))
    roles = {url: role for url, (role, _) in wanted.items()}
    if here == roles:
        return False
    stale = [url for url, role in here.items() if roles.get(url) != role]
    topic.examples.filter(source=DRAWN, url__in=stale).delete()
    _copy(topic, [pair for url, pair in wanted.items() if here.get(url) != pair[0]])
    return True


def _number(topic: Topic, role: str) -> int:
    mine = topic.examples.filter(role=role)
    others = (DRAWN, Example.Source.BACKGROUND, Example.Source.LABEL)
    named = mine.filter(relevant=False).exclude(source__in=others)
    if named.exists():
        return 0
    positives = mine.filter(relevant=True, fetch=Example.Fetch.FETCHED).count()
    return positives * topic.negatives_per_positive


def _candidates(topic: Topic) -> list[Example]:
    """The distinct positives of other topics, in the order drawn by the seed."""
    own = set(topic.examples.exclude(source=DRAWN).values_list("url", flat=True))
    own |= set(topic.targets.values_list("url", flat=True))
    own |= set(topic.examples.exclude(source=DRAWN).values_list("final_url", flat=True))
    candidates = {
        example.url: example
        for example in _lenders(topic).order_by("url", "-topic_id")
        if example.url not in own and example.final_url not in own
    }
    return sorted(candidates.values(), key=lambda e: sampling_key(topic.random_seed, e.url))


def _lenders(topic: Topic) -> QuerySet[Example]:
    others = other_positives(topic)
    together = others.filter(topic__batch=topic.batch)
    return together if topic.batch and together.exists() else others


def draw_again(topic: Topic) -> None:
    """Draws other negatives, with a new seed, and has the classifier trained on them."""
    topic.random_seed = random.SystemRandom().randrange(1, 2**31)
    topic.save(update_fields=["random_seed"])
    queue.enqueue(topic, work_wanted=Topic.Work.TRAINING)


def waits_for_others(topic: Topic) -> bool:
    """Whether topics made together with this one are still fetching their examples: negatives are
    drawn when all are done."""
    waiting = _made_together(topic).filter(
        job_state__in=queue.UNFINISHED, examples__fetch=Example.Fetch.WAITING
    )
    return bool(topic.batch) and waiting.exists()


def ask_the_others(topic: Topic, fetched: bool) -> None:
    """Queues the training of the topics made together with this one, once the last one is fetched:
    of all if pages of this one were `fetched` now; else of those that were never trained, since a
    worker may have been killed after the fetch."""
    if not topic.batch or waits_for_others(topic):
        return
    others = _made_together(topic)
    if not fetched:
        others = others.filter(quality_version=None).exclude(job_state__in=queue.UNFINISHED)
    queue.enqueue_all(list(others), work_wanted=Topic.Work.TRAINING)


def _made_together(topic: Topic) -> QuerySet[Topic]:
    return Topic.objects.filter(owner_id=topic.owner_id, batch=topic.batch).exclude(pk=topic.pk)


def _copy(topic: Topic, drawn: Sequence[tuple[str, Example]]) -> None:
    """Copies the pages, so that they outlive the topic they came from."""
    stores: dict[int, PageStore] = {}
    with ExampleWriter(topic.pk) as writer:
        for role, other in drawn:
            store = stores.setdefault(other.topic_id, page_store(other.topic_id))
            answer = store.read(other.record)
            copy = Example.objects.create(
                topic=topic, url=other.url, relevant=False, role=role, source=DRAWN
            )
            keep_page(copy, answer, writer)
    for store in stores.values():
        store.close()
