"""The bytes of a message.

What pickle does for frozen dataclasses, arrays and lists of short words costs more than the rest of
a message, so pages are packed by hand; `pickle.loads` reads them all the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import fields
from io import BytesIO
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Answer, Document, Links

Reduced = tuple[Callable[..., Any], tuple[Any, ...]]


def packed(message: object) -> bytes:
    """The message for `pickle.loads`."""
    buffer = BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _REDUCERS
    pickler.dump(message)
    return buffer.getvalue()


def _by_values(kind: type) -> Callable[[Any], Reduced]:
    """Packs a dataclass as the values of its fields in order."""
    values = attrgetter(*(field.name for field in fields(kind)))
    return lambda value: (kind, values(value))


def _pack_document(document: Document) -> Reduced:
    words = document.words
    text = " ".join(words) if type(words) is list else words
    return _document, (text, _of_document(document))


def _document(text: Any, values: tuple[Any, ...]) -> Document:
    words = (text.split(" ") if text else []) if type(text) is str else text
    url, base_url, title, *rest = values
    return Document(url, base_url, title, words, *rest)


def _pack_links(links: Links) -> Reduced:
    return _links, ("\n".join(links.urls), _of_links(links))


def _links(urls: str, values: tuple[Any, ...]) -> Links:
    return Links(tuple(urls.split("\n")) if urls else (), *values)


def _pack_array(array: NDArray[Any]) -> Reduced:
    if array.ndim != 1 or array.dtype.hasobject:
        return array.__reduce__()  # type: ignore[return-value]
    return np.frombuffer, (bytearray(array.tobytes()), array.dtype.str)


_of_document = attrgetter(*(each.name for each in fields(Document) if each.name != "words"))
_of_links = attrgetter(*(each.name for each in fields(Links) if each.name != "urls"))
_REDUCERS: dict[type, Callable[[Any], Reduced]] = {
    Answer: _by_values(Answer),
    Document: _pack_document,
    Links: _pack_links,
    np.ndarray: _pack_array,
}
