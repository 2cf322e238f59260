"""Topics from JSON files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.engine.file_faults import fault_words
from apps.engine.urls import canonical, registered_domain
from apps.topics.definition.lines import MAX_COUNT, host_name, storable
from apps.topics.definition.reading import Definition


class BadTopicFile(Exception):
    """A topic file cannot be read; the text says where and what it should hold."""


@dataclass(frozen=True, slots=True)
class TopicFile:
    """The content of a file: the definition, and the HTML of pages that it includes, by URL.

    `traffic` ranks hosts, `sites` are the registered domains of a directory; None if the file has
    no such part.
    """

    definition: Definition
    pages: Mapping[str, str] = field(default_factory=dict)
    traffic: Mapping[str, int] | None = None
    sites: tuple[str, ...] | None = None


_LISTS = ("seeds", "positives", "negatives", "targets", "backlinks", "corpus")
_KEYS = frozenset(
    {*_LISTS, "name", "description", "keywords", "language", "evaluation", "inlinks", "web_label",
     "negatives_per_positive", "traffic", "directory"}
)


def read_topic_file(path: Path, web_id: int | None = None) -> TopicFile:
    """The topic of a file; an entry of a list is a URL or `{"url", "html"}`.

    Raises BadTopicFile for a file that is not such an object.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadTopicFile(f"{path} cannot be opened: {error.strerror}.") from None
    return topic_of(read_json(data, path.name), web_id)


def read_json(data: bytes, name: str) -> Any:
    """The JSON value in a file of that name. Raises BadTopicFile."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadTopicFile(f"{name} is not JSON: {fault_words(error)}.") from None


def topic_of(data: Any, web_id: int | None = None) -> TopicFile:
    """The topic of a JSON value. Raises BadTopicFile.

    **Choice**: if negatives are named and positives are left out, the seeds are the positives (LC
    §6).
    """
    if not isinstance(data, dict):
        raise BadTopicFile("The file must hold one JSON object.")
    unknown = sorted(set(data) - _KEYS)
    if unknown:
        raise BadTopicFile(f"Unknown keys: {', '.join(unknown)}. Known: {', '.join(sorted(_KEYS))}")
    pages: dict[str, str] = {}
    lists = {name: _lines(data, name, pages) for name in _LISTS}
    if "positives" not in data and lists["negatives"]:
        lists["positives"] = lists["seeds"]
    judging = _typed(data, "evaluation", dict, {})
    for name in ("positives", "negatives"):
        lists[f"evaluation_{name}"] = _lines(judging, name, pages, "evaluation.")
    lists["inlinks"] = _inlinks(data)
    return TopicFile(
        Definition(
            name=_typed(data, "name", str, ""),
            description=_typed(data, "description", str, ""),
            keywords=_keywords(data),
            language=_typed(data, "language", str, ""),
            web_id=web_id,
            web_label=_typed(data, "web_label", str, ""),
            negatives_per_positive=_typed(data, "negatives_per_positive", int, 2),
            lists=lists,
        ),
        pages,
        _traffic(data),
        _sites(data),
    )


_WORDS: Mapping[type, str] = {
    str: "a text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"
}


def _typed(data: Mapping[str, Any], name: str, kind: type, default: Any, where: str = "") -> Any:
    value = data.get(name)
    if value is None:
        return default
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadTopicFile(f"{where}{name} must be {_WORDS[kind]}.")
    return value


def _keywords(data: Mapping[str, Any]) -> tuple[str, ...]:
    words = _typed(data, "keywords", list, [])
    if not all(isinstance(word, str) for word in words):
        raise BadTopicFile("keywords must be a list of texts.")
    return tuple(dict.fromkeys(" ".join(word.split()) for word in words if word.strip()))


def _lines(data: Mapping[str, Any], name: str, pages: dict[str, str], where: str = "") -> str:
    """A list as text, one URL a line; the HTML of entries is added to `pages`."""
    urls = []
    for place, entry in enumerate(_typed(data, name, list, [], where), 1):
        html = None
        if isinstance(entry, dict):
            entry, html = entry.get("url"), entry.get("html")
        if not isinstance(entry, str) or not isinstance(html, str | None):
            raise BadTopicFile(
                f'{where}{name}: entry {place} must be a URL or {{"url": …, "html": …}}.'
            )
        url = " ".join(storable(entry).split())
        urls.append(url)
        if html is not None:
            pages.setdefault(canonical(url) or url, html)
    return "\n".join(urls)


def _inlinks(data: Mapping[str, Any]) -> str:
    counts = _typed(data, "inlinks", dict, {})
    for url, count in counts.items():
        if type(count) is not int or not 0 <= count <= MAX_COUNT:
            raise BadTopicFile(f"inlinks: the count of {url[:200]} must be a whole number.")
    return "\n".join(f"{' '.join(url.split())},{count}" for url, count in counts.items())


def _traffic(data: Mapping[str, Any]) -> Mapping[str, int] | None:
    ranks = _typed(data, "traffic", dict, None)
    if ranks is None:
        return None
    found = {}
    for name, rank in ranks.items():
        host = host_name(name)
        if host is None:
            raise BadTopicFile(f"traffic: {name[:200]!r} is not a host name.")
        if type(rank) is not int or not 1 <= rank <= MAX_COUNT:
            raise BadTopicFile(f"traffic: the rank of {name[:200]} must be a whole number from 1.")
        found[host] = rank
    return found


def _sites(data: Mapping[str, Any]) -> tuple[str, ...] | None:
    names = _typed(data, "directory", list, None)
    if names is None:
        return None
    found = {}
    for place, name in enumerate(names, 1):
        host = host_name(name) if isinstance(name, str) else None
        if host is None:
            raise BadTopicFile(f"directory: entry {place} must be a domain, as in example.org.")
        found[registered_domain(host)] = None
    return tuple(found)
