"""Some pages of a download, read once for the sizes of all formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from typing import Self

from apps.crawls.models import Crawl, Page
from apps.crawls.pages.bodies import Bodies
from apps.exports.rows import PageFacts, Selection


@dataclass(frozen=True, slots=True)
class SampledPages(Selection):
    """A selection whose `pages` are at hand, and what other tables have of them, by crawl; those of
    its keys are exported."""

    pages: tuple[Page, ...] = ()
    facts_of: dict[int, PageFacts] = field(default_factory=dict)

    @classmethod
    def read(cls, selection: Selection) -> Self:
        own = {each.name: getattr(selection, each.name) for each in fields(Selection)}
        return cls(**own, pages=tuple(page for chunk in selection.chunks() for page in chunk))

    def _chunks(self, size: int) -> Iterator[list[Page]]:
        wanted = {*(self.keys or ())}
        chosen = (page for page in self.pages if page.pk in wanted)
        for _, pages in groupby(chosen, key=lambda page: page.crawl_id):
            yield list(pages)

    def facts(
        self, crawl: Crawl, pages: Sequence[Page], bodies: Bodies, has_text: bool
    ) -> PageFacts:
        """Those of all sampled pages of the crawl, with their texts, whichever a format needs."""
        if crawl.pk not in self.facts_of:
            every = [page for page in self.pages if page.crawl_id == crawl.pk]
            self.facts_of[crawl.pk] = PageFacts.of(crawl, self, every, bodies, has_text=True)
        return replace(self.facts_of[crawl.pk], bodies=bodies)
