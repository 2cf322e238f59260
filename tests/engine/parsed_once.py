"""The pages of a web parsed once for all crawls of a module, since crawls change no document.

Large ones too, and in this process: that elsewhere they come to the same is another test's, which
waits for a process however busy the machine is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from apps.engine.answers import Answer
from apps.engine.crawl import page_reader
from apps.engine.model import Document
from apps.engine.parsing.contexts.layout import without_tree
from apps.engine.parsing.document import parse
from apps.engine.parsing.large_pages import LargePages


@contextmanager
def each_page_parsed_once() -> Iterator[None]:
    """Within, a page is parsed for the first crawl that fetches it."""
    documents: dict[tuple[str, bytes], Document] = {}

    def parse_once(answer: Answer) -> Document:
        key = answer.final_url, answer.body
        if key not in documents:
            documents[key] = parse(answer)
        return documents[key]

    async def parse_large_once(pages: LargePages, answer: Answer) -> Document:
        return without_tree(parse_once(answer))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(page_reader, "parse", parse_once)
        patched.setattr(LargePages, "parse", parse_large_once)
        yield


@pytest.fixture(scope="module")
def parsed_once() -> Iterator[None]:
    with each_page_parsed_once():
        yield
