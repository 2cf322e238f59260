"""The rows of a topic's definition: comparing and updating them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from apps.topics.definition.reading import Lists
from apps.topics.models import Example, InputPage, Seed, StoredPage, Target, Topic

# Back to waiting, as if never fetched.
UNFETCHED: dict[str, Any] = {
    "fetch": Example.Fetch.WAITING,
    "failure": "",
    "final_url": "",
    "title": "",
    "words": None,
    "file": "",
    "offset": None,
    "length": None,
    "digest": "",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """Everything in a topic that affects a crawl; `classifier` is the part that models are trained
    on."""

    classifier: tuple[Any, ...]
    web_id: int | None
    web_label: str
    description: str
    keywords: tuple[str, ...]
    seeds: tuple[str, ...]
    targets: frozenset[str]
    inlinks: frozenset[tuple[str, int]]


def shape_of(topic: Topic) -> Shape:
    """The shape of the topic's present rows."""
    examples = topic.examples.values_list("url", "relevant", "role", "source")
    return Shape(
        (topic.language, topic.negatives_per_positive, topic.web_id, frozenset(examples)),
        topic.web_id,
        topic.web_label,
        topic.description,
        tuple(topic.keywords),
        tuple(topic.written_seeds),
        frozenset(topic.targets.values_list("url", flat=True)),
        frozenset(topic.inlink_counts.values_list("url", "count")),
    )


def keep_lists(topic: Topic, lists: Lists, refetch: bool = False) -> None:
    """Makes the rows those of the lists. Examples that stay keep their pages, and targets their
    answers, unless `refetch`; what was taken down with its host stays so.

    Drawn and gathered examples are replaced if the analyst names the same page. Only what changed
    is written, since nobody else can write meanwhile.
    """
    _keep_seeds(topic, lists)
    _keep_targets(topic, [] if refetch else lists.targets.urls, lists.targets.urls)
    _keep_inlinks(topic, lists.inlinks.counts)
    _keep_examples(topic, lists)
    keep_input_pages(topic, InputPage.Kind.BACKLINK, lists.backlinks.urls)
    keep_input_pages(topic, InputPage.Kind.CORPUS, lists.corpus.urls)
    if refetch:
        topic.input_pages.filter(origin=InputPage.Origin.FOUND).delete()
        unfetch(topic)


def unfetch(topic: Topic) -> None:
    """Has the named examples and the input pages fetched again, but for those taken down."""
    for rows in (topic.examples.filter(source=Example.Source.NAMED), topic.input_pages.all()):
        rows.exclude(failure=StoredPage.Unusable.TAKEN_DOWN).update(**UNFETCHED)


def _keep_seeds(topic: Topic, lists: Lists) -> None:
    pairs = zip(lists.seeds.urls, lists.seeds.written, strict=True)
    wanted = [(url, "" if written == url else written) for url, written in pairs]
    if wanted == list(topic.seeds.order_by("position").values_list("url", "spelling")):
        return
    topic.seeds.all().delete()
    Seed.objects.bulk_create(
        Seed(topic=topic, url=url, spelling=spelling, position=i)
        for i, (url, spelling) in enumerate(wanted)
    )


def _keep_inlinks(topic: Topic, counts: Mapping[str, int]) -> None:
    """Replaces the counts; a list may name every page of a web."""
    if counts == dict(topic.inlink_counts.values_list("url", "count")):
        return
    topic.inlink_counts.all().delete()
    if not counts:
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO topics_inlinkcount (topic_id, url, count) VALUES (%s, %s, %s)",
            [(topic.pk, url, count) for url, count in counts.items()],
        )


def _keep_targets(topic: Topic, keep: Sequence[str], wanted: Sequence[str]) -> None:
    """Replaces the targets, in their order; those to `keep` keep their answers."""
    present = list(topic.targets.order_by("pk").values_list("url", flat=True))
    if present == list(wanted) == list(keep):
        return
    existing = {target.url: target for target in topic.targets.filter(url__in=keep)}
    topic.targets.all().delete()
    rows = [existing.get(url) or Target(topic=topic, url=url) for url in wanted]
    for row in rows:
        row.pk = None
    Target.objects.bulk_create(rows, batch_size=5_000)


def keep_input_pages(topic: Topic, kind: str, wanted: Sequence[str]) -> None:
    """Replaces the named pages of a kind; pages that stay keep what was fetched."""
    mine = topic.input_pages.filter(kind=kind)
    mine.filter(origin=InputPage.Origin.NAMED).exclude(url__in=wanted).delete()
    mine.filter(url__in=wanted).update(origin=InputPage.Origin.NAMED)
    here = set(mine.values_list("url", flat=True))
    InputPage.objects.bulk_create(
        (InputPage(topic=topic, kind=kind, url=url) for url in wanted if url not in here),
        batch_size=500,
    )


def settle_targets(topic: Topic) -> bool:
    """Removes the targets that named training examples redirect to; True if there were any.

    They stay in `Topic.typed`, so that the form shows their lines with the reason.
    """
    reached = topic.examples.filter(
        role=Example.Role.TRAIN, source=Example.Source.NAMED, fetch=Example.Fetch.FETCHED
    )
    lost = topic.targets.filter(url__in=reached.values("final_url"))
    if not lost.exists():
        return False
    urls = topic.targets.values_list("url", flat=True)
    typed = topic.typed.get("targets") or "\n".join(urls)
    topic.typed = {**topic.typed, "targets": typed}
    topic.save(update_fields=["typed"])
    lost.delete()
    return True


def _keep_examples(topic: Topic, lists: Lists) -> None:
    wanted = {url: (relevant, role) for url, relevant, role in _examples_of(lists)}
    here = {example.url: example for example in topic.examples.all()}
    named = [
        e.pk for e in here.values() if e.source == Example.Source.NAMED and e.url not in wanted
    ]
    others = [here[url].pk for url in lists.targets.urls if url in here and url not in wanted]
    topic.examples.filter(pk__in=named + others).delete()
    changed = [
        _as_named(here[url], *values)
        for url, values in wanted.items()
        if url in here and not _is_named(here[url], *values)
    ]
    fields = ["relevant", "role", "source", "weight", "left_out"]
    Example.objects.bulk_update(changed, fields, batch_size=500)
    Example.objects.bulk_create(
        Example(topic=topic, url=url, relevant=relevant, role=role)
        for url, (relevant, role) in wanted.items()
        if url not in here
    )


def _is_named(example: Example, relevant: bool, role: str) -> bool:
    present = (example.relevant, example.role, example.source, example.weight, example.left_out)
    return present == (relevant, role, Example.Source.NAMED, 1.0, False)


def _as_named(example: Example, relevant: bool, role: str) -> Example:
    example.relevant, example.role = relevant, role
    example.source, example.weight = Example.Source.NAMED, 1.0
    example.left_out = False
    return example


def _examples_of(lists: Lists) -> Iterable[tuple[str, bool, str]]:
    for lines, relevant, role in (
        (lists.positives, True, Example.Role.TRAIN),
        (lists.negatives, False, Example.Role.TRAIN),
        (lists.evaluation_positives, True, Example.Role.EVALUATE),
        (lists.evaluation_negatives, False, Example.Role.EVALUATE),
    ):
        for url in lines.urls:
            yield url, relevant, role
