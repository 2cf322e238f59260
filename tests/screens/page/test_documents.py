"""A document among the pages: its text by page, its bytes as a download, where it is linked."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.crawls.models import Outlinks
from apps.crawls.packing import pack_numbers
from tests import made_documents as made
from tests.collection_fixtures import crawl, owner, store, topic  # noqa: F401

PDF = made.pdf(
    [["Heat <b>pumps</b> in", "schools"], [], ["Third page of seagrass"]], title="Report"
)
ADDRESS = "http://a.test/files/a%20report.pdf"
HEADERS = (("Content-Type", "application/pdf"),)
DOCUMENT = {
    "url": ADDRESS,
    "title": "Report",
    "document": PDF,
    "headers": HEADERS,
    "kind": "pdf",
    "document_pages": 3,
}


@pytest.fixture
def client_of_owner(owner) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def test_its_text_is_shown_by_page_and_never_as_markup(crawl, client_of_owner):
    store(crawl, DOCUMENT)
    shown = client_of_owner.get(f"/crawls/{crawl.pk}/pages/1/").content.decode()
    assert "PDF, 3 p." in shown
    assert 'id="p-1"' in shown and 'id="p-3"' in shown and 'id="p-2"' not in shown
    assert "Heat &lt;b&gt;pumps&lt;/b&gt; in" in shown
    assert "<iframe" not in shown
    assert "Stored copy" not in shown


def test_its_bytes_are_a_download_of_its_own_type(crawl, client_of_owner):
    store(crawl, DOCUMENT, {"text": "a page"})
    answer = client_of_owner.get(f"/crawls/{crawl.pk}/pages/1/document/")
    assert answer.content == PDF
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == 'attachment; filename="a report.pdf"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert client_of_owner.get(f"/crawls/{crawl.pk}/pages/2/document/").status_code == 404


def test_a_type_that_browsers_show_is_not_passed_on(crawl, client_of_owner):
    store(crawl, DOCUMENT | {"headers": (("Content-Type", "text/html"),)})
    answer = client_of_owner.get(f"/crawls/{crawl.pk}/pages/1/document/")
    assert answer["Content-Type"] == "application/pdf"


def test_a_scanned_one_is_marked(crawl, client_of_owner):
    scanned = made.pdf([[]], scanned=True)
    store(crawl, DOCUMENT | {"document": scanned, "has_no_text": True, "document_pages": 1})
    shown = client_of_owner.get(f"/crawls/{crawl.pk}/pages/1/").content.decode()
    assert "Scanned, no text in it: kept, not judged." in shown


def test_a_page_lists_the_documents_that_it_links_to(crawl, client_of_owner):
    store(crawl, {"text": "see the report"}, DOCUMENT, DOCUMENT | {"url": "http://a.test/x.pdf"})
    Outlinks.objects.create(crawl=crawl, seq=1, targets=pack_numbers([1]))
    shown = client_of_owner.get(f"/crawls/{crawl.pk}/pages/1/").content.decode()
    listed = shown[shown.index("Documents of this page") :]
    assert f"/crawls/{crawl.pk}/pages/2/" in listed
    assert f"/crawls/{crawl.pk}/pages/3/" not in listed


def test_a_search_names_the_pages_with_its_words(crawl, client_of_owner):
    store(crawl, DOCUMENT)
    listed = client_of_owner.get(f"/crawls/{crawl.pk}/collection/?q=seagrass").content.decode()
    assert "?view=text#p-3" in listed
    assert "?view=text#p-1" not in listed
    assert "<mark>seagrass</mark>" in listed


def test_the_copy_of_a_document_is_that_of_its_text(crawl, client_of_owner):
    store(crawl, DOCUMENT)
    copy = client_of_owner.get(f"/crawls/{crawl.pk}/pages/1/stored/").content.decode()
    assert "%PDF" not in copy
    assert "Third page of seagrass" in copy


def test_a_rendered_page_is_marked_and_is_shown_as_it_was_fetched_too(crawl, client_of_owner):
    store(crawl, {"text": "made by scripts", "rendered": True, "fetched": "<p>Loading"}, {})
    path = f"/crawls/{crawl.pk}/pages/1/"
    shown = client_of_owner.get(path).content.decode()
    assert "text made by running its scripts" in shown and "?view=fetched" in shown
    frame = client_of_owner.get(path + "?view=fetched").content.decode()
    assert f'src="{path}stored/?fetched"' in frame
    assert "made by scripts" in client_of_owner.get(path + "stored/").content.decode()
    fetched = client_of_owner.get(path + "stored/?fetched").content.decode()
    assert "Loading" in fetched and "made by scripts" not in fetched
    other = client_of_owner.get(f"/crawls/{crawl.pk}/pages/2/?view=fetched").content.decode()
    assert "running its scripts" not in other and "?fetched" not in other
