"""Changes of topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from django.contrib.auth.models import User
from django.db import transaction

from apps.accounts import quotas
from apps.backgrounds.models import Background
from apps.backgrounds.selectors import ready_version
from apps.engine.errors import BadWebFile
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.definition.lines import LineError, UrlLines, storable
from apps.topics.definition.list_files import below
from apps.topics.definition.reading import LISTS, Lists, read_lists
from apps.topics.definition.rows import Shape, keep_input_pages, keep_lists, shape_of
from apps.topics.definition.schemas import Definition, TopicText
from apps.topics.lock import lock_topic
from apps.topics.models import Example, InputPage, StoredPage, Target, Topic
from apps.topics.sampling import seed_of
from apps.topics.selectors import list_texts
from apps.topics.versions import new_version
from apps.webs.labels import label_counts
from apps.webs.messages import error_words
from apps.webs.models import Web

MOST_LINES = 100_000


class TopicRefused(Refused):
    """A topic cannot be saved like this; `field` and `message` name the fault."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved topic, and the lines that were not accepted, by list.

    `examples_changed`: pages must be fetched or the classifier trained again.
    """

    topic: Topic
    errors: Mapping[str, tuple[LineError, ...]]
    examples_changed: bool


def create_topic(owner: User, definition: Definition, *, is_demo: bool = False) -> Saved:
    """A new topic with every valid line. Raises TopicRefused."""
    topic = Topic(owner=owner, is_demo=is_demo, random_seed=seed_of(definition.name))
    return _save(topic, definition)


def edit_topic(topic: Topic, definition: Definition) -> Saved:
    """Changes the definition; examples that stay keep their pages. Raises TopicRefused."""
    return _save(topic, definition)


def add_lines(topic: Topic, lists: Mapping[str, str]) -> Saved:
    """Appends lines to the lists (by their names in `LISTS`), bad lines included. Raises
    TopicRefused."""
    texts = list_texts(topic)
    for name, text in lists.items():
        texts[name] = below(texts[name], text)
    values = {name: getattr(topic, name) for name in TopicText.model_fields}
    return _save(topic, Definition(**values, web_id=topic.web_id, lists=texts))


def _save(topic: Topic, definition: Definition) -> Saved:
    _check(topic, definition)
    while (saved := _save_as_read(topic, definition, _reached(topic))) is None:
        continue
    return saved


def _save_as_read(topic: Topic, definition: Definition, reached: Mapping[str, str]) -> Saved | None:
    """Saves the lists as they are with what examples have `reached`; None if these have been
    redirected elsewhere meanwhile. Long lists are read before anything is locked."""
    lists = read_lists(definition.lists, reached)
    with transaction.atomic():
        before = None if topic.pk is None else shape_of(_locked(topic))
        if before is not None and _reached(topic) != reached:
            return None
        _write_row(topic, definition, lists)
        keep_lists(topic, lists, refetch=before is not None and before.web_id != topic.web_id)
        changed = before is None or _move_on(topic, before)
    changed |= topic.input_pages.filter(fetch=InputPage.Fetch.WAITING).exists()
    return Saved(topic, lists.errors(), changed)


def _locked(topic: Topic) -> Topic:
    """The topic as it is now; nobody else changes it until the transaction has ended."""
    lock_topic(topic.pk)
    return Topic.objects.select_for_update().get(pk=topic.pk)


def _check(topic: Topic, definition: Definition) -> None:
    _check_label(definition)
    if topic.pk is None:
        check_topic_quota(topic.owner)
    for name, text in definition.lists.items():
        if text.count("\n") >= MOST_LINES:
            raise TopicRefused(
                name,
                f"A list takes {MOST_LINES:,} lines. Long lists of counts are uploaded as "
                "files on the topic's page.",
            )
    namesakes = Topic.objects.filter(owner_id=topic.owner_id, name=definition.name)
    if namesakes.exclude(pk=topic.pk).exists():
        raise TopicRefused("name", "You have a topic of this name: choose another.")


def check_topic_quota(owner: User, adding: int = 1) -> None:
    """Raises TopicRefused if the account may not have that many topics more."""
    quotas.TOPICS.check(Topic.objects.filter(owner=owner), adding, TopicRefused, "name")


def _check_label(definition: Definition) -> None:
    """Raises TopicRefused unless the topic's recorded web has the true label, since with a misspelt
    one every page would be off the topic. A topic of the live Web may have one for the recorded
    webs it is crawled on."""
    web = Web.objects.filter(pk=definition.web_id or 0).first()
    if not definition.web_label or web is None or not web.is_recorded:
        return
    try:
        labels = label_counts(web)
    except BadWebFile as error:
        raise TopicRefused("web", error_words(error)) from None
    if definition.web_label not in labels:
        near = get_close_matches(definition.web_label, labels, n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise TopicRefused(
            "web_label", f"No page of {web.name} has the label {definition.web_label}.{meant}"
        )


def _reached(topic: Topic) -> dict[str, str]:
    """The requested URL of each URL that an example was redirected to."""
    if topic.pk is None:
        return {}
    return dict(topic.examples.exclude(final_url="").values_list("final_url", "url"))


def _write_row(topic: Topic, definition: Definition, lists: Lists) -> None:
    topic.name = definition.name
    topic.description = definition.description
    topic.keywords = list(definition.keywords)
    topic.language = definition.language
    topic.web_id = definition.web_id
    topic.web_label = definition.web_label
    topic.negatives_per_positive = definition.negatives_per_positive
    if definition.random_seed is not None:
        topic.random_seed = definition.random_seed
    if definition.hold_out is not None:
        topic.hold_out = definition.hold_out
    topic.typed = {name: definition.lists.get(name, "") for name in LISTS if name in lists.errors()}
    topic.save()


def _move_on(topic: Topic, before: Shape) -> bool:
    """Raises the version if anything changed; the quality stays valid if the examples did not.
    Returns whether these did."""
    after = shape_of(topic)
    changed = before.classifier != after.classifier
    if before != after:
        if not changed and topic.quality_version == topic.version:
            topic.quality_version = topic.version + 1
        topic.version += 1
        topic.save(update_fields=["version", "quality_version"])
    return changed


def replace_pages(topic: Topic, kind: str, text: str) -> UrlLines:
    """Replaces the named pages of a kind (`InputPage.Kind`) by those of a text, one address a
    line.

    Lines that are not accepted stay in the topic's form and are in the result.
    """
    while (lines := _replace_pages(topic, kind, text)) is None:
        continue
    return lines


def _replace_pages(topic: Topic, kind: str, text: str) -> UrlLines | None:
    """Replaces the pages; returns None if the topic's lists have changed while they were read."""
    texts, reached = list_texts(topic), _reached(topic)
    lines: UrlLines = getattr(read_lists({**texts, kind: storable(text)}, reached), kind)
    with transaction.atomic():
        topic = _locked(topic)
        if (list_texts(topic), _reached(topic)) != (texts, reached):
            return None
        keep_input_pages(topic, kind, lines.urls)
        topic.typed = {name: typed for name, typed in topic.typed.items() if name != kind}
        if lines.errors:
            topic.typed[kind] = storable(text)
        topic.save(update_fields=["typed"])
    return lines


