"""Rows that a command names by their name or their number."""

from __future__ import annotations

from typing import TypeVar

from django.core.management.base import CommandError
from django.db.models import Model, QuerySet

from apps.schemas.numbers import whole_number
from apps.topics.models import Topic

Row = TypeVar("Row", bound=Model)


def row_named(rows: QuerySet[Row], text: str, several: str) -> Row | None:
    """The row of that name or number, or None. Raises CommandError if `several` have the name."""
    named = list(rows.filter(name=text) or rows.filter(pk=whole_number(text) or 0))
    if len(named) > 1:
        numbers = ", ".join(str(row.pk) for row in named)
        raise CommandError(f"Several {several} are called {text}: give a number ({numbers}).")
    return named[0] if named else None


def topic_named(text: str) -> Topic:
    """The topic of that name or number. Raises CommandError, listing the topics."""
    topic = row_named(Topic.objects.all(), text, "topics")
    if topic is None:
        names = ", ".join(Topic.objects.values_list("name", flat=True)[:20]) or "none yet"
        raise CommandError(f"There is no topic {text}. Topics: {names}.")
    return topic
