"""Pages of a topic as they are read: without their trees, which are read again for a layout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from apps.engine.errors import BadWebFile
from apps.engine.parsing.contexts.layout import LayoutLater, layout
from apps.engine.parsing.document import parse
from apps.topics.examples.page_store import (
    ExampleWriter,
    delete_pages,
    page_store,
    read_document,
)
from tests.crawls.run_here import MADE

PAGE = MADE.get(MADE.url(0))


def test_a_document_holds_no_tree_and_its_layout_is_that_of_the_page(data_dir: Path) -> None:
    with ExampleWriter(1) as pages:
        record = pages.append(PAGE)
    store, parsed = page_store(1), parse(PAGE)
    document = read_document(store, record)
    assert isinstance(document.tree, LayoutLater) and not document.links.nodes
    assert document.words == parsed.words
    assert document.links.target.tolist() == parsed.links.target.tolist()
    store.close()
    laid_out, expected = layout(document), layout(parsed)
    for name in ("parent", "start", "end", "leaf_start", "leaf_end", "leaf_word", "links"):
        assert np.array_equal(getattr(laid_out, name), getattr(expected, name))
    assert not store._files
    delete_pages(1)
    assert layout(document) is laid_out


def test_a_layout_of_a_page_that_is_gone_says_so(data_dir: Path) -> None:
    with ExampleWriter(1) as pages:
        record = pages.append(PAGE)
    store = page_store(1)
    document = read_document(store, record)
    store.close()
    delete_pages(1)
    with pytest.raises(BadWebFile):
        layout(document)
