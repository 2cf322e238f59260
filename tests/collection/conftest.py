"""A topic with two crawls whose pages are stored."""

from __future__ import annotations

import pytest

from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from tests.collection_fixtures import (  # noqa: F401
    crawl,
    other_crawl,
    owner,
    searched_by,
    stranger,
    topic,
)


@pytest.fixture(autouse=True)
def read_here(monkeypatch) -> None:
    """Pages are read in this process: another one takes seconds to start."""
    monkeypatch.setattr(READER, "read", read_article)
