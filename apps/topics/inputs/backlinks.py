"""Pages that link to examples (LC §10.4)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from apps.engine import topics
from apps.engine.codes import Need
from apps.topics.examples.other_topics import held_back, other_positives, other_topics
from apps.topics.inputs.crawl_input import CrawlInput, Origin, StrategyNeed, topics_with
from apps.topics.inputs.page_list import PageListInput
from apps.topics.inputs.page_references import FETCHED, documents, references
from apps.topics.models import InputPage, Topic
from apps.topics.sampling import sample

MOST = 2_000


def freeze(topic: Topic) -> dict[str, Any]:
    """The topic's back-link pages, those of the owner's other topics, and the targets of the
    latter's links.

    Windows around links to other topics' positives are negatives for this topic.
    """
    mine = topic.input_pages.filter(kind=InputPage.Kind.BACKLINK, fetch=FETCHED)
    rows = {row.final_url: row for row in mine}
    named = sum(row.origin == InputPage.Origin.NAMED for row in rows.values())
    if not rows:
        return {}
    held = held_back(topic)
    others = InputPage.objects.filter(
        topic__in=other_topics(topic), kind=InputPage.Kind.BACKLINK, fetch=FETCHED
    ).order_by("url", "-topic_id")
    extra = {
        row.final_url: row
        for row in others
        if row.final_url not in rows and not held & {row.url, row.final_url}
    }
    wanted = [*rows.values(), *sample(list(extra.values()), MOST, topic.random_seed)]
    of = "named" if named == len(rows) else "found" if not named else "both"
    return {
        "of": of,
        "rows": len(rows),
        "pages": references(topic, wanted),
        "others": _other_positives(topic, held),
    }


def _other_positives(topic: Topic, held: set[str]) -> list[list[str]]:
    """The addresses (requested, final) of other topics' positive examples that are not also
    positives of this one."""
    mine = topic.examples.filter(relevant=True).values_list("url", "final_url")
    left_out = held.union(*mine)
    pairs = other_positives(topic).values_list("url", "final_url").order_by("url", "final_url")
    return [list(pair) for pair in pairs.distinct() if not left_out & set(pair)]


def supply(topic: topics.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The fields of the engine's topic."""
    return {
        "backlinks": tuple(documents(topic_id, frozen["pages"])),
        "other_positives": tuple(tuple(addresses) for addresses in frozen["others"]),
    }


_KINDS = {
    "named": "named by hand",
    "found": "found in the recorded web",
    "both": "named by hand and found in the recorded web",
}


def _origin(origin: Origin) -> str:
    return f"back-link pages: {origin['rows']:,}, {_KINDS[origin['of']]}"


def _possible_for(topics: Sequence[Topic]) -> Set[Topic]:
    usable = InputPage.objects.exclude(fetch=InputPage.Fetch.FAILED)
    return topics_with(usable.filter(kind=InputPage.Kind.BACKLINK), topics)


BACKLINKS = CrawlInput(
    id="backlinks",
    title="Back-link pages",
    sentence="Pages that link to the topic's examples, and to those of other topics.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    need=StrategyNeed(
        Need.BACKLINKS,
        "pages that link to the examples",
        "back-link pages",
        "Pages that link to the examples, so that the words around those links can be learned.",
        met_by=_possible_for,
        anchor=lambda topic: "inputs-web" if topic.recorded_web else "inputs-backlinks",
    ),
    lists=(
        PageListInput(
            id="backlinks",
            title="Back-link pages",
            purpose="Text window, back-links learns from the words around links to the examples.",
            accepts="an address a line",
            in_form=True,
            can_be_found=True,
            nothing="None. Add some, or have them found in a recorded web.",
        ),
    ),
)
