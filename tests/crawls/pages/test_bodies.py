"""Pages of recorded webs, read back as they were stored."""

from __future__ import annotations

import pytest

from apps.crawls import services
from apps.engine.kinds import DocumentKind
from apps.topics.definition.schemas import Definition
from apps.topics.services import create_topic
from apps.webs.importing import import_web
from tests.crawls.run_here import run
from tests.engine.parsing.documents.test_document_reader import (
    BODY,
    PAGE,
    URL,
    foreign_archive,
    own_archive,
)
from tests.people import person, site_of


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("write", [own_archive, foreign_archive])
def test_a_document_of_an_archive_has_its_kind_and_its_bytes_in_crawls(
    tmp_path, data_dir, write
) -> None:
    write(tmp_path / "a.warc.gz")
    ada, (web, *_) = person("ada"), import_web("archive", tmp_path / "a.warc.gz")
    definition = Definition(name="rye", web_id=web.pk, lists={"seeds": f"{URL}\n{PAGE}"})
    topic = create_topic(ada, definition).topic
    crawl = run(services.create_crawl(ada, topic, web, strategy="breadth_first", budget=10))
    page = crawl.pages_fetched.get(url=URL)
    assert (page.kind, page.document_pages, page.title) == (DocumentKind.PDF, 1, "Rye")
    answer = site_of(ada).get(f"/crawls/{crawl.pk}/pages/{page.seq}/document/")
    assert answer.content == BODY and answer["Content-Type"] == "application/pdf"
