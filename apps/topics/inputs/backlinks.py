"""Pages that link to examples (LC §10.4)."""

from __future__ import annotations

from typing import Any

from apps.engine import model
from apps.topics.examples.other_topics import held_back, other_positives, other_topics
from apps.topics.inputs.page_references import FETCHED, documents, references
from apps.topics.models import SourcePage, Topic
from apps.topics.sampling import sample

MOST = 2_000


def freeze(topic: Topic) -> dict[str, Any]:
    """The topic's back-link pages, those of the owner's other topics, and what the latter link to.

    Windows round links to other topics' positives stand against this topic.
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
    wanted = [*rows.values(), *sample(list(extra.values()), MOST, topic.random_seed)]
    of = "named" if named == len(rows) else "found" if not named else "both"
    return {
        "of": of, "rows": len(rows), "pages": references(topic, wanted),
        "others": _other_positives(topic, held),
    }


def _other_positives(topic: Topic, held: set[str]) -> list[list[str]]:
    """The addresses (asked, answered) of other topics' positive examples that are not this one's
    positives too."""
    mine = topic.examples.filter(relevant=True).values_list("url", "final_url")
    left_out = held.union(*mine)
    pairs = other_positives(topic).values_list("url", "final_url").order_by("url", "final_url")
    return [list(pair) for pair in pairs.distinct() if not left_out & set(pair)]


def supply(topic: model.Topic, topic_id: int, given: dict[str, Any]) -> dict[str, Any]:
    """The fields of the engine's topic."""
    return {
        "backlinks": tuple(documents(topic_id, given["pages"])),
        "other_positives": tuple(tuple(addresses) for addresses in given["others"]),
    }
