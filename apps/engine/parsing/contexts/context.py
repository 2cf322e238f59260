"""The description of a link context, for the help and for the measures that compare contexts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from apps.engine.model import Document, Spans


@dataclass(frozen=True, slots=True)
class Context:
    """A method of choosing the words that describe a link.

    `compared` are its variants, by name, that are compared with editors' descriptions of the target
    pages (LC §10.1); each returns one row per occurrence of a link.
    """

    id: str
    title: str
    sentence: str
    compared: Mapping[str, Callable[[Document], Spans]] = field(default_factory=dict)
