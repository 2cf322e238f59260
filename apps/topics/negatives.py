"""Negative examples drawn from the positives of the analyst's other topics (LC §6)."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.networking.page_store import PageStore, Record
from apps.topics.loading import keep_page
from apps.topics.models import Example, Topic
from apps.topics.pages import ExampleWriter, page_store
from apps.topics.supplies.others import lot, other_positives

DRAWN = Example.Source.OTHER_TOPIC


def draw_negatives(topic: Topic) -> bool:
    """Brings the drawn negatives up to date; True where they changed.

    `negatives_per_positive` times the fetched positives of each role are drawn at random by the
    topic's stored seed from the fetched positives of the owner's other topics. The demo's are left
    out, and so are those of another web (**Choice**): they would teach one web against another,
    not the topic against the rest. A role for which negatives are named gets none. No
    page is in both roles.
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
    """Other topics' positives in the order the seed gives, each URL once."""
    own = set(topic.examples.exclude(source=DRAWN).values_list("url", flat=True))
    own |= set(topic.targets.values_list("url", flat=True))
    own |= set(topic.examples.exclude(source=DRAWN).values_list("final_url", flat=True))
    found = {
        example.url: example
        for example in other_positives(topic).order_by("url", "-topic_id")
        if example.url not in own and example.final_url not in own
    }
    return sorted(found.values(), key=lambda e: lot(topic.random_seed, e.url))


def _copy(topic: Topic, drawn: Sequence[tuple[str, Example]]) -> None:
    """Copies the pages, so that they outlive the topic they came from."""
    stores: dict[int, PageStore] = {}
    with ExampleWriter(topic.pk) as writer:
        for role, other in drawn:
            store = stores.setdefault(other.topic_id, page_store(other.topic_id))
            answer = store.read(Record(other.file, other.offset, other.length, other.digest))
            copy = Example.objects.create(
                topic=topic, url=other.url, relevant=False, role=role, source=DRAWN
            )
            keep_page(copy, answer, writer)
    for store in stores.values():
        store.close()
