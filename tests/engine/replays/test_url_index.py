from __future__ import annotations

import numpy as np

from apps.engine.replays import url_index
from apps.engine.replays.url_index import UrlIndex, index_columns

URLS = [f"http://h{i % 3}.test/{i}" for i in range(50)]


def index() -> UrlIndex:
    return UrlIndex(*index_columns(URLS), URLS, np.arange(50))


def test_it_finds_each_page_and_no_other():
    assert [index().page(url) for url in URLS] == list(range(50))
    assert index().page("http://h0.test/1") is None
    assert UrlIndex(*index_columns([]), [], np.empty(0)).page(URLS[0]) is None


def test_urls_of_one_hash_are_distinguished(monkeypatch):
    monkeypatch.setattr(url_index, "_hash", lambda url: len(url) - 20)
    assert [index().page(url) for url in URLS] == list(range(50))
    assert index().page("http://h9.test/99") is None
