"""The bytes of a message.

Pickling frozen dataclasses, arrays and lists of short words costs more than the rest of a message,
so pages are packed by hand, in a form that `pickle.loads` reads.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from io import BytesIO
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.agents.messages import FetchTask, Reply
from apps.engine.agents.wording import AgentNumbers, ArrivingWords
from apps.engine.answers import Answer
from apps.engine.model import Document, Links
from apps.engine.parsing.contexts.layout import Layout, LayoutLater

Reduced = tuple[Callable[..., Any], tuple[Any, ...]]


def packed(message: object, numbers: AgentNumbers | None = None) -> bytes:
    """The message for `pickle.loads`. With `numbers` the words of a page are numbered; it must be
    sent next then."""
    buffer = BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _REDUCERS
    if numbers is not None:
        pickler.dispatch_table = {**_REDUCERS, Document: partial(_pack_document, numbers=numbers)}
    pickler.dump(message)
    return buffer.getvalue()


def _by_values(kind: type) -> Callable[[Any], Reduced]:
    """Packs a dataclass as the values of its fields in order."""
    values = attrgetter(*(field.name for field in fields(kind)))
    return lambda value: (kind, values(value))


def _pack_document(document: Document, numbers: AgentNumbers | None = None) -> Reduced:
    """A tag tree cannot travel: a `LayoutLater` does."""
    words, tree = document.words, document.tree
    sent = " ".join(words) if numbers is None else numbers.of(words)
    if tree is not None and not isinstance(tree, Layout):
        tree = LayoutLater()
    return _document, (sent, tree, _of_document(document))


def _document(sent: Any, tree: Any, values: tuple[Any, ...]) -> Document:
    words: Sequence[str] = ArrivingWords(*sent) if type(sent) is tuple else _split(sent)
    url, base_url, title, visible, text_start, links, *rest = values
    return Document(url, base_url, title, words, visible, text_start, links, tree, *rest)


def _split(text: str) -> list[str]:
    return text.split(" ") if text else []


def _pack_links(links: Links) -> Reduced:
    return _links, ("\n".join(links.urls), _of_links(links))


def _links(urls: str, values: tuple[Any, ...]) -> Links:
    target, start, end, nofollow, position, spellings = values
    targets = tuple(urls.split("\n")) if urls else ()
    return Links(targets, target, start, end, (), nofollow, position, spellings)


def _pack_array(array: NDArray[Any]) -> Reduced:
    if array.ndim != 1 or array.dtype.hasobject:
        return array.__reduce__()  # type: ignore[return-value]
    return np.frombuffer, (bytearray(array.tobytes()), array.dtype.str)


_of_document = attrgetter(
    *(field.name for field in fields(Document) if field.name not in ("words", "tree"))
)
_of_links = attrgetter("target", "anchor_start", "anchor_end", "nofollow", "position", "spellings")
_REDUCERS: dict[type, Callable[[Any], Reduced]] = {
    Answer: _by_values(Answer),
    Document: _pack_document,
    FetchTask: _by_values(FetchTask),
    LayoutLater: lambda later: (LayoutLater, ()),
    Links: _pack_links,
    Reply: _by_values(Reply),
    np.ndarray: _pack_array,
}
