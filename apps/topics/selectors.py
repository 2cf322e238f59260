"""Reads of topics: which ones a person may see, and their stored parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from apps.accounts.sharing import shared_with
from apps.topics.definition.lines import LineError
from apps.topics.definition.reading import LISTS, read_lists
from apps.topics.models import Example, InputPage, Seed, Target, Topic, TopicSnapshot
from apps.webs.models import Web


def visible_topics(user: User) -> QuerySet[Topic]:
    """The topics a person may see: their own and those shared with them."""
    return _topics(Q(owner=user) | Q(pk__in=shared_with(Topic, user)))


def editable_topics(user: User) -> QuerySet[Topic]:
    """The topics a person may change: their own and those shared with them for editing."""
    return _topics(Q(owner=user) | Q(pk__in=shared_with(Topic, user, to_edit=True)))


def named_pages(user: User, web: Web) -> dict[Topic, set[str]]:
    """The addresses that each visible topic of a web names: seeds, examples and targets."""
    topics = list(visible_topics(user).filter(web=web).order_by("name", "pk"))
    named: dict[int, set[str]] = {topic.pk: set() for topic in topics}
    for model in (Seed, Example, Target):
        for topic, url in model.objects.filter(topic__in=topics).values_list("topic", "url"):
            named[topic].add(url)
    return {topic: named[topic.pk] for topic in topics}


def true_labels(web: Web) -> set[str]:
    """The labels by which crawls on a web are measured, or will be: those of all topics on it, now
    and when they were crawled."""
    topics = Topic.objects.filter(Q(web=web) | Q(crawls__web=web))
    snapshots = TopicSnapshot.objects.filter(Q(topic__web=web) | Q(crawl__web=web))
    labels = {
        *topics.values_list("web_label", flat=True).distinct(),
        *snapshots.values_list("data__web_label", flat=True).distinct(),
    }
    return labels - {"", None}


def _topics(which: Q) -> QuerySet[Topic]:
    return Topic.objects.filter(which).select_related("owner", "web").prefetch_related("shares")


def owned_topics(user: User) -> QuerySet[Topic]:
    """The topics a person may share and delete."""
    return Topic.objects.filter(owner=user).select_related("owner", "web")


def listed_topics(user: User) -> QuerySet[Topic]:
    """Visible topics with `seed_count`, `positive_count`, `negative_count`, `target_count` and
    `crawl_count`, last changed first."""
    training = Example.objects.filter(role=Example.Role.TRAIN, fetch=Example.Fetch.FETCHED)
    return (
        visible_topics(user)
        .annotate(
            seed_count=count_rows(Seed.objects.all()),
            positive_count=count_rows(training.filter(relevant=True)),
            negative_count=count_rows(training.filter(relevant=False)),
            target_count=count_rows(Target.objects.all()),
            crawl_count=Count("crawls", filter=Q(crawls__deleted_at=None)),
        )
        .order_by("-changed_at", "-pk")
    )


def is_at_chance(topic: Topic) -> bool:
    """Whether the topic's classifier, as trained last, is no better than chance."""
    return "at_chance" in _advice(topic)


def has_gathered_negatives_only(topic: Topic) -> bool:
    """Whether people have named too few pages off the topic to measure a quality."""
    return "gathered_only" in _advice(topic)


def _advice(topic: Topic) -> Sequence[str]:
    advice: Sequence[str] = (topic.quality or {}).get("advice", ())
    return advice


def count_rows(rows: QuerySet[Seed] | QuerySet[Example] | QuerySet[Target]) -> Coalesce:
    """How many of these rows belong to a topic, as an annotation of topics."""
    counts = rows.filter(topic=OuterRef("pk")).order_by().values("topic")
    number = Subquery(counts.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    return Coalesce(number, 0)


def list_texts(topic: Topic) -> dict[str, str]:
    """The text of each of `LISTS`: as typed if lines are bad, else one URL a line."""
    return {**_stored_texts(topic), **topic.typed}


def line_errors(topic: Topic) -> Mapping[str, tuple[LineError, ...]]:
    """The lines that were typed and not accepted, by list."""
    if not topic.typed:
        return {}
    reached = dict(topic.examples.exclude(final_url="").values_list("final_url", "url"))
    return read_lists(list_texts(topic), reached).errors()


def _stored_texts(topic: Topic) -> dict[str, str]:
    named = topic.examples.filter(source=Example.Source.NAMED)
    train, judge = Example.Role.TRAIN, Example.Role.EVALUATE
    urls = {
        "seeds": topic.written_seeds,
        "targets": topic.targets.values_list("url", flat=True),
        "inlinks": [
            f"{url},{count}"
            for url, count in topic.inlink_counts.order_by("id").values_list("url", "count")
        ],
    }
    for name, relevant, role in (
        ("positives", True, train),
        ("negatives", False, train),
        ("evaluation_positives", True, judge),
        ("evaluation_negatives", False, judge),
    ):
        urls[name] = named.filter(relevant=relevant, role=role).values_list("url", flat=True)
    pages = topic.input_pages.filter(origin=InputPage.Origin.NAMED)
    for kind in InputPage.Kind:
        urls[kind.value] = pages.filter(kind=kind).values_list("url", flat=True)
    return {name: "\n".join(urls[name]) for name in LISTS}


@dataclass(frozen=True, slots=True)
class ExampleCounts:
    """How many examples of one kind there are, and how many of them gave a page."""

    all: int
    fetched: int
    failed: int
    waiting: int


def example_counts(topic: Topic) -> dict[str, ExampleCounts]:
    """Counts by kind: `positive` and `negative` (training), `evaluation`."""
    rows = topic.examples.order_by().values_list("role", "relevant", "fetch").annotate(Count("pk"))
    by_kind: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for role, relevant, fetch, number in rows:
        kind = by_kind[_kind(role, relevant)]
        kind[fetch] = kind.get(fetch, 0) + number
    return {
        kind: ExampleCounts(sum(counts.values()), *(counts.get(state, 0) for state in _STATES))
        for kind, counts in by_kind.items()
    }


def page_counts(pages: QuerySet[Any]) -> ExampleCounts:
    """The counts of stored pages of any other kind."""
    counts = dict(pages.order_by().values_list("fetch").annotate(Count("pk")))
    return ExampleCounts(sum(counts.values()), *(counts.get(state, 0) for state in _STATES))


KINDS = ("positive", "negative", "evaluation")
_STATES = (Example.Fetch.FETCHED, Example.Fetch.FAILED, Example.Fetch.WAITING)


def _kind(role: str, relevant: bool) -> str:
    if role == Example.Role.EVALUATE:
        return "evaluation"
    return "positive" if relevant else "negative"


def examples_of_kind(topic: Topic, kind: str) -> QuerySet[Example]:
    """The examples of one of `KINDS`, in stored order."""
    if kind == "evaluation":
        return topic.examples.filter(role=Example.Role.EVALUATE).order_by("-relevant", "id")
    return topic.examples.filter(role=Example.Role.TRAIN, relevant=kind == "positive")
