"""A topic with two crawls whose pages are stored as a crawl stores them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from apps.collection.indexing.index import index_texts, list_pages
from apps.collection.searched_crawls import SearchedCrawls, crawls_of_topic
from apps.crawls.models import Crawl, FrontierEntry, Page
from apps.crawls.pages.folder import crawl_folder
from apps.engine.answers import Answer, Converted
from apps.engine.codes import State
from apps.engine.kinds import DocumentKind
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.engine.parsing.documents.converting import convert
from apps.topics.models import Topic
from tests.crawl_rows import made_crawl, made_page, made_topic

Collect = Callable[..., list[Page]]


def filler(page: int, last: str) -> str:
    """Sixty pairs of words, the same for every page but in an order of its own, and `last`."""
    pairs = [f"filler{i} prose{i % 7}" for i in range(60)]
    Random(page).shuffle(pairs)
    return " ".join([*pairs, last])


@pytest.fixture
def owner(db) -> User:
    return get_user_model().objects.create_user("ada")


@pytest.fixture
def stranger(db) -> User:
    return get_user_model().objects.create_user("eve")


@pytest.fixture
def topic(owner: User) -> Topic:
    topic = made_topic(owner, "Seagrass")
    topic.language = "en"
    topic.save()
    return topic


@pytest.fixture
def crawl(topic: Topic, data_dir: Path) -> Crawl:
    return made_crawl(topic, state=State.FINISHED)


@pytest.fixture
def other_crawl(topic: Topic, data_dir: Path) -> Crawl:
    return made_crawl(topic, state=State.FINISHED, strategy="breadth_first")


def html(title: str, text: str) -> str:
    return f"<html><head><title>{title}</title></head><body><p>{text}</p></body></html>"


def store(crawl: Crawl, *pages: dict[str, Any], index: bool = True) -> list[Page]:
    """Adds pages to a crawl: `url`, `title`, `text` or whole `html`, or the bytes of a `document`,
    what was `fetched` of a rendered page, and columns of Page."""
    folder = crawl_folder(crawl.pk)
    folder.mkdir(parents=True, exist_ok=True)
    before = crawl.pages
    writer = PageStoreWriter(folder / f"pages-{before:06d}.warc.gz")
    rows = []
    for seq, given in enumerate(pages, before + 1):
        values = {"title": f"Page {seq}", **given}
        url = values.setdefault("final_url", values.get("url", f"http://a.test/{crawl.pk}/{seq}"))
        document, fetched = values.pop("document", None), values.pop("fetched", None)
        body = values.pop("html", None) or html(values["title"], values.pop("text", ""))
        headers = values.pop("headers", (("Content-Type", "text/html; charset=utf-8"),))
        made = Converted(DocumentKind.PAGE, body.encode()) if fetched else None
        record = writer.append(
            Answer(
                url,
                url,
                200,
                headers,
                document or (fetched or body).encode(),
                fetched_at=1_780_000_000.0,
                converted=convert(document, url) if document else made,
            )
        )
        values = {"url": url, "host": url.split("/")[2], "number": seq - 1, **values}
        rows.append(
            made_page(
                crawl,
                seq,
                file=record.file,
                offset=record.offset,
                length=record.length,
                digest=record.digest,
                **values,
            )
        )
    writer.close()
    Page.objects.bulk_create(rows)
    FrontierEntry.objects.bulk_create(
        [
            FrontierEntry(
                crawl=crawl,
                number=page.number,
                url=page.url,
                parent=page.parent,
                depth=page.depth,
                priority=page.priority,
                state="f",
            )
            for page in rows
        ]
    )
    crawl.pages = before + len(rows)
    Crawl.objects.filter(pk=crawl.pk).update(pages=crawl.pages)
    if index:
        list_pages(crawl)
        index_texts(crawl)
    return rows


@pytest.fixture
def searched_by(topic: Topic) -> Callable[[User], SearchedCrawls]:
    return lambda user: crawls_of_topic(user, topic.pk)
