"""A crawl as one that has fetched pages of the made web over HTTP and stored them."""

from __future__ import annotations

from django.utils import timezone

from apps.crawls.models import Crawl, FailedRequest, Page
from apps.crawls.pages.folder import crawl_folder
from apps.engine.networking.page_store.store import PageStoreWriter
from tests.crawls.run_here import MADE


def fetched_over_http(crawl: Crawl, pages: int = 40, first: int = 0) -> Crawl:
    """The crawl with so many pages of the made web from page `first` on, two by redirects."""
    folder = crawl_folder(crawl.pk)
    folder.mkdir(parents=True, exist_ok=True)
    writer = PageStoreWriter(folder / "pages-000001.warc.gz")
    Page.objects.filter(crawl=crawl).delete()
    for seq in range(1, pages + 1):
        url = MADE.url(first + seq - 1)
        record = writer.append(MADE.get(url))
        asked = f"http://h0.test/moved/{seq}" if seq in (3, 7) else url
        Page.objects.create(
            crawl=crawl,
            seq=seq,
            request=seq,
            number=seq,
            url=asked,
            final_url=url,
            host="h0.test",
            http_status=200,
            words=50,
            priority=1,
            parent=-1,
            depth=0,
            seconds=0,
            fetched_at=timezone.now(),
            file=record.file,
            offset=record.offset,
            length=record.length,
            digest=record.digest,
        )
    writer.close()
    FailedRequest.objects.filter(crawl=crawl).delete()
    FailedRequest.objects.create(
        crawl=crawl,
        request=pages + 1,
        number=pages + 1,
        url="http://h0.test/again",
        final_url=MADE.url(first),
        host="h0.test",
        kind="redirect_to_known",
        at=timezone.now(),
    )
    Crawl.objects.filter(pk=crawl.pk).update(over="http", pages=pages)
    crawl.refresh_from_db()
    return crawl
