"""Reading recorded webs: who may change which, what is in them, who uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet

from apps.crawls.models import Crawl, Web
from apps.crawls.selectors import visible_crawls
from apps.crawls.webs import visible_webs, webs_folder
from apps.engine.errors import BadWebFile
from apps.engine.networking.virtual_web import INDEX, VirtualWeb

SOURCES = {
    Web.Source.FOLDER: "recorded",
    Web.Source.DEMO: "made page by page",
    Web.Source.LIVE: "the live Web",
}


@dataclass(frozen=True, slots=True)
class WebRow:
    """A web with what is in it: pages by label, bytes on the disk, the crawls that use it.

    `problem` says why it cannot be opened; `others` counts crawls the person may not see.
    """

    web: Web
    labels: Mapping[str, int]
    size: int
    crawls: tuple[Crawl, ...]
    others: int
    problem: str = ""

    @property
    def source(self) -> str:
        """Where its pages come from, in words."""
        return SOURCES[Web.Source(self.web.source)]


def recorded_webs(user: AbstractUser) -> QuerySet[Web]:
    """Every web but the live one that the person may crawl, by name."""
    webs = visible_webs(user).exclude(source=Web.Source.LIVE)
    return webs.select_related("owner").order_by("name")


def owned_webs(user: AbstractUser) -> QuerySet[Web]:
    """The recorded webs a person may share and delete; an administrator's are those without an
    owner too."""
    own = Web.objects.filter(source=Web.Source.FOLDER, owner=user)
    if not user.is_superuser:
        return own
    return own | Web.objects.filter(source=Web.Source.FOLDER, owner=None)


def web_row(web: Web, user: AbstractUser) -> WebRow:
    """What there is to say of a web."""
    crawls = tuple(visible_crawls(user).filter(web=web).order_by("-pk"))
    others = Crawl.objects.filter(web=web).count() - len(crawls)
    if web.source != Web.Source.FOLDER:
        return WebRow(web, {}, 0, crawls, others)
    folder = webs_folder() / web.folder
    try:
        return WebRow(web, _labels(folder), _size(folder), crawls, others)
    except (BadWebFile, OSError) as error:
        why = error.detail if isinstance(error, BadWebFile) else str(error.strerror)
        return WebRow(web, {}, 0, crawls, others, f"It cannot be opened: {why}.")


def _labels(folder: Path) -> Mapping[str, int]:
    try:
        made = (folder / INDEX).stat().st_mtime_ns
    except OSError:
        made = 0
    return _labels_of(folder, made)


@lru_cache(maxsize=200)
def _labels_of(folder: Path, made: int) -> Mapping[str, int]:
    """Read once: a web never changes after it was made."""
    web = VirtualWeb(folder)
    try:
        return web.label_counts()
    finally:
        web.close()


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
