"""Collected pages for programs."""

from __future__ import annotations

import pytest

from apps.collection.indexing.reading import read_pages
from apps.collection.models import Progress
from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from tests.collection_fixtures import crawl, owner, store, stranger, topic  # noqa: F401
from tests.near_pages import add_pages
from tests.people import Program

pytestmark = pytest.mark.django_db

SENTENCE = "The town heats its hall with two heat pumps, which have replaced the boiler. "
PAGE = (
    "<html><head><title>Two winters | Town Hall</title>"
    "<meta property='og:site_name' content='Town Hall'><meta name='author' content='Ada'></head>"
    f"<body><article><h1>Two winters</h1><p>{SENTENCE * 4}</p></article></body></html>"
)
ADDRESS = "http://hall.test/news/2024/05/winters"


def test_a_page_has_what_was_read_of_it(owner, crawl, monkeypatch) -> None:
    monkeypatch.setattr(READER, "read", read_article)
    store(crawl, {"url": ADDRESS, "html": PAGE, "title": "Two winters | Town Hall"})
    program, one = Program(owner), f"crawls/{crawl.pk}/pages/1"
    before = program.get(f"{one}?text=1").json()
    assert (before["is_read"], before["language"], before["text"]) == (False, None, None)
    read_pages(Progress.objects.get(crawl=crawl))
    page = program.get(f"{one}?text=1").json()
    assert page["text"] == f"Two winters\n\n{(SENTENCE * 4).strip()}"
    assert (page["title"], page["author"], page["languages"]) == ("Two winters", "Ada", [["en", 1]])
    assert (page["published"], page["published_source"]) == ("2024-05", "address")
    answer = program.get(f"crawls/{crawl.pk}/pages?q=lang:en+after:2024-05+before:2024-06").json()
    assert [(row["language"], row["is_read"]) for row in answer["items"]] == [("en", True)]
    refused = program.get(f"crawls/{crawl.pk}/pages?q=lang:xx")
    assert refused.status_code == 422 and "is not a language" in refused.json()["message"]


def test_near_pages_have_their_similarity_and_a_page_of_another_crawl_is_refused(
    owner, stranger, crawl, monkeypatch
) -> None:
    monkeypatch.setattr(READER, "read", read_article)
    add_pages(crawl, bread=6, sea=6)
    program, pages = Program(owner), f"crawls/{crawl.pk}/pages"
    rows = program.get(f"{pages}?like={crawl.pk}-7&nearest=5").json()["items"]
    assert [row["title"].split()[0] for row in rows] == ["sea"] * 5
    assert rows[0]["similarity"] >= rows[4]["similarity"] > 0
    assert program.get(f"{pages}?q=flour").json()["items"][0]["similarity"] is None
    for wrong in (f"like={crawl.pk + 1}-7", "near=zeppelin", "near=loaf&nearest=0"):
        assert program.get(f"{pages}?{wrong}").status_code == 422, wrong
    assert Program(stranger).get(f"{pages}?near=loaf").status_code == 404
