"""Pages that link to examples (LC §10.4, RULINGS 12)."""

from __future__ import annotations

from typing import Any

from apps.engine import model
from apps.topics.models import SourcePage, Topic
from apps.topics.supplies.others import drawn, held_back, other_topics
from apps.topics.supplies.pages import FETCHED, documents, references

MOST = 2_000


def freeze(topic: Topic) -> dict[str, Any]:
    """The topic's back-link pages, and those of the owner's other topics.

    Windows round links to other topics' positives, which are this topic's negatives, stand on the
    latter.
    """
    mine = topic.source_pages.filter(kind=SourcePage.Kind.BACKLINK, fetch=FETCHED)
    rows = {row.final_url: row for row in mine}
    named = sum(row.origin == SourcePage.Origin.NAMED for row in rows.values())
    if not rows:
        return {}
    held = held_back(topic)
    others = SourcePage.objects.filter(
        topic__in=other_topics(topic), kind=SourcePage.Kind.BACKLINK, fetch=FETCHED
    ).order_by("url", "-topic_id")
    extra = {row.final_url: row for row in others
             if row.final_url not in rows and not held & {row.url, row.final_url}}
    wanted = [*rows.values(), *drawn(list(extra.values()), MOST, topic.random_seed)]
    of = "named" if named == len(rows) else "found" if not named else "both"
    return {"of": of, "rows": len(rows), "pages": references(topic, wanted)}


def supplied(topic: model.Topic, topic_id: int, given: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic."""
    return {"backlinks": tuple(documents(topic_id, given["pages"]))}
