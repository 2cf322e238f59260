"""The Open Directory's content dump (`content.rdf.u8`), read as a stream (LC §5, SL §5.1).

A `Topic` names a category and its addresses; an `ExternalPage` after it gives each one's title and
description, and in most dumps its category. Dumps differ in namespaces and root, so elements are
matched by local name. Bytes that are not UTF-8 become U+FFFD; characters forbidden in XML are
dropped.
"""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from lxml import etree

from apps.directories.readers.listing import (
    REPORT_EVERY,
    BadDirectoryFile,
    Listed,
    Progress,
    category_path,
)
from apps.engine.file_faults import FileFault, fault_words
from apps.engine.networking.web_import.opening import opened

MOST_BETWEEN = 16 * 2**20
_FORBIDDEN = bytes(code for code in range(32) if code not in (9, 10, 13))


def read_odp(path: Path, progress: Progress | None = None) -> Iterator[Listed]:
    """Every category and every page of a dump, in its order, plain or gzipped.

    Raises BadDirectoryFile, with the line and the number of pages read, if the XML is broken.
    """
    pages = 0
    try:
        with opened(path) as (stream, position):
            for listed in _read_listings(stream):
                pages += bool(listed.url)
                yield listed
                if progress and listed.url and pages % REPORT_EVERY == 0:
                    progress(*position())
            if progress:
                progress(*position())
    except etree.XMLSyntaxError as error:
        raise BadDirectoryFile(
            f"{path.name} is not complete XML: line {error.lineno:,} breaks off or is bad, after"
            f" {pages:,} pages. Nothing was kept; get the file again."
        ) from None
    except (FileFault, OSError, EOFError, zlib.error) as error:
        raise BadDirectoryFile(
            f"{path.name} cannot be read after {pages:,} pages: {fault_words(error)}."
            " Nothing was kept."
        ) from None


def _read_listings(stream: Any) -> Iterator[Listed]:
    """Categories, pages with their titles, and addresses that no page element describes."""
    here = ""
    waiting: dict[str, None] = {}
    stream = _Readable(stream)
    elements = etree.iterparse(
        stream,
        events=("end",),
        tag=("{*}Topic", "{*}ExternalPage", "Topic", "ExternalPage"),
        resolve_entities=False,
        no_network=True,
        encoding="utf-8",
    )
    for _, element in elements:
        stream.since = 0
        if _name(element) == "Topic":
            yield from (Listed(here, url) for url in waiting)
            here = category_path(_attribute(element, "id"))
            waiting = dict.fromkeys(_addresses(element))
            yield Listed(here, "")
        else:
            page = _page(element, here)
            if page.category == here:
                waiting.pop(page.url, None)
            yield page
        _forget(element)
    yield from (Listed(here, url) for url in waiting)


def _page(element: Any, here: str) -> Listed:
    """A page in the category it names, else in the last one before it."""
    texts = {
        _name(child): " ".join((child.text or "").split())
        for child in element
        if isinstance(child.tag, str)
    }
    return Listed(
        category_path(texts["topic"]) if texts.get("topic") else here,
        _attribute(element, "about").strip(),
        texts.get("Title", ""),
        texts.get("Description", ""),
    )


def _addresses(topic: Any) -> Iterator[str]:
    """The targets of `link`, `link1` …; feeds and documents (`rss`, `pdf`) are left out."""
    for child in topic:
        if isinstance(child.tag, str) and _name(child).startswith("link"):
            yield _attribute(child, "resource").strip()


def _name(element: Any) -> str:
    return str(etree.QName(element).localname)


def _attribute(element: Any, name: str) -> str:
    """An attribute by its local name; empty if it is missing."""
    return next(
        (str(value) for key, value in element.attrib.items() if etree.QName(key).localname == name),
        "",
    )


def _forget(element: Any) -> None:
    """Frees the elements that were read; the tree would grow to the size of the file."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


class _Readable:
    """A stream made fit for an XML parser: valid UTF-8 without forbidden characters.

    `since` counts the bytes since the last topic or page, because all other elements stay in
    memory.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.since = 0
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self, size: int = 65_536) -> bytes:
        """Up to `size` bytes and a few more; empty only at the end."""
        while True:
            piece = self._stream.read(size)
            self.since += len(piece)
            if self.since > MOST_BETWEEN:
                raise FileFault(f"{MOST_BETWEEN >> 20} MB without a Topic or an ExternalPage")
            text = self._decoder.decode(piece.translate(None, _FORBIDDEN), final=not piece)
            if text or not piece:
                return text.encode("utf-8")
