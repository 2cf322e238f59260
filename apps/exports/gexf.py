"""The link graph of a collection as GEXF 1.2, for Gephi and similar programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from apps.crawls.models import Outlinks, Page
from apps.crawls.packing import unpack_numbers
from apps.exports.columns import SIMILARITY
from apps.exports.format import DownloadSample, Format, Size
from apps.exports.link_graph import CHUNK, Nodes, edges
from apps.exports.rows import Selection, crawls_of, fetched_by
from apps.topics.inputs.inlinks import status_source

EDGE_BYTES = 62
"""The approximate length of an edge's line in bytes."""

ATTRIBUTES = (
    ("url", "string"),
    ("host", "string"),
    ("relevant", "boolean"),
    ("votes_for", "integer"),
    ("votes", "integer"),
    ("topicality", "double"),
    ("status", "double"),
    ("target", "boolean"),
    ("seed", "boolean"),
    ("depth", "integer"),
    ("page", "integer"),
    ("crawl", "integer"),
    ("crawls", "string"),
)
_OF_NEAR = (SIMILARITY, "double")
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
    "<meta><creator>crawlsite</creator>{about}</meta>\n"
    '<graph defaultedgetype="directed">\n<attributes class="node">\n'
)
# XML 1.0 forbids all other control characters, and surrogates.
_NO_XML = dict.fromkeys(
    [*(c for c in range(32) if chr(c) not in "\t\n\r"), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF]
)


def export(selection: Selection) -> Iterator[bytes]:
    """GEXF (UTF-8): a node for each page with its attributes, an edge for each link between two
    pages.

    A page that several crawls have fetched is one node, named `crawl-number` by its first row, with
    the links that any of the crawls has seen on it. Pages of a search for near ones have their
    similarity. Links to pages that are not selected, or were
    never fetched, are left out; several links between two pages are one edge.
    """
    yield _HEAD.format(about=_about(selection)).encode("utf-8", "replace")
    for index, (name, kind) in enumerate(_attributes(selection)):
        yield f'<attribute id="{index}" title="{name}" type="{kind}"/>\n'.encode()
    yield b"</attributes>\n<nodes>\n"
    graph = Nodes()
    for chunk in selection.chunks(CHUNK):
        fresh = graph.add(chunk)
        yield nodes(fresh, selection)
    yield b"</nodes>\n<edges>\n"
    yield from edges(graph, selection.crawls)
    yield b"</edges>\n</graph>\n</gexf>\n"


def _about(selection: Selection) -> str:
    """The source of the pages' status, crawl by crawl."""
    sources = ((crawl.pk, status_source(crawl.inputs)) for crawl in selection.crawls)
    words = "; ".join(f"status of crawl {pk}: {words}" for pk, words in sources if words)
    return f"<description>{escape(words.translate(_NO_XML))}</description>" if words else ""


def _attributes(selection: Selection) -> Sequence[tuple[str, str]]:
    return ATTRIBUTES if selection.nearness is None else (*ATTRIBUTES, _OF_NEAR)


def nodes(pages: Sequence[Page], selection: Selection) -> bytes:
    """The XML lines of some pages of a selection."""
    crawls, nearness = fetched_by(selection, pages), selection.nearness or {}
    lines = (_node(page, crawls_of(page, crawls), nearness.get(page.pk)) for page in pages)
    return "".join(lines).encode("utf-8", "replace")


def _node(page: Page, crawls: str, similarity: float | None) -> str:
    own = {
        SIMILARITY: similarity,
        "page": page.seq,
        "crawl": page.crawl_id,
        "crawls": crawls,
        "votes_for": page.votes,
        "votes": page.votes_of,
    }
    values = (
        (index, own[name] if name in own else getattr(page, name))
        for index, (name, _) in enumerate((*ATTRIBUTES, _OF_NEAR))
    )
    attributes = "".join(
        f'<attvalue for="{index}" value={_quoted(value)}/>'
        for index, value in values
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


def _size(sample: DownloadSample) -> Size:
    """Estimates the edges: links to pages of the crawl lead into the file in proportion to its
    share."""
    pages, crawls = sample.pages, sample.few.crawls
    seqs: dict[int, list[int]] = {}
    for page in pages:
        seqs.setdefault(page.crawl_id, []).append(page.seq)
    links = sum(_links(crawl, of_crawl) for crawl, of_crawl in seqs.items())
    inside = min(1.0, sample.rows / max(1, sum(crawl.pages for crawl in crawls)))
    return Size(
        (len(nodes(pages, sample.few)) + links * inside * EDGE_BYTES) * sample.share, exact=False
    )


def _links(crawl: int, seqs: list[int]) -> int:
    """How many links to fetched pages some pages have."""
    targets = [
        unpack_numbers(row.targets) for row in Outlinks.objects.filter(crawl=crawl, seq__in=seqs)
    ]
    numbers = [number for linked in targets for number in {*linked.tolist()}]
    fetched = Page.objects.filter(crawl=crawl).numbered(numbers)
    present = set(fetched.values_list("number", flat=True))
    return sum(number in present for number in numbers)


GEXF = Format(
    id="gexf",
    title="GEXF",
    words="link graph, for Gephi",
    sentence="Pages and the links between them as a graph, for Gephi and similar programs; the"
    " similarity of a search for near pages is an attribute.",
    content_type="application/gexf+xml",
    extension="gexf",
    export=export,
    size=_size,
    unit="page",
)
