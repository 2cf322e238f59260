"""The rows of a topic's definition: comparing and updating them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Model

from apps.topics.models import Example, InlinkCount, InputPage, Seed, StoredPage, Target, Topic

if TYPE_CHECKING:
    # A crawl stores pages that it draws, and reads no lists.
    from apps.topics.definition.reading import Lists

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
        (
            topic.language,
            topic.negatives_per_positive,
            topic.hold_out,
            topic.web_id,
            frozenset(examples),
        ),
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
    """Marks the named examples and the input pages to be fetched again, except those taken down."""
    for rows in (topic.examples.filter(source=Example.Source.NAMED), topic.input_pages.all()):
        rows.exclude(failure=StoredPage.Unusable.TAKEN_DOWN).update(**UNFETCHED)


def _keep_seeds(topic: Topic, lists: Lists) -> None:
    pairs = zip(lists.seeds.urls, lists.seeds.written, strict=True)
    wanted = [(url, "" if written == url else written) for url, written in pairs]
    if wanted == list(topic.seeds.order_by("position").values_list("url", "spelling")):
        return
    topic.seeds.all().delete()
    rows = ((url, spelling, i) for i, (url, spelling) in enumerate(wanted))
    insert_alike(Seed(topic=topic), ("url", "spelling", "position"), rows)


def _keep_inlinks(topic: Topic, counts: Mapping[str, int]) -> None:
    """Replaces the counts; a list may name every page of a web."""
    if counts == dict(topic.inlink_counts.values_list("url", "count")):
        return
    topic.inlink_counts.all().delete()
    insert_alike(InlinkCount(topic=topic), ("url", "count"), counts.items())


def _keep_targets(topic: Topic, keep: Sequence[str], wanted: Sequence[str]) -> None:
    """Replaces the targets, in their order; those to `keep` keep their answers."""
    present = list(topic.targets.order_by("pk").values_list("url", flat=True))
    if present == list(wanted) == list(keep):
        return
    keeping = {*keep} & {*present}
    rows_here = topic.targets.all() if keeping else topic.targets.none()
    existing = {target.url: target for target in rows_here if target.url in keeping}
    topic.targets.all().delete()
    if not existing:
        insert_alike(Target(topic=topic), ("url",), ((url,) for url in wanted))
        return
    rows = [existing.get(url) or Target(topic=topic, url=url) for url in wanted]
    for row in rows:
        row.pk = None
    Target.objects.bulk_create(rows, batch_size=5_000)


def keep_input_pages(topic: Topic, kind: str, wanted: Sequence[str]) -> None:
    """Replaces the named pages of a kind; pages that stay keep what was fetched."""
    mine = topic.input_pages.filter(kind=kind)
    if mine.exists():
        mine.filter(origin=InputPage.Origin.NAMED).exclude(url__in=wanted).delete()
        mine.filter(url__in=wanted).update(origin=InputPage.Origin.NAMED)
    here = set(mine.values_list("url", flat=True))
    rows = ((url,) for url in wanted if url not in here)
    insert_alike(InputPage(topic=topic, kind=kind), ("url",), rows)


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
    rows = ((url, *values) for url, values in wanted.items() if url not in here)
    insert_alike(Example(topic=topic, relevant=True), ("url", "relevant", "role"), rows)


def insert_alike(row: Model, names: Sequence[str], values: Iterable[Sequence[Any]]) -> None:
    """Inserts a copy of a new row for each of `values`, which are those of the fields `names` as
    the database has them: texts, whole numbers, flags.

    A long list locks the database for a twentieth of the time that `bulk_create` takes: SQLite
    reads the values from one text and binds what all rows share once.
    """
    rows = [*values]
    if not rows:
        return
    fields = {field.name: field for field in row._meta.concrete_fields if not field.primary_key}
    rest = [field for name, field in fields.items() if name not in names]
    alike = [field.get_db_prep_save(field.pre_save(row, True), connection) for field in rest]
    columns = [*rest, *(fields[name] for name in names)]
    quoted = (connection.ops.quote_name(field.column) for field in columns if field.column)
    into = f"INSERT INTO {row._meta.db_table} ({', '.join(quoted)})"
    shared = ["%s"] * len(alike)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            own = [f"json_extract(value, '$[{i}]')" for i in range(len(names))]
            selected = ", ".join([*shared, *own])
            text = json.dumps(rows, ensure_ascii=False)
            cursor.execute(f"{into} SELECT {selected} FROM json_each(%s)", [*alike, text])
        else:
            marks = ", ".join([*shared, *["%s"] * len(names)])
            cursor.executemany(f"{into} VALUES ({marks})", [(*alike, *each) for each in rows])


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
