"""The people who may label a topic's pages, what each wants to see, and their common note."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q, QuerySet

from apps.schemas.refused import Refused
from apps.topics.lock import lock_topic
from apps.topics.models import Annotator, Guideline, Topic

LONGEST_GUIDELINE = 10_000


def annotators_of(topic: Topic) -> QuerySet[User]:
    """The topic's owner and everybody it is shared with for editing, by name."""
    shares = topic.shares.filter(may_edit=True)
    people = Q(pk=topic.owner_id) | Q(pk__in=shares.values("person"))
    people |= Q(groups__in=shares.exclude(group=None).values("group"))
    users: QuerySet[User] = get_user_model().objects.filter(people, is_active=True)
    return users.distinct().order_by("username")


def hides_others(topic: Topic, person: User) -> bool:
    """Whether others' labels are hidden from a person until they have labelled the page."""
    row = Annotator.objects.filter(topic=topic, person=person.pk).first()
    return row is None or row.hides_others


def is_blind_beside(topic: Topic, person: User | None) -> bool:
    """Whether anybody else labels the topic's pages without seeing others' labels."""
    if not topic.shares.filter(may_edit=True).exists():
        return False
    seeing = Annotator.objects.filter(topic=topic, hides_others=False).values("person")
    others = annotators_of(topic).exclude(pk__in=seeing)
    return others.exclude(pk=person.pk if person else 0).exists()


def hide_others(topic: Topic, person: User, hides: bool) -> None:
    """Stores whether others' labels are hidden from a person until they have answered."""
    Annotator.objects.update_or_create(topic=topic, person=person, defaults={"hides_others": hides})


def guideline_of(topic: Topic) -> Guideline | None:
    """The latest version of the note of what is in and what is out."""
    return topic.guidelines.select_related("by").last()


def write_guideline(topic: Topic, text: str, by: User, version: int) -> Guideline:
    """Stores another version of the note; its author has read it. The same text changes nothing.

    `version` is the one that the author saw, 0 for none. Raises Refused for an empty or too long
    text, and if somebody else has written a version since.
    """
    text = text.strip()
    if not text:
        raise Refused("guideline", "Write what is in and what is out.")
    if len(text) > LONGEST_GUIDELINE:
        raise Refused("guideline", f"The note is too long: {LONGEST_GUIDELINE:,} characters.")
    with transaction.atomic():
        lock_topic(topic.pk)
        latest = guideline_of(topic)
        if latest is not None and latest.text == text:
            return latest
        newest = topic.guidelines.aggregate(Max("version"))["version__max"] or 0
        if newest != version:
            raise Refused("guideline", "Somebody has changed the note meanwhile: read it first.")
        written = Guideline.objects.create(topic=topic, version=newest + 1, text=text, by=by)
        mark_read(topic, by, written.version)
    return written


def mark_read(topic: Topic, person: User, version: int) -> None:
    """Stores which version of the note a person has read."""
    Annotator.objects.update_or_create(
        topic=topic, person=person, defaults={"guideline_read": version}
    )


def readers_of(topic: Topic, guideline: Guideline) -> list[str]:
    """The names of the annotators who have read that version."""
    rows = Annotator.objects.filter(topic=topic, guideline_read=guideline.version)
    read = set(rows.values_list("person", flat=True))
    return [each.get_username() for each in annotators_of(topic) if each.pk in read]
