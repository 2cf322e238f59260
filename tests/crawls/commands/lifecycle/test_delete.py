from __future__ import annotations

import pytest

from apps.crawls.commands.lifecycle.delete import delete, loss
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.crawls.pages.folder import crawl_folder
from apps.engine.codes import State
from tests.crawl_fixtures import crawl, owner  # noqa: F401
from tests.crawl_rows import grow
from tests.deletions import finish_deletions

pytestmark = pytest.mark.django_db


def test_a_crawl_at_rest_goes_with_its_folder(
    crawl: Crawl,
    data_dir,
    django_capture_on_commit_callbacks,
) -> None:
    grow(crawl, 30)
    Crawl.objects.filter(pk=crawl.pk).update(state=State.FINISHED)
    folder = crawl_folder(crawl.pk)
    folder.mkdir(parents=True)
    (folder / "pages-000001.warc.gz").write_bytes(b"x")
    assert loss(crawl).pages == 30
    with django_capture_on_commit_callbacks(execute=True):
        delete(crawl)
    finish_deletions()
    assert not Crawl.objects.exists() and not folder.exists()


def test_a_crawl_that_runs_is_not_deleted(crawl: Crawl, data_dir) -> None:
    with pytest.raises(CrawlRefused, match="Stop the crawl"):
        delete(crawl)
    assert Crawl.objects.exists()
