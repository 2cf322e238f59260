"""Domain traffic: how popular the pages' sites are (SL §4.2, the seventh feature)."""

from __future__ import annotations

from typing import Any

from apps.engine import topics
from apps.engine.urls import host, registered_domain
from apps.topics.examples.other_topics import own_training
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs.crawl_input import CrawlInput, Origin, coverage_words
from apps.topics.inputs.lists import current, table_path
from apps.topics.inputs.page_references import link_file
from apps.topics.inputs.table_list import TableList
from apps.topics.inputs.tables.files import StoredTable
from apps.topics.inputs.tables.parsing import ListFormat, traffic_lines
from apps.topics.models import InputTable, Topic

KIND = InputTable.Kind.TRAFFIC


def freeze(topic: Topic) -> dict[str, Any]:
    """The topic's ranking list, or its owner's for all topics; empty without one."""
    table = current(topic, KIND)
    if table is None:
        return {}
    examples, positives = matched(topic, table)
    return {
        "of": "topic" if table.topic_id else "owner",
        "name": table.name,
        "at": table.added_at.isoformat(),
        "rows": table.rows,
        "examples": examples,
        "positives": positives,
        "file": link_file(topic.pk, table_path(table)),
    }


def matched(topic: Topic, table: InputTable) -> tuple[int, int]:
    """How many of the fetched positive examples have a site in the list, and how many there are.
    Raises BadWebFile if the table is gone."""
    urls = list(own_training(topic).filter(relevant=True).values_list("final_url", flat=True))
    ranks = StoredTable(table_path(table))
    ranked = sum(name in ranks or registered_domain(name) in ranks for name in map(host, urls))
    ranks.close()
    return ranked, len(urls)


def supply(topic: topics.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic."""
    return {"traffic": StoredTable(topic_file(topic_id, frozen["file"]))}


def _origin(origin: Origin) -> str:
    whose = "the topic’s list" if origin["of"] == "topic" else "your list"
    return f"traffic: {whose} {origin['name']} of {origin['at'][:10]}, {coverage_words(origin)}"


TRAFFIC = CrawlInput(
    id="traffic",
    title="Domain traffic",
    sentence="Ranks of sites by how much they are visited.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    lists=(
        TableList(
            id=KIND,
            title="Domain traffic",
            purpose="How popular a site is: one of seven features of status.",
            accepts="rank,domain a line, such as a Tranco list; for all your topics",
            nothing="None: the feature is 0 for every page.",
            for_owner=True,
            format=ListFormat(traffic_lines, str),
            coverage=matched,
        ),
    ),
)
