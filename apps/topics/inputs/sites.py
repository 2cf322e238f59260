"""The sites that editors have listed: reliability is the share of a crawl's sites among them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from apps.directories.models import Directory
from apps.directories.selectors import owned_directories
from apps.engine import topics
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs.crawl_input import CrawlInput, Origin
from apps.topics.inputs.lists import current_of, table_path
from apps.topics.inputs.page_references import link_file
from apps.topics.inputs.table_list import TableList
from apps.topics.inputs.tables.files import StoredTable, TableWriter, table_file
from apps.topics.inputs.tables.parsing import ListFormat, site_lines
from apps.topics.inputs.tables.views import Keys
from apps.topics.models import InputTable, Topic

KIND = InputTable.Kind.SITES


def freeze(topic: Topic) -> dict[str, Any]:
    """The topic's list of sites, else those of its owner's directories; empty without either."""
    table = current_of(topic, KIND)
    if table is not None:
        return {
            "of": "list",
            "name": table.name,
            "at": table.added_at.isoformat(),
            "rows": table.rows,
            "files": [link_file(topic.pk, table_path(table))],
        }
    directories = list(owned_directories(topic.owner))
    if not directories:
        return {}
    return {
        "of": "directory",
        "name": ", ".join(directory.name for directory in directories),
        "at": directories[0].imported_at.isoformat(),
        "rows": sum(directory.sites for directory in directories),
        "files": [link_file(topic.pk, _table_of(directory)) for directory in directories],
    }


def _table_of(directory: Directory) -> Path:
    """A directory's sites as a table, made on first use: directories never change."""
    path = table_file(f"directory-{directory.pk}.sqlite")
    if not path.is_file():
        writer = TableWriter(path)
        domains = directory.listed_sites.order_by("pk").values_list("domain", flat=True)
        writer.add((domain, 1) for domain in domains.iterator())
        writer.finish()
    return path


def supply(topic: topics.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic. Raises BadWebFile if a table is gone."""
    tables = [StoredTable(topic_file(topic_id, name)) for name in frozen["files"]]
    return {"listed_sites": Keys(tables)}


def _origin(origin: Origin) -> str:
    whose = "list" if origin["of"] == "list" else "directory"
    return f"listed sites: {origin['rows']:,} of the {whose} {origin['name']}"


def _of_directories(topic: Topic) -> list[str]:
    directories = owned_directories(topic.owner)
    return [
        f"{directory.sites:,} sites of the directory {directory.name}." for directory in directories
    ]


SITES = CrawlInput(
    id="sites",
    title="Listed sites",
    sentence="The sites that editors have listed, by which reliability is measured.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    lists=(
        TableList(
            id=KIND,
            title="Listed sites",
            purpose="Reliability: the share of a crawl’s sites among them.",
            accepts="a domain a line",
            nothing="None: reliability is not measured.",
            format=ListFormat(site_lines, str),
            instead=_of_directories,
        ),
    ),
)
