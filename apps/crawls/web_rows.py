"""Recorded webs with their contents and the crawls that use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User

from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.engine.errors import BadWebFile
from apps.webs.labels import labels_of
from apps.webs.links import link_count
from apps.webs.models import Web
from apps.webs.opening import bytes_on_disk


@dataclass(frozen=True, slots=True)
class WebRow:
    """A web with its contents: pages by label, how many have any (`labelled`), links between its
    pages (None until they are counted), bytes on the disk, the numbers of the crawls that use it,
    the newest first.

    `problem` is why it cannot be opened; `others` counts crawls the person may not see.
    """

    web: Web
    labels: Mapping[str, int]
    labelled: int
    links: int | None
    size: int
    crawls: tuple[int, ...]
    others: int
    problem: str = ""

    @property
    def source(self) -> str:
        """The source of its pages, in words."""
        if self.web.source == Web.Source.DEMO:
            return "made page by page"
        if numbers := self.web.made_of_crawls:
            return f"from crawl{'s' * (len(numbers) > 1)} " + " ".join(f"#{n}" for n in numbers)
        return "uploaded" if self.web.owner_id else "imported"

    @property
    def labelled_share(self) -> float:
        """The share of the pages that have a label; it reads as 100 % only if all have one."""
        pages = self.web.pages or 0
        return 1.0 if self.labelled == pages > 0 else min(0.99, self.labelled / max(1, pages))


def web_row(web: Web, user: User) -> WebRow:
    """The row of a web."""
    crawls = tuple(
        visible_crawls(user).filter(web=web).order_by("-pk").values_list("pk", flat=True)
    )
    others = Crawl.objects.filter(web=web).count() - len(crawls)
    try:
        labels = labels_of(web)
        return WebRow(
            web, labels.counts, labels.pages, link_count(web), bytes_on_disk(web), crawls, others
        )
    except (BadWebFile, OSError) as error:
        why = error.detail if isinstance(error, BadWebFile) else str(error.strerror)
        return WebRow(web, {}, 0, None, 0, crawls, others, f"It cannot be opened: {why}.")
