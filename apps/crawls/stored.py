"""One page of a crawl as it came, read outside of its runner."""

from __future__ import annotations

from dataclasses import replace

from apps.crawls.models import Crawl, Page
from apps.crawls.webs import crawl_folder, open_web
from apps.engine.errors import BadWebFile
from apps.engine.model import Answer
from apps.engine.networking.page_store import PageStore, Record
from apps.engine.networking.virtual_web import read


def stored_answer(crawl: Crawl, page: Page) -> Answer:
    """The answer from the crawl's page store, or from the recorded web. Raises BadWebFile."""
    if not page.file:
        answer = read(open_web(crawl.web), page.final_url)
        if answer.failure:
            raise BadWebFile(f"{page.final_url} is not in {crawl.web.name} any more")
        return replace(answer, url=page.url)
    store = PageStore(crawl_folder(crawl.pk))
    try:
        return store.read(Record(page.file, page.offset, page.length, page.digest))
    finally:
        store.close()
