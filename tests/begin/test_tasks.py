"""What Begin keeps of a candidate."""

from __future__ import annotations

import zlib

import pytest

from apps.begin.models import CandidatePage, Draft
from apps.begin.tasks import keep
from apps.engine.answers import Answer
from apps.engine.parsing.documents.document_reader import DocumentReader
from tests.made_documents import pdf

pytestmark = [pytest.mark.django_db, pytest.mark.alike]

URL = "http://site.test/pumps.pdf"
HEADERS = (("Content-Type", "application/pdf"),)


def read(body: bytes) -> Answer:
    with DocumentReader() as convert:
        return convert(Answer(URL, URL, 200, HEADERS, body))


def test_a_document_is_a_candidate_like_a_page(owner) -> None:
    draft = Draft.objects.create(owner=owner)
    row = draft.candidates.create(url=URL, host="site.test", source="given_sites", detail="")
    body = pdf(
        [["Heat pumps of two schools", "a third one"]],
        title="Pumps",
        links={(0, 1): "http://site.test/third"},
    )
    keep(row, read(body))
    row.refresh_from_db()
    assert (row.fetch, row.title) == (CandidatePage.FetchState.FETCHED, "Pumps")
    assert row.text.startswith("Heat pumps of two schools")
    assert row.links == [["http://site.test/third", "a third one"]]
    assert row.content_type.startswith("text/html")
    assert b"Heat pumps" in zlib.decompress(row.body)


def test_a_scanned_one_has_no_words(owner) -> None:
    draft = Draft.objects.create(owner=owner)
    row = draft.candidates.create(url=URL, host="site.test", source="given_sites", detail="")
    keep(row, read(pdf([[]], scanned=True)))
    row.refresh_from_db()
    assert (row.fetch, row.failure) == (CandidatePage.FetchState.FAILED, "no_words")
