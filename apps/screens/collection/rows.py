"""The rows of pages, the same at page load and in live updates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.safestring import SafeString

from apps.collection.indexing.reading import DATE_SOURCES, main_texts
from apps.collection.models import Entry, MainText
from apps.collection.search import CollectionSearch
from apps.collection.selectors import Hit, Others, duplicates
from apps.collection.shared_pages.same_page import PageVisit, page_visits, verdicts_differ
from apps.crawls.labels.shown import own_labels
from apps.crawls.models import Crawl, Label, Page
from apps.crawls.pages.bodies import OpenBodies
from apps.crawls.selectors import editable_among, editable_crawls
from apps.engine.answers import Answer
from apps.engine.errors import EngineError
from apps.engine.kinds import DocumentKind
from apps.figures.quantities import count
from apps.search.languages import language_name
from apps.search.query import read_query
from apps.stored_pages.document_text import document_text
from apps.stored_pages.page_text import page_text
from apps.stored_pages.snippets import Snippets

NO_OTHERS = Others(0, ())
MOST_DOCUMENT_PAGES = 5
LONGEST_TEXT = 400_000


class ShownVisit(NamedTuple):
    """A page's row in a crawl: its address, the numbers of the crawl and of the page in words, and
    the page as that crawl saw it where the verdicts of several differ.

    A tuple of texts, since a list has a thousand: templates look for no attribute and format no
    number.
    """

    address: str
    crawl: str
    seq: str
    page: Page | None


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """The content of `collection/row.html` for a page.

    `title` and `snippet` are HTML with the search words in `<mark>`; `label` is True or False for
    an analyst's y or n: to one who may label, their own of a page that others have labelled.
    `visits` are the page's rows in every searched crawl, `differ` whether their verdicts do, and
    `mine` is the one that the reader may label, or None. `shared` are the words that make it
    similar to another page, `document_pages` those pages of a document that have the search words.
    `read` is its main text, None until it has been read. `query` names its position in the search,
    `similarity` is that with what pages are to be near to, or None.
    """

    page: Page
    crawl: Crawl
    title: SafeString
    snippet: SafeString
    label: bool | None
    example: bool
    others: Others
    visits: tuple[ShownVisit, ...]
    differ: bool
    mine: PageVisit | None
    read: MainText | None
    shared: tuple[str, ...] = ()
    document_pages: tuple[int, ...] = ()
    query: str = ""
    similarity: float | None = None

    @property
    def language(self) -> str:
        """The name of the main language, or empty."""
        return language_name(self.read.language) if self.read and self.read.language else ""

    @property
    def dated(self) -> str:
        """The source of the date, in words."""
        return DATE_SOURCES.get(self.read.published_source, "") if self.read else ""


def rows(search: CollectionSearch, hits: Sequence[Hit], reader: User) -> list[CollectionRow]:
    """The rows of some hits for a reader, in their order."""
    searched, numbers = search.context, [hit.page for hit in hits]
    pages = Page.objects.in_bulk(numbers)
    marks = {e.page_id: e for e in Entry.objects.filter(page_id__in=numbers)}
    similar = {hit.page: hit.similarity for hit in hits}
    others = duplicates(searched.sets, hits)
    visits = page_visits(searched.crawl_ids, numbers)
    shown = _show_visits(visits)
    crawls = {crawl.pk: crawl for crawl in searched.crawls}
    editable = editable_among(searched.crawls, reader)
    labelled = _labelled(editable, {visit.seq for row in visits.values() for visit in row})
    own = _own_labels(editable, crawls.values(), {mark.address for mark in marks.values()}, reader)
    texts = _Texts(search, numbers)
    listed = []
    for number in numbers:
        page, mark = pages.get(number), marks.get(number)
        if page is None or mark is None:
            continue  # its crawl was deleted meanwhile
        crawl = crawls[page.crawl_id]
        title, snippet = texts.words_of(crawl, page)
        listed.append(
            CollectionRow(
                page,
                crawl,
                title,
                snippet,
                own.get(mark.address, mark.label),
                mark.example,
                others.get(number, NO_OTHERS),
                shown[number],
                verdicts_differ(visits[number]),
                _mine(visits[number], editable, labelled),
                texts.read.get(number),
                document_pages=texts.pages_with_words(crawl, page),
                similarity=similar.get(number),
            )
        )
    texts.close()
    return listed


def _show_visits(visits: Mapping[int, Sequence[PageVisit]]) -> dict[int, tuple[ShownVisit, ...]]:
    """The rows of each page as they are shown."""
    pages = Page.objects.in_bulk(
        [visit.page for row in visits.values() if verdicts_differ(row) for visit in row]
    )
    # A list has a thousand addresses, for each of which Django would match its routes.
    before, between, after = reverse("page:page", args=[0, 0]).rsplit("0", 2)
    return {
        number: tuple(
            ShownVisit(
                f"{before}{v.crawl}{between}{v.seq}{after}",
                str(v.crawl),
                count(v.seq),
                pages.get(v.page),
            )
            for v in row
        )
        for number, row in visits.items()
    }


def visit_to_label(visits: Sequence[PageVisit], reader: User) -> PageVisit | None:
    """The row of a page, among its rows in several crawls, that gets the reader's label, or
    None."""
    crawls = editable_crawls(reader).filter(pk__in={visit.crawl for visit in visits})
    editable = set(crawls.values_list("pk", flat=True))
    return _mine(visits, editable, _labelled(editable, {visit.seq for visit in visits}))


def _mine(
    visits: Sequence[PageVisit], own: Collection[int], labelled: Collection[tuple[int, int]]
) -> PageVisit | None:
    """The labelled row in the reader's own crawls, else the newest there."""
    mine = [visit for visit in reversed(visits) if visit.crawl in own]
    with_label = [visit for visit in mine if (visit.crawl, visit.seq) in labelled]
    return next(iter(with_label or mine), None)


