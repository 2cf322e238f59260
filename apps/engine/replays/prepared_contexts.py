"""The link contexts stored for every page: those of the strategies' default parameters.

Contexts of other parameters are computed from the page's layout.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from apps.engine.model import Document, Links, Spans
from apps.engine.parsing.contexts.aggregation import aggregation
from apps.engine.parsing.contexts.dom_offsets import OffsetSpans, dom_offsets
from apps.engine.parsing.contexts.tag_tree import tag_tree
from apps.engine.parsing.contexts.window import window
from apps.engine.replays.columns import Column

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class PreparedContext:
    """A context in columns named after it. `rows` is what a row stands for."""

    name: str
    compute: Callable[[Document], Spans | OffsetSpans]
    rows: Literal["occurrences", "targets"]
    has_offsets: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, that of the pages' ends first."""
        parts = ("ends", "row", "start", "end", *(("offset",) if self.has_offsets else ()))
        return tuple(f"context_{self.name}_{part}" for part in parts)

    def arrays(self, contexts: Sequence[Spans | OffsetSpans | None]) -> dict[str, Column]:
        """The columns of these pages; None: a page without a document."""
        pieces = [spans for spans in contexts if spans is not None]
        counts = [0 if spans is None else len(spans.row) for spans in contexts]
        ends, *names = self.columns
        joined = {
            name: np.concatenate(
                [np.empty(0, np.int32), *(getattr(s, name.rpartition("_")[2]) for s in pieces)]
            )
            for name in names
        }
        return {ends: np.cumsum(counts, dtype=np.int64), **joined}

    def read(self, columns: Mapping[str, Column], page: int, links: Links) -> Spans | OffsetSpans:
        """The context of one page."""
        ends, *names = self.columns
        start, end = int(columns[ends][page - 1]) if page else 0, int(columns[ends][page])
        rows = len(links) if self.rows == "targets" else len(links.target)
        parts = (columns[name][start:end] for name in names)
        return OffsetSpans(rows, *parts) if self.has_offsets else Spans(rows, *parts)


PREPARED: Mapping[Key, PreparedContext] = {
    ("window", 40, "fill"): PreparedContext(
        "window", lambda document: window(document, 40, "fill"), "occurrences"
    ),
    ("tag_tree", 2, 40): PreparedContext(
        "tag_tree", lambda document: tag_tree(document, 2, 40), "occurrences"
    ),
    ("aggregation", True, 1, 1000): PreparedContext(
        "block", lambda document: aggregation(document, True, 1, 1000), "targets"
    ),
    ("aggregation", False, 1, 1000): PreparedContext(
        "own_block", lambda document: aggregation(document, False, 1, 1000), "targets"
    ),
    ("dom_offsets", 5): PreparedContext(
        "dom_offsets", lambda document: dom_offsets(document, 5), "occurrences", has_offsets=True
    ),
}
"""The contexts by the name and the parameters of the function that computes them."""


def prepared_context(columns: Mapping[str, Column], page: int, links: Links, key: Key) -> Any:
    """A page's context if it is prepared, or None."""
    context = PREPARED.get(key)
    return None if context is None else context.read(columns, page, links)
