"""A document that is parsed once something of it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from apps.engine.model import Document

_FIELDS = frozenset(field.name for field in fields(Document))


class _Later(Document):
    """A document whose fields are empty until one of them is read."""

    __slots__ = ("_parse",)
    _parse: Callable[[], Document]

    def __getattr__(self, name: str) -> Any:
        if name not in _FIELDS:
            raise AttributeError(name)
        document = self._parse()
        for field in _FIELDS:
            object.__setattr__(self, field, getattr(document, field))
        return getattr(self, name)


def parsed_later(parse: Callable[[], Document]) -> Document:
    """The document that `parse` returns. What that raises, the first to read a field gets."""
    document = object.__new__(_Later)
    object.__setattr__(document, "_parse", parse)
    return document
