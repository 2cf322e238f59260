"""JSON Feed (versions 1 and 1.1)."""

from __future__ import annotations

import json
from typing import Any

from apps.engine.parsing.site_lists.dates import plain_date
from apps.engine.parsing.site_lists.plain_words import plain_words
from apps.engine.parsing.site_lists.site_list import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_ENTRIES,
    ListBody,
    SiteList,
    SiteListEntry,
)

VERSION = "https://jsonfeed.org/version/"
_TEXTS = ("summary", "content_text", "content_html")
_DATES = ("date_modified", "date_published")


def read_json(source: ListBody) -> SiteList | None:
    """The feed; None for other JSON, or none."""
    if source.body.lstrip()[:1] != b"{" or b"jsonfeed.org" not in source.body:
        return None
    try:
        feed = json.loads(source.body)
    except (ValueError, RecursionError):
        return None
    if not _text(feed.get("version")).startswith(VERSION):
        return None
    items = feed.get("items")
    items = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    pages = tuple(_page(item, source) for item in items[:MOST_ENTRIES] if _address(item))
    title = plain_words(_text(feed.get("title")), LONGEST_TITLE)
    return SiteList("feed", pages, (), title, len(items), len(items) > MOST_ENTRIES)


def _page(item: dict[str, Any], source: ListBody) -> SiteListEntry:
    return SiteListEntry(
        _address(item),
        plain_words(_text(item.get("title")), LONGEST_TITLE),
        plain_words(_first(item, _TEXTS), LONGEST_TEXT),
        plain_date(_first(item, _DATES), source.fetched_at),
    )


def _address(item: dict[str, Any]) -> str:
    return _text(item.get("url")).strip()


def _first(item: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := _text(item.get(name)))), "")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
