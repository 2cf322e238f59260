"""A collection as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apps.crawls.models import Page
from apps.crawls.pages.bodies import Bodies, OpenBodies
from apps.engine.parsing.document import parse
from apps.exports.format import Format, Sample, Size, size_by_words
from apps.exports.rows import Selection, rows


def export(selection: Selection) -> Iterator[bytes]:
    """One JSON object a line (UTF-8) for each page, with the CSV's columns; unknown values are
    null.

    With `choice.text` a key `text` holds the page's visible words, in lower case, title first.
    Raises BadWebFile if a stored page is gone.
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


def _size(sample: Sample) -> Size:
    return size_by_words(export, sample)


JSONL = Format(
    id="jsonl",
    title="JSON lines",
    words="one a page, with its words",
    sentence="One object a page, with its words if you like.",
    content_type="application/x-ndjson; charset=utf-8",
    extension="jsonl",
    export=export,
    size=_size,
    takes_text=True,
)
