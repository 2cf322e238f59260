"""A topic as the file that `import_topic` reads: its definition, no pages."""

from __future__ import annotations

from typing import Any

from django.utils.text import slugify

from apps.topics.hosts import host_names
from apps.topics.inputs.lists import current_of, table_path
from apps.topics.inputs.tables.files import StoredTable
from apps.topics.models import Example, HostDecision, InputPage, InputTable, Topic


def definition_of(topic: Topic) -> dict[str, Any]:
    """The analyst's definition of a topic, lists in their order, without drawn and gathered
    examples, which can be fetched again."""
    named = topic.examples.filter(source=Example.Source.NAMED).order_by("id")

    def urls(relevant: bool, role: str) -> list[str]:
        return list(named.filter(relevant=relevant, role=role).values_list("url", flat=True))

    def pages(kind: str) -> list[str]:
        of_kind = topic.input_pages.filter(kind=kind, origin=InputPage.Origin.NAMED)
        return list(of_kind.values_list("url", flat=True))

    train, judge = Example.Role.TRAIN, Example.Role.EVALUATE
    return {
        "name": topic.name,
        "description": topic.description,
        "keywords": topic.keywords,
        "language": topic.language,
        "web_label": topic.web_label,
        "negatives_per_positive": topic.negatives_per_positive,
        "hold_out": topic.hold_out,
        "seeds": topic.written_seeds,
        "targets": list(topic.targets.values_list("url", flat=True)),
        "positives": urls(True, train),
        "negatives": urls(False, train),
        "evaluation": {"positives": urls(True, judge), "negatives": urls(False, judge)},
        "inlinks": dict(topic.inlink_counts.order_by("id").values_list("url", "count")),
        "backlinks": pages(InputPage.Kind.BACKLINK),
        "corpus": pages(InputPage.Kind.CORPUS),
    }


def topic_file_of(topic: Topic) -> dict[str, Any]:
    """The definition with the topic's decisions on hosts and its own lists of in-links, traffic and
    listed sites. Raises BadWebFile if a list is gone.

    Lists for all topics of the owner, and host ranks, are not included.
    """
    data = definition_of(topic) | {
        f"hosts_{state}": host_names(topic, state) for state in (HostDecision.IN, HostDecision.OUT)
    }
    data["inlinks"] = _table(topic, InputTable.Kind.INLINKS) | data["inlinks"]
    if traffic := _table(topic, InputTable.Kind.TRAFFIC):
        data["traffic"] = traffic
    if sites := _table(topic, InputTable.Kind.SITES):
        data["directory"] = list(sites)
    return data


def _table(topic: Topic, kind: str) -> dict[str, int]:
    table_row = current_of(topic, kind)
    if table_row is None:
        return {}
    table = StoredTable(table_path(table_row))
    rows = dict(table.items())
    table.close()
    return rows


def topic_file_name(topic: Topic) -> str:
    """`topic-sourdough-bread.json`."""
    return f"topic-{slugify(topic.name)[:60] or topic.pk}.json"
