"""Every format a collection can be downloaded in, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

from apps.crawls.models import Crawl
from apps.exports import csv, gexf, jsonl, queue, warc
from apps.exports.rows import Selection
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class Format:
    """One format: what writes it, its media type and the end of its file name; for the menu its
    title, what it holds, and what its rows are."""

    name: str
    export: Callable[[Selection], Iterator[bytes]]
    content_type: str
    extension: str
    title: str
    words: str
    unit: str = "row"


def _format(name: str, module: ModuleType, *words: str) -> Format:
    return Format(name, module.export, module.CONTENT_TYPE, module.EXTENSION, *words)


FORMATS = {
    found.name: found
    for found in (
        _format("csv", csv, "CSV", "one row a page"),
        _format("jsonl", jsonl, "JSON lines", "one a page, with its words"),
        _format("warc", warc, "WARC", "the pages as fetched", "page"),
        _format("gexf", gexf, "GEXF", "link graph, for Gephi", "page"),
        _format("queue", queue, "Queue", "waiting links, CSV", "waiting link"),
    )
}


def crawl_file_name(crawl: Crawl, extension: str) -> str:
    """`crawl-7-seagrass-restoration.csv`, in plain letters."""
    return _file_name(f"crawl-{crawl.pk}", crawl.topic, extension)


def topic_file_name(topic: Topic, extension: str) -> str:
    """`collection-3-seagrass-restoration.csv`, in plain letters."""
    return _file_name(f"collection-{topic.pk}", topic, extension)


def _file_name(first: str, topic: Topic, extension: str) -> str:
    letters = "".join(c if c.isascii() and c.isalnum() else "-" for c in topic.name.lower())
    words = "-".join(word for word in letters.split("-") if word)[:60]
    return f"{first}{'-' if words else ''}{words}.{extension}"
