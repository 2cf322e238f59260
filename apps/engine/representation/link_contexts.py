"""Link contexts packed into bytes, so that links can be scored again without parsing their page.

The words are stored as token ids, with the positions of the links and, for a strategy that reads
blocks of the page's tree, those of the blocks. Contexts overlap, so the words are stored once. The
strategy scores unpacked contexts with the code it uses for pages, bit for bit the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apps.engine.model import Document, Ints, Links, Spans, Visit

LOW_BITS = 16
HEAD = 10


def pack_contexts(visit: Visit) -> bytes:
    """The contexts of a page's links: about two bytes a word and eight a link, uncompressed."""
    document, links = visit.document, visit.links
    columns = [links.target, links.anchor_start, links.anchor_end]
    columns += [] if links.position is None else [links.position]
    spans = visit.spans
    columns += [] if spans is None else [spans.row, spans.start, spans.end]
    columns += [] if document.main is None else [document.main]
    head = (
        len(visit.tokens),
        document.visible,
        document.text_start,
        document.numbers,
        len(links),
        len(links.target),
        links.position is not None,
        spans is not None,
        spans.rows if spans else 0,
        len(spans.row) if spans else 0,
    )
    return _to_bytes([np.array(head, np.int32), visit.tokens + 1, *columns])


def unpack_contexts(packed: bytes, seq: int, number: int, url: str) -> Visit:
    """The visit of page `seq` from its packed contexts; its links have no URLs."""
    values = _from_bytes(packed)
    words, visible, text_start, numbers, count, occurrences, apart, blocks, rows, pieces = values[
        :HEAD
    ].tolist()
    sizes = [words, *[occurrences] * (4 if apart else 3), *[pieces] * (3 if blocks else 0)]
    *parts, main = np.split(values[HEAD:], np.cumsum(sizes))
    tokens, target, start, end, *rest = parts
    return Visit(
        number=seq,
        url=url,
        url_number=number,
        parent=-1,
        depth=0,
        document=Document(
            url=url,
            base_url=url,
            title="",
            words=[],
            visible=visible,
            text_start=text_start,
            links=Links(
                ("",) * count,
                target,
                start,
                end,
                (),
                np.zeros(count, np.bool_),
                rest[0] if apart else None,
            ),
            numbers=numbers,
            main=main if len(main) else None,
        ),
        tokens=tokens - 1,
        link_numbers=np.full(count, -1, np.int64),
        spans=Spans(rows, *rest[-3:]) if blocks else None,
    )


def without_contexts(visit: Visit) -> Visit:
    """The visit reduced to its judgement and its number of links, for scores of whole pages."""
    none, count = np.empty(0, np.int32), len(visit.links)
    links = Links(("",) * count, none, none, none, (), np.zeros(count, np.bool_))
    document = replace(visit.document, links=links, main=None)
    return replace(visit, document=document, tokens=none, spans=None)


def _to_bytes(columns: Sequence[Ints]) -> bytes:
    """Encodes numbers below 2^24: their low 16 bits, then their high bytes unless all are 0."""
    values = np.concatenate(columns)
    low = values.astype("<u2").tobytes()
    if values.max() < 1 << LOW_BITS:
        return b"\0" + low
    return b"\1" + low + (values >> LOW_BITS).astype(np.uint8).tobytes()


def _from_bytes(packed: bytes) -> Ints:
    wide = packed[0]
    count = (len(packed) - 1) // (3 if wide else 2)
    values = np.frombuffer(packed, "<u2", count, 1).astype(np.int32)
    if wide:
        values += np.frombuffer(packed, np.uint8, count, 1 + 2 * count).astype(np.int32) << LOW_BITS
    return values