def relabel(example: Example) -> None:
    """Turns a positive example into a negative one, or back, and retrains the classifier.

    A drawn or gathered example counts as named by the analyst from then on.
    """
    decide(example, not example.relevant)


def decide(example: Example, relevant: bool) -> None:
    """Sets whether an example is relevant, also one left out as a suspect, and retrains the
    classifier."""
    with transaction.atomic():
        lock_topic(example.topic_id)
        example.relevant = relevant
        example.source = Example.Source.NAMED
        example.weight = 1.0
        example.left_out = False
        example.save(update_fields=["relevant", "source", "weight", "left_out"])
        new_version(example.topic)
    queue.enqueue(example.topic, work_wanted=Topic.Work.FETCHING)


def remove_example(example: Example) -> None:
    """Removes an example and retrains the classifier."""
    topic = example.topic
    with transaction.atomic():
        lock_topic(topic.pk)
        example.delete()
        new_version(topic)
    queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)


def fetch_again(topic: Topic) -> int:
    """Queues the examples and input pages that gave no page for another try, but for those taken
    down; returns their number."""
    again = {"fetch": Example.Fetch.WAITING, "failure": ""}
    count = 0
    for rows in (topic.examples, topic.input_pages):
        failed = rows.filter(fetch=StoredPage.Fetch.FAILED)
        count += failed.exclude(failure=StoredPage.Unusable.TAKEN_DOWN).update(**again)
    queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)
    return count


def choose_background(
    topic: Topic,
    chosen: Background | None,
    use: str = Topic.BackgroundUse.DRAWN,
    hold_out: str = "",
) -> None:
    """Sets the background of later crawls and measures the classifier again; without a chosen one,
    `use` is whether one is drawn at the start of each crawl. Without a `hold_out` it stays.

    Raises TopicRefused for one that is not ready, or that the topic's owner may not use.
    """
    if chosen is not None and ready_version(chosen, topic.owner) is None:
        raise TopicRefused(
            "background",
            f"{chosen.name} cannot be used: it is not ready yet, or not shared with"
            f" {topic.owner.get_username()}, whose topic this is.",
        )
    with transaction.atomic():
        topic.background, topic.background_use = chosen, use
        topic.hold_out = hold_out or topic.hold_out
        topic.save(update_fields=["background", "background_use", "hold_out"])
        new_version(topic)
    queue.enqueue(topic, work_wanted=Topic.Work.TRAINING)


def remove_gone_targets(topic: Topic) -> int:
    """Removes the targets that were gone at the last check; returns their number."""
    with transaction.atomic():
        lock_topic(topic.pk)
        count, _ = topic.targets.filter(state=Target.State.GONE).delete()
        if count:
            new_version(topic, same_examples=True)
    return count
