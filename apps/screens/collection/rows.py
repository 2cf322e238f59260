"""The rows of pages, the same at page load and in live updates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser
from django.utils.safestring import SafeString

from apps.collection.filters.query import Filters
from apps.collection.models import Entry
from apps.collection.same_page import Place, places, verdicts_differ
from apps.collection.scope import Scope
from apps.collection.selectors import Hit, Others, duplicates
from apps.crawls.models import Crawl, Label, Page
from apps.crawls.pages.bodies import OpenBodies
from apps.crawls.selectors import editable_crawls
from apps.engine.errors import EngineError
from apps.stored_pages.page_text import page_text
from apps.stored_pages.query_words import read_words
from apps.stored_pages.snippets import Snippets

NO_OTHERS = Others(0, ())


@dataclass(frozen=True, slots=True)
class Visit:
    """A page's row in a crawl, and the page as that crawl saw it."""

    place: Place
    page: Page


@dataclass(frozen=True, slots=True)
class Row:
    """The content of `collection/row.html` for a page.

    `title` and `snippet` are HTML with the search words in `<mark>`; `label` is True or False for
    an analyst's y or n. `places` are the page's rows in every crawl of the scope, `differ` whether
    their verdicts do, and `mine` is the one that the reader may label, or None. `shared` are the
    words that make it similar to another page.
    """

    page: Page
    crawl: Crawl
    title: SafeString
    snippet: SafeString
    label: bool | None
    example: bool
    others: Others
    places: tuple[Visit, ...]
    differ: bool
    mine: Place | None
    shared: tuple[str, ...] = ()


def rows(
    scope: Scope, filters: Filters, hits: Sequence[Hit], reader: AbstractUser
) -> list[Row]:
    """The rows of some hits for a reader, in their order."""
    numbers = [hit.page for hit in hits]
    pages = Page.objects.in_bulk(numbers)
    marks = {e.page_id: e for e in Entry.objects.filter(page_id__in=numbers)}
    others = duplicates(scope, hits)
    where = places(scope.crawl_ids, numbers)
    visits = Page.objects.in_bulk([place.page for found in where.values() for place in found])
    crawls = {crawl.pk: crawl for crawl in scope.crawls}
    editable = set(
        editable_crawls(reader).filter(pk__in=crawls).values_list("pk", flat=True)
    )
    said = _labelled(editable, {place.seq for found in where.values() for place in found})
    found = _Found(scope, filters)
    listed = []
    for number in numbers:
        page, mark = pages.get(number), marks.get(number)
        if page is None or mark is None:
            continue  # its crawl was deleted meanwhile
        crawl = crawls[page.crawl_id]
        title, snippet = found.words_of(crawl, page)
        listed.append(
            Row(
                page, crawl, title, snippet, mark.label, mark.example,
                others.get(number, NO_OTHERS),
                tuple(Visit(p, visits[p.page]) for p in where[number] if p.page in visits),
                verdicts_differ(where[number]), _mine(where[number], editable, said),
            )
        )
    found.close()
    return listed


def place_to_label(found: Sequence[Place], reader: AbstractUser) -> Place | None:
    """Of a page's rows in several crawls the one where the reader's label of it goes, or None."""
    crawls = editable_crawls(reader).filter(pk__in={place.crawl for place in found})
    editable = set(crawls.values_list("pk", flat=True))
    return _mine(found, editable, _labelled(editable, {place.seq for place in found}))


def _mine(
    found: Sequence[Place], own: Collection[int], said: Collection[tuple[int, int]]
) -> Place | None:
    """Of the rows in the reader's own crawls the one with the label, else the newest."""
    mine = [place for place in reversed(found) if place.crawl in own]
    with_label = [place for place in mine if (place.crawl, place.seq) in said]
    return next(iter(with_label or mine), None)


def _labelled(crawls: Collection[int], seqs: Collection[int]) -> set[tuple[int, int]]:
    """(crawl, page number) of the pages that are labelled there."""
    in_force = Label.objects.filter(crawl__in=crawls, seq__in=seqs, undone_at=None)
    return set(in_force.values_list("crawl_id", "seq"))


class _Found:
    """Reads the stored copies of one screen for titles and snippets."""

    def __init__(self, scope: Scope, filters: Filters) -> None:
        self._bodies = OpenBodies()
        self._snippets = []
        for language in scope.languages or (None,):
            clauses = read_words(filters.words, [language])
            if any(not clause.excluded for clause in clauses):
                self._snippets.append(Snippets(clauses, language))

    def words_of(self, crawl: Crawl, page: Page) -> tuple[SafeString, SafeString]:
        """The title with search words marked, and the snippet, which may be empty."""
        if not self._snippets:
            return Snippets((), None).marked(page.title), SafeString("")
        text = self._text(crawl, page)
        marked = [(s.marked(page.title), s.snippet(text)) for s in self._snippets]
        return max(marked, key=lambda pair: pair[1].count("<mark>") + pair[0].count("<mark>"))

    def _text(self, crawl: Crawl, page: Page) -> str:
        try:
            return page_text(self._bodies.of(crawl).answer(page)).text
        except EngineError:
            return ""

    def close(self) -> None:
        self._bodies.close()

