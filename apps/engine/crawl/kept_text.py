"""What it takes to score a page's links anew, kept without the page: DESIGN §5's link contexts.

The words as token ids, where the links stand among them and, for a strategy that reads blocks of
the page's tree, the blocks. Contexts overlap, so that the words are kept once and the contexts as
places among them; what is read back goes through the strategy's own code and scores bit for bit
as the page would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apps.engine.model import Document, Ints, Links, Spans, Visit

LOW_BITS = 16
HEAD = 10


def kept_text(visit: Visit) -> bytes:
    """The page's text: some two bytes a word and eight a link, before any compression."""
    document, links = visit.document, visit.links
    columns = [links.target, links.anchor_start, links.anchor_end]
    columns += [] if links.position is None else [links.position]
    spans = visit.spans
    columns += [] if spans is None else [spans.row, spans.start, spans.end]
    head = (
        len(visit.tokens), document.visible, document.text_start, document.numbers, len(links),
        len(links.target), links.position is not None, spans is not None,
        spans.rows if spans else 0, len(spans.row) if spans else 0,
    )
    return _written([np.array(head, np.int32), visit.tokens + 1, *columns])


def read_text(kept: bytes, seq: int, number: int, url: str) -> Visit:
    """The visit of page `seq` as `kept_text` had it; the page's other properties are not known."""
    values = _read(kept)
    words, visible, text_start, numbers, count, placed, apart, blocks, rows, pieces = (
        values[:HEAD].tolist()
    )
    sizes = [words, *[placed] * (4 if apart else 3), *[pieces] * (3 if blocks else 0)]
    tokens, target, start, end, *rest = np.split(values[HEAD:], np.cumsum(sizes)[:-1])
    return Visit(
        number=seq, url=url, url_number=number, parent=-1, depth=0,
        document=Document(
            url=url, base_url=url, title="", words=[], visible=visible, text_start=text_start,
            links=Links(
                ("",) * count, target, start, end, (), np.zeros(count, np.bool_),
                rest[0] if apart else None,
            ),
            numbers=numbers,
        ),
        tokens=tokens - 1,
        link_numbers=np.full(count, -1, np.int64),
        spans=Spans(rows, *rest[-3:]) if blocks else None,
    )


def without_text(visit: Visit) -> Visit:
    """The judged page with as many links, for strategies whose links are as good as the page."""
    none, count = np.empty(0, np.int32), len(visit.links)
    links = Links(("",) * count, none, none, none, (), np.zeros(count, np.bool_))
    document = replace(visit.document, links=links)
    return replace(visit, document=document, tokens=none, spans=None)


def _written(columns: Sequence[Ints]) -> bytes:
    """All numbers (0 to 2^24) by their low halves, then their high bytes where there are any."""
    values = np.concatenate(columns)
    high = values >> LOW_BITS
    low = values.astype("<u2").tobytes()
    return b"\1" + low + high.astype(np.uint8).tobytes() if high.any() else b"\0" + low


def _read(kept: bytes) -> Ints:
    wide = kept[0]
    count = (len(kept) - 1) // (3 if wide else 2)
    values = np.frombuffer(kept, "<u2", count, 1).astype(np.int32)
    if wide:
        values += np.frombuffer(kept, np.uint8, count, 1 + 2 * count).astype(np.int32) << LOW_BITS
    return values
