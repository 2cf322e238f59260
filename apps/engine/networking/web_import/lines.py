"""The pages of a web as JSON objects, under the names that programs give their parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from apps.engine.errors import BadLine
from apps.engine.file_faults import fault_words
from apps.engine.networking.web_import.moments import unix_seconds

NAMES: Mapping[str, tuple[str, ...]] = {
    "url": ("final_url", "url", "address", "uri", "link", "page_url", "loc"),
    "html": ("html", "content", "body", "raw_html", "page_source", "source"),
    "text": ("text", "main_text", "raw_text", "plain_text"),
    "moment": ("captured_at", "fetched_at", "crawled_at", "timestamp", "date"),
}
"""The names that are read as each part, the first that is there."""


class PageLine(BaseModel):
    """One page of a web as JSON; other names are passed over. Of a page without `html` the `text`
    counts, paragraphs parted by a blank line, with its `title`."""

    model_config = ConfigDict(strict=True, frozen=True)

    url: str = Field(description="a text")
    html: str = Field(description="a text")
    topics: list[str] | None = Field(None, description="a list of texts")
    split: str | None = Field(None, description="a text")
    headers: dict[str, str] | None = Field(None, description="an object of texts")
    asked: str = Field("", description="a text")
    fetched_at: float = Field(0.0, description="a date")


def page_line(number: int, text: bytes) -> PageLine:
    """The page of one line, from 1. Raises BadLine."""
    try:
        return page_of(number, json.loads(text))
    except (ValueError, RecursionError) as error:
        raise BadLine(f"line {number:,} is not a page: {fault_words(error)}", line=number) from None


def page_of(number: int, value: Any) -> PageLine:
    """The page of an object. Raises BadLine."""
    try:
        return PageLine.model_validate(_parts(value) if isinstance(value, dict) else value)
    except ValidationError as error:
        raise BadLine(f"line {number:,} is not a page: {_fault(error)}", line=number) from None


def _parts(value: dict[str, Any]) -> dict[str, Any]:
    same = ("topics", "split", "headers")
    parts: dict[str, Any] = {name: value[name] for name in same if name in value}
    read = {part: _first(value, names) for part, names in NAMES.items()}
    if read["html"] is None and isinstance(read["text"], str):
        read["html"] = _html_of(value.get("title"), read["text"])
    parts |= {part: read[part] for part in ("url", "html") if read[part] is not None}
    if isinstance(read["moment"], str):
        parts["fetched_at"] = unix_seconds(read["moment"])
    if isinstance(value.get("url"), str):
        parts["asked"] = value["url"]
    return parts


def _first(value: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _html_of(title: Any, text: str) -> str:
    head = f"<title>{escape(title)}</title>" if isinstance(title, str) else ""
    paragraphs = (escape(part).replace("\n", "<br>") for part in text.split("\n\n"))
    return head + "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)


def _fault(error: ValidationError) -> str:
    location = error.errors(include_url=False, include_context=False, include_input=False)[0]["loc"]
    if not location:
        return 'it is not an object {"url": …}'
    return f'"{location[0]}" must be {PageLine.model_fields[str(location[0])].description}'
