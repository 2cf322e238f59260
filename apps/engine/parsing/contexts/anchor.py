"""The text of the anchor as the context of a link."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Document, Spans
from apps.engine.parsing.contexts.context import Context


def anchor(document: Document) -> Spans:
    """One row per occurrence of a link: the words inside the anchor (SLC §3.1).

    For an anchor without text, the alt words of its images, or else those of its title attribute.
    """
    links = document.links
    count = len(links.target)
    return Spans(
        rows=count,
        row=np.arange(count, dtype=np.int32),
        start=links.anchor_start,
        end=links.anchor_end,
    )


ANCHOR = Context(
    id="anchor",
    title="Anchor text",
    sentence="The words inside the link itself, or those of its images or its title.",
    compared={"anchor": anchor},
)
