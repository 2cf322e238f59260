"""The versions of a page that the crawls of its topic have seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.collection.indexing.reading import main_texts
from apps.collection.models import MainText
from apps.collection.shared_pages.same_page import PageVisit
from apps.crawls.models import Page
from apps.main_text.fast import word_count


@dataclass(frozen=True, slots=True)
class Version:
    """A visit to a page, and how its main text differs from that of the visit before: words in
    paragraphs that are new and in those that are gone. `first` is the earliest; `read` is whether
    both texts have been read."""

    page: Page
    first: bool
    read: bool
    added: int = 0
    removed: int = 0

    @property
    def is_same(self) -> bool:
        return self.read and not self.added and not self.removed


def versions(visits: Sequence[PageVisit]) -> tuple[Version, ...]:
    """The page at each visit, the newest first."""
    rows = Page.objects.filter(pk__in=[visit.page for visit in visits]).order_by("fetched_at", "pk")
    return tuple(_versions(list(rows)))[::-1]


def _versions(pages: Sequence[Page]) -> Iterator[Version]:
    texts = main_texts([page.pk for page in pages])
    before: MainText | None = None
    for position, page in enumerate(pages):
        text = texts.get(page.pk)
        if not position:
            yield Version(page, first=True, read=text is not None)
        elif text is None or before is None:
            yield Version(page, first=False, read=False)
        else:
            yield Version(page, False, True, _words(text, before), _words(before, text))
        before = text


def _words(text: MainText, other: MainText) -> int:
    """Words in the paragraphs of a text that another does not have."""
    others = Counter(block.text for block in other.article)
    only = Counter(block.text for block in text.article) - others
    return sum(word_count(paragraph) * number for paragraph, number in only.items())
