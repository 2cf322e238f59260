"""What a link context says of itself, for the help and for the measures that compare contexts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from apps.engine.model import Document, Spans


@dataclass(frozen=True, slots=True)
class Context:
    """A way to find the words that speak for a link.

    `compared` are the settings of it that are held against editors' descriptions of the pages
    linked to (LC §10.1), by name; each gives one row an occurrence of a link.
    """

    id: str
    title: str
    sentence: str
    compared: Mapping[str, Callable[[Document], Spans]] = field(default_factory=dict)
