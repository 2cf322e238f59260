"""Copying a shared topic to one's own."""

from __future__ import annotations

import shutil
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from apps.accounts import quotas
from apps.schemas.refused import Refused
from apps.stored_files.files import keep, names
from apps.topics.examples.page_store import delete_pages, topic_file, topic_folder
from apps.topics.models import Topic

ROWS = (
    "seeds",
    "targets",
    "examples",
    "input_pages",
    "target_pages",
    "background_pages",
    "inlink_counts",
    "host_decisions",
)
COPIED_FIELDS = (
    "description",
    "keywords",
    "language",
    "web_id",
    "web_label",
    "negatives_per_positive",
    "hold_out",
    "random_seed",
    "typed",
    "quality",
)


def copy_topic(topic: Topic, owner: User) -> Topic:
    """A copy of a topic for another owner, with its definition, targets, and examples with their
    stored pages; the web is the same.

    Crawls, uploaded lists and the directory it came from are not copied. Raises OSError if the disk
    is full; nothing is left then. Raises Refused if the owner may not have another topic.
    """
    quotas.TOPICS.check(Topic.objects.filter(owner=owner), 1, Refused, "name")
    copy = Topic(owner=owner, name=_free_name(owner, topic.name))
    for name in COPIED_FIELDS:
        setattr(copy, name, getattr(topic, name))
    copy.quality_version = copy.version if topic.quality_version == topic.version else None
    with transaction.atomic():
        copy.save()
        for related in ROWS:
            _copy_rows(getattr(topic, related), copy)
        _copy_pages(topic.pk, copy.pk)
    return copy


def _copy_rows(rows: Any, copy: Topic) -> None:
    copies = list(rows.order_by("pk"))
    for row in copies:
        row.pk, row.topic = None, copy
    rows.model.objects.bulk_create(copies, batch_size=500)


def _copy_pages(topic_id: int, copy_id: int) -> None:
    folder = topic_folder(copy_id)
    try:
        for name in sorted(names(topic_folder(topic_id))):
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy2(topic_file(topic_id, name), folder / name)
            keep(folder / name)
    except OSError:
        delete_pages(copy_id)
        raise


def _free_name(owner: User, name: str) -> str:
    taken = set(Topic.objects.filter(owner=owner).values_list("name", flat=True))
    tried = [name, *(f"{name[:180]} (copy {n})" for n in range(1, len(taken) + 2))]
    return next(candidate for candidate in tried if candidate not in taken)
