"""The rows of a screen: pages with what was found in them, the same at load and live."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser
from django.utils.safestring import SafeString

from apps.collection.filters import Filters
from apps.collection.models import Entry
from apps.collection.page_text import page_text
from apps.collection.query_words import read_words
from apps.collection.scope import Scope
from apps.collection.selectors import Hit, Others, duplicates
from apps.collection.snippets import Snippets
from apps.crawls.models import Crawl, Page
from apps.engine.errors import EngineError
from apps.exports.bodies import Bodies

NO_OTHERS = Others(0, ())


@dataclass(frozen=True, slots=True)
class Row:
    """What `collection/row.html` shows of a page.

    `title` and `snippet` are HTML with the words found in `<mark>`; `label` is True or False
    where an analyst said y or n, and `mine` whether the reader may say so. `shared` are the words
    that make it similar to another page.
    """

    page: Page
    crawl: Crawl
    title: SafeString
    snippet: SafeString
    label: bool | None
    example: bool
    others: Others
    mine: bool
    shared: tuple[str, ...] = ()


def rows(
    scope: Scope, filters: Filters, hits: Sequence[Hit], reader: AbstractUser
) -> list[Row]:
    """The rows of some hits for somebody, in their order."""
    numbers = [hit.page for hit in hits]
    pages = Page.objects.in_bulk(numbers)
    marks = {e.page_id: e for e in Entry.objects.filter(page_id__in=numbers)}
    others = duplicates(scope, hits)
    crawls = {crawl.pk: crawl for crawl in scope.crawls}
    found = _Found(scope, filters)
    listed = []
    for number in numbers:
        page, mark = pages.get(number), marks.get(number)
        if page is None or mark is None:
            continue  # its crawl has just been deleted
        crawl = crawls[page.crawl_id]
        title, snippet = found.words_of(crawl, page)
        listed.append(
            Row(page, crawl, title, snippet, mark.label, mark.example,
                others.get(number, NO_OTHERS), crawl.owner_id == reader.pk)
        )
    found.close()
    return listed


class _Found:
    """Reads the stored copies of one screen, for the words around what was searched for."""

    def __init__(self, scope: Scope, filters: Filters) -> None:
        self._bodies: dict[int, Bodies] = {}
        self._snippets = []
        for language in scope.languages or (None,):
            clauses = read_words(filters.words, [language])
            if any(not clause.excluded for clause in clauses):
                self._snippets.append(Snippets(clauses, language))

    def words_of(self, crawl: Crawl, page: Page) -> tuple[SafeString, SafeString]:
        """The title with the words found marked, and the snippet; the latter may be empty."""
        if not self._snippets:
            return Snippets((), None).marked(page.title), SafeString("")
        text = self._text(crawl, page)
        marked = [(s.marked(page.title), s.snippet(text)) for s in self._snippets]
        return max(marked, key=lambda pair: pair[1].count("<mark>") + pair[0].count("<mark>"))

    def _text(self, crawl: Crawl, page: Page) -> str:
        try:
            if crawl.pk not in self._bodies:
                self._bodies[crawl.pk] = Bodies(crawl)
            return page_text(self._bodies[crawl.pk].answer(page)).text
        except EngineError:
            return ""

    def close(self) -> None:
        for bodies in self._bodies.values():
            bodies.close()

