"""The pages of a host that was taken down, in recorded webs made of crawls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from django.db.models import QuerySet

from apps.crawls.models import Crawl
from apps.dossiers.models import TakeDown
from apps.engine.networking.webs.withholding import erase_host, release_host, withhold_host
from apps.stored_files.files import forget, keep
from apps.webs.models import Web
from apps.webs.opening import web_folder
from apps.webs.pages.indexing import index_path
from apps.webs.pages.tasks import ask_for_index

Heartbeat = Callable[[], bool]


def hide(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Hides the host's pages in every web made of these crawls."""
    for web, folder in _webs(crawls):
        if pages := withhold_host(folder, row.host):
            _changed(web, folder, -pages)
        if not heartbeat():
            return False
    return True


def show(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Shows them again."""
    for web, folder in _webs(crawls):
        if pages := release_host(folder, row.host):
            _changed(web, folder, pages)
        if not heartbeat():
            return False
    return True


def erase(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Erases them from the webs' files. Raises OSError."""
    for _, folder in _webs(crawls):
        if erase_host(folder, row.host):
            keep(folder)
        if not heartbeat():
            return False
    return True


def _webs(crawls: QuerySet[Crawl]) -> Iterator[tuple[Web, Path]]:
    keys = set(crawls.values_list("pk", flat=True))
    for web in Web.objects.filter(source=Web.Source.FOLDER).exclude(made_of_crawls=[]):
        if keys & set(web.made_of_crawls):
            yield web, web_folder(web)


def _changed(web: Web, folder: Path, pages: int) -> None:
    """Stores a web with so many pages more, and has its pages indexed anew."""
    keep(folder)
    Web.objects.filter(pk=web.pk).update(pages=max(0, (web.pages or 0) + pages))
    forget(index_path(web))
    ask_for_index(web)
