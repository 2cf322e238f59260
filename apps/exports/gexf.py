"""The link graph of a collection as GEXF 1.3, for Gephi and its kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from apps.crawls.models import Crawl, Outlinks, Page
from apps.crawls.records import unpacked
from apps.exports.rows import Selection
from apps.topics.provenance import status_source

CONTENT_TYPE = "application/gexf+xml"
EXTENSION = "gexf"
CHUNK = 1_000

ATTRIBUTES = (
    ("url", "string"), ("host", "string"), ("relevant", "boolean"), ("votes", "integer"),
    ("topicality", "double"), ("status", "double"), ("target", "boolean"), ("seed", "boolean"),
    ("depth", "integer"), ("page", "integer"), ("crawl", "integer"),
)  # fmt: skip
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
    "<meta><creator>crawlsite</creator>{about}</meta>\n"
    '<graph defaultedgetype="directed">\n<attributes class="node">\n'
)
# XML 1.0 knows no other characters below the space, and no surrogates.
_NO_XML = dict.fromkeys(
    [*(c for c in range(32) if chr(c) not in "\t\n\r"), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF]
)


def export(selection: Selection) -> Iterator[bytes]:
    """GEXF (UTF-8): a node a page with its attributes, an edge a link between two of the pages.

    Nodes are named `crawl-number`; links to pages that are not selected, or were never fetched,
    are left out, and a page's several links to another are one edge.
    """
    yield _HEAD.format(about=_about(selection)).encode("utf-8", "replace")
    for place, (name, kind) in enumerate(ATTRIBUTES):
        yield f'<attribute id="{place}" title="{name}" type="{kind}"/>\n'.encode()
    yield b"</attributes>\n<nodes>\n"
    numbers: dict[int, list[NDArray[np.int64]]] = {crawl.pk: [] for crawl in selection.crawls}
    for chunk in selection.chunks(CHUNK):
        kept = [(page.number, page.seq) for page in chunk]
        numbers[chunk[0].crawl_id].append(np.array(kept, np.int64))
        yield nodes(chunk)
    yield b"</nodes>\n<edges>\n"
    for crawl in selection.crawls:
        if numbers[crawl.pk]:
            yield from _edges(crawl, np.concatenate(numbers[crawl.pk]))
    yield b"</edges>\n</graph>\n</gexf>\n"


def _about(selection: Selection) -> str:
    """Where the pages' status comes from, crawl by crawl."""
    sources = ((crawl.pk, status_source(crawl.sources)) for crawl in selection.crawls)
    words = "; ".join(f"status of crawl {pk}: {words}" for pk, words in sources if words)
    return f"<description>{escape(words.translate(_NO_XML))}</description>" if words else ""


def nodes(pages: Iterable[Page]) -> bytes:
    """The lines of some pages, as they stand in the file."""
    return "".join(map(_node, pages)).encode("utf-8", "replace")


def _node(page: Page) -> str:
    values = (
        (place, getattr(page, {"page": "seq", "crawl": "crawl_id"}.get(name, name)))
        for place, (name, _) in enumerate(ATTRIBUTES)
    )
    attributes = "".join(
        f'<attvalue for="{place}" value={_quoted(value)}/>'
        for place, value in values
        if value is not None
    )
    label = _quoted(page.title or page.final_url)
    return (
        f'<node id="{page.crawl_id}-{page.number}" label={label}>'
        f"<attvalues>{attributes}</attvalues></node>\n"
    )


def _quoted(value: Any) -> str:
    if isinstance(value, bool):
        return '"true"' if value else '"false"'
    return quoteattr(str(value).translate(_NO_XML))


def _edges(crawl: Crawl, kept: NDArray[np.int64]) -> Iterator[bytes]:
    """The links of the kept pages (number, seq) among themselves, some pages at a time."""
    wanted = np.zeros(kept[:, 0].max() + 1, np.bool_)
    wanted[kept[:, 0]] = True
    number_of = dict(zip(kept[:, 1].tolist(), kept[:, 0].tolist(), strict=True))
    after = 0
    while links := list(Outlinks.objects.filter(crawl=crawl, seq__gt=after)[:CHUNK]):
        yield "".join(
            _edges_of(crawl.pk, number_of[row.seq], row.targets, wanted)
            for row in links
            if row.seq in number_of
        ).encode()
        after = links[-1].seq


def _edges_of(crawl: int, source: int, blob: bytes, wanted: NDArray[np.bool_]) -> str:
    known = unpacked(blob)
    known = known[known < len(wanted)]
    targets = np.unique(known[wanted[known]])
    return "".join(
        f'<edge id="{crawl}-{source}-{target}" source="{crawl}-{source}"'
        f' target="{crawl}-{target}"/>\n'
        for target in targets.tolist()
    )
