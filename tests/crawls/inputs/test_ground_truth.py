"""The ground truth given to the measures of a crawl."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apps.crawls.inputs.ground_truth import labels_of, relevant_pages
from apps.webs.importing import import_web
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.selectors import live_web

pytestmark = pytest.mark.django_db


@pytest.fixture
def web(tmp_path: Path) -> Web:
    """Ten pages, three of them about bread."""
    pages = [
        {"url": f"http://a.test/{i}", "html": f"<p>page {i}", "topics": ["bread"] * (i < 3)}
        for i in range(10)
    ]
    file = tmp_path / "web.jsonl"
    file.write_text("\n".join(map(json.dumps, pages)))
    return import_web("labelled", file)[0]


def test_the_pages_that_carry_the_label_are_counted(web):
    assert relevant_pages("bread", web) == 3
    assert relevant_pages("cheese", web) == 0


def test_without_a_label_or_a_recorded_web_nothing_is_known(web):
    assert relevant_pages("", web) is None
    assert relevant_pages("bread", live_web()) is None


def test_a_page_has_the_label_or_not_or_nobody_knows(web):
    has_label = labels_of("bread", open_web(web))
    assert has_label("http://a.test/1") is True
    assert has_label("http://a.test/5") is False
    assert labels_of("", open_web(web))("http://a.test/1") is None
    assert labels_of("bread", None)("http://a.test/1") is None