def _own_labels(
    editable: Collection[int], crawls: Iterable[Crawl], addresses: Collection[int], reader: User
) -> dict[int, bool | None]:
    """The reader's own labels, by address, of pages that others have labelled."""
    topics = {crawl.topic_id: crawl.topic for crawl in crawls if crawl.pk in editable}
    own: dict[int, bool | None] = {}
    for topic in topics.values():
        own |= own_labels(topic, addresses, reader)
    return own


def _labelled(crawls: Collection[int], seqs: Collection[int]) -> set[tuple[int, int]]:
    """(crawl, page number) of the pages that are labelled there."""
    in_force = Label.objects.filter(crawl__in=crawls, seq__in=seqs, undone_at=None)
    return set(in_force.values_list("crawl_id", "seq"))


class _Texts:
    """The texts of one screen's pages, for titles and snippets."""

    def __init__(self, search: CollectionSearch, pages: Sequence[int]) -> None:
        self._bodies = OpenBodies()
        self.read = main_texts(pages)
        clauses = read_query(search.words, search.prefixes)
        languages = search.context.languages or (None,)
        self._snippets = [Snippets(clauses, language) for language in languages if clauses]

    def title(self, page: Page) -> str:
        """The title without the site's name, if the page has been read."""
        read = self.read.get(page.pk)
        return (read and read.title) or page.title

    def words_of(self, crawl: Crawl, page: Page) -> tuple[SafeString, SafeString]:
        """The title with search words marked, and the snippet, which may be empty. It is of the
        main text, or of all text if only that has the words."""
        title, read = self.title(page), self.read.get(page.pk)
        if not self._snippets:
            return Snippets((), None).marked(title), SafeString("")
        best = self._marked(title, read.text) if read else None
        if best is None or not best[1]:
            best = self._marked(title, self._whole_text(crawl, page))
        return best

    def pages_with_words(self, crawl: Crawl, page: Page) -> tuple[int, ...]:
        """The first pages of a document that have the search words; empty without words."""
        is_document = page.kind != DocumentKind.PAGE
        answer = self._answer(crawl, page) if self._snippets and is_document else None
        if answer is None:
            return ()
        pages = (
            part.number
            for part in document_text(answer, LONGEST_TEXT).pages
            if any(snippets.snippet(part.text) for snippets in self._snippets)
        )
        return tuple(islice(pages, MOST_DOCUMENT_PAGES))

    def _marked(self, title: str, text: str) -> tuple[SafeString, SafeString]:
        marked = [(s.marked(title), s.snippet(text)) for s in self._snippets]
        return max(marked, key=lambda pair: pair[1].count("<mark>") + pair[0].count("<mark>"))

    def _whole_text(self, crawl: Crawl, page: Page) -> str:
        answer = self._answer(crawl, page)
        return page_text(answer).text if answer else ""

    def _answer(self, crawl: Crawl, page: Page) -> Answer | None:
        try:
            return self._bodies.of(crawl).answer(page)
        except EngineError:
            return None

    def close(self) -> None:
        self._bodies.close()
