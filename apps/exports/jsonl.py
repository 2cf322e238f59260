"""A collection as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apps.crawls.models import Page
from apps.engine.parsing.document import parse
from apps.exports.bodies import Bodies, OpenBodies
from apps.exports.rows import Selection, rows

CONTENT_TYPE = "application/x-ndjson; charset=utf-8"
EXTENSION = "jsonl"


def export(selection: Selection) -> Iterator[bytes]:
    """One JSON object a line (UTF-8), a page each, with the CSV's columns; unknown = null.

    With `choice.text` a key `text` holds the page's visible words, in lower case, title first.
    Raises BadWebFile where a stored page is gone.
    """
    if not selection.choice.text:
        yield from (_line(values) for _, values in rows(selection))
        return
    with OpenBodies() as opened:
        for page, values in rows(selection):
            yield _line({**values, "text": _text(opened.of(selection.crawl_of(page)), page)})


def _text(bodies: Bodies, page: Page) -> str:
    document = parse(bodies.answer(page))
    return " ".join(document.words[: document.visible])


def _line(values: dict[str, object]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
