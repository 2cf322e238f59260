"""Zip archives and XML of strangers: limits on size, entries and nesting, and no entities."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from lxml import etree

from apps.engine.codes import Failure
from apps.engine.parsing.documents.limits import DocumentFailed

MOST_ENTRIES = 10_000
MOST_UNPACKED = 100 * 2**20
MOST_OF_A_PART = 30 * 2**20
_ENTITY = re.compile(rb"<!(?:ENTITY|DOCTYPE)", re.IGNORECASE)
_WIDE_MARK = b"\0"
_READ_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    RuntimeError,  # an encrypted entry
    ValueError,
)


class Archive:
    """The parts of a zipped document. Raises DocumentFailed for one that is broken or a bomb."""

    def __init__(self, body: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
        except _READ_ERRORS as error:
            raise DocumentFailed(Failure.BROKEN_DOCUMENT, f"no zip archive: {error}") from None
        if len(self._zip.infolist()) > MOST_ENTRIES:
            raise DocumentFailed(
                Failure.TOO_COMPLEX, f"more than {MOST_ENTRIES:,} parts in its archive"
            )
        self._unpacked = 0

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its parts."""
        return frozenset(self._zip.namelist())

    def read(self, name: str) -> bytes:
        """A part's bytes, however large it claims to be. Raises DocumentFailed."""
        try:
            info = self._zip.getinfo(name)
            if info.flag_bits & 1:
                raise DocumentFailed(Failure.ENCRYPTED)
            with self._zip.open(info) as file:
                data = file.read(MOST_OF_A_PART + 1)
        except _READ_ERRORS as error:
            raise DocumentFailed(Failure.BROKEN_DOCUMENT, f"{name}: {error}") from None
        self._unpacked += len(data)
        if len(data) > MOST_OF_A_PART or self._unpacked > MOST_UNPACKED:
            raise DocumentFailed(Failure.TOO_COMPLEX, f"{name} unpacks to too many bytes")
        return data

    def root(self, name: str) -> Any:
        """The root element of a part; None if there is no such part. Raises DocumentFailed."""
        return parse_xml(self.read(name), name) if name in self.names else None

    def texts(self, name: str) -> Iterator[tuple[str, str]]:
        """The local name and the text of each element of a small part; nothing without the part."""
        root = self.root(name)
        for element in () if root is None else root.iter(etree.Element):
            yield local_name(element), (element.text or "").strip()


def parse_xml(data: bytes, name: str) -> Any:
    """The root element. Raises DocumentFailed for damaged XML, for entities, which no office
    program writes, and for elements nested more deeply than libxml2 reads (256)."""
    if _ENTITY.search(data if _WIDE_MARK not in data[:4] else data.replace(b"\0", b"")):
        raise DocumentFailed(Failure.BROKEN_DOCUMENT, f"{name} defines entities")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_pis=True
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise DocumentFailed(Failure.BROKEN_DOCUMENT, f"{name}: {error.msg}") from None


def local_name(element: Any) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: Any, name: str) -> str:
    """The value of the attribute of that local name; empty without."""
    return next(
        (value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), ""
    )
