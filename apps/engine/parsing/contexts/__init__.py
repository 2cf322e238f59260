"""Link contexts: the words that describe a link. Each has one file and one line here."""

from __future__ import annotations

from apps.engine.parsing.contexts.aggregation import AGGREGATION
from apps.engine.parsing.contexts.anchor import ANCHOR
from apps.engine.parsing.contexts.context import Context
from apps.engine.parsing.contexts.dom_offsets import DOM_OFFSETS
from apps.engine.parsing.contexts.full_page import FULL_PAGE
from apps.engine.parsing.contexts.leaf_tags import LEAF_TAGS
from apps.engine.parsing.contexts.tag_tree import TAG_TREE
from apps.engine.parsing.contexts.window import WINDOW

CONTEXTS: tuple[Context, ...] = (
    ANCHOR,
    WINDOW,
    TAG_TREE,
    FULL_PAGE,
    AGGREGATION,
    DOM_OFFSETS,
    LEAF_TAGS,
)
