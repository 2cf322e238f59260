"""A document that is parsed once something of it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from apps.engine.model import Document, PageSizes

_FIELDS = frozenset(field.name for field in fields(Document))


class _Later(Document):
    """A document whose fields but its address are empty until one of them is read."""

    __slots__ = ("_parse", "_sizes")
    _parse: Callable[[], Document]
    _sizes: PageSizes

    def __getattr__(self, name: str) -> Any:
        if name not in _FIELDS:
            raise AttributeError(name)
        document = self._parse()
        for field in _FIELDS:
            object.__setattr__(self, field, getattr(document, field))
        return getattr(self, name)

    @property
    def sizes(self) -> PageSizes:
        return self._sizes if hasattr(self, "_sizes") else super().sizes


def parsed_later(parse: Callable[[], Document], url: str, sizes: PageSizes) -> Document:
    """The document that `parse` returns, of which address and sizes are given. What `parse` raises,
    the first to read another field gets."""
    document = object.__new__(_Later)
    for name, value in {"_parse": parse, "url": url, "_sizes": sizes}.items():
        object.__setattr__(document, name, value)
    return document
