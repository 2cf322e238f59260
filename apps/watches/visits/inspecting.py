"""What one answer shows of a page under watch: its state, and its text if that has changed."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from apps.crawls.models import Crawl, FailedRequest, Page
from apps.crawls.pages.bodies import OpenBodies
from apps.crawls.running.records import validators_of
from apps.engine.codes import Failure
from apps.main_text.fast import word_count
from apps.watches.models import PageState, PageVersion, WatchedPage, WatchVisit
from apps.watches.taught_blocks import apply_taught, is_claimed, taught_for
from apps.watches.text_changes.differences import Difference, compare_texts
from apps.watches.text_changes.link_lists import link_texts, new_links
from apps.watches.text_changes.passing_values import VisitTimes
from apps.watches.versions import (
    ReadCopy,
    answer_of_version,
    last_version,
    read_copy,
    text_of_version,
    write_version,
)
from apps.watches.visits.states import SOFT, Sighting, after_failure, is_notice, leads_to_start

LIST_PAGES = (WatchedPage.AddressKind.FRONT, WatchedPage.AddressKind.LIST)


class Inspection(NamedTuple):
    """What an answer shows: the state with its code, since when the page has been missing, the
    version that its text is, and how many links have come to a list."""

    state: PageState
    code: str = ""
    missing_since: datetime | None = None
    version: PageVersion | None = None
    new_links: int = 0


class Inspector:
    """Compares the answers of one visit with what the watch has of their pages. Changes the columns
    of the page that name its copy; the caller saves them."""

    def __init__(self, visit: WatchVisit, crawl: Crawl, bodies: OpenBodies) -> None:
        self._visit = visit
        self._crawl = crawl
        self._bodies = bodies

    def inspect(self, page: WatchedPage, answer: Page | FailedRequest, at: datetime) -> Inspection:
        """What an answer to a page's address shows."""
        if isinstance(answer, FailedRequest):
            return self._failed(page, answer, at)
        if leads_to_start(page.url, answer.final_url):
            return Inspection(PageState.GONE, SOFT, page.missing_since or at)
        if answer.digest == page.body_digest:
            self._take_copy(page, answer)
            return Inspection(PageState.SAME, version=last_version(page))
        return self._compared(page, answer, at)

    def _failed(self, page: WatchedPage, answer: FailedRequest, at: datetime) -> Inspection:
        if answer.kind == Failure.SITE_LIST:
            page.etag, page.last_modified = answer.validators or ("", "")
            return Inspection(PageState.SAME)
        before = Sighting(PageState(page.state), page.code, page.missing_since)
        seen = after_failure(answer.kind, page.url, answer.final_url, before, at)
        return Inspection(*seen, version=last_version(page))

    def _compared(self, page: WatchedPage, answer: Page, at: datetime) -> Inspection:
        copy = read_copy(self._bodies, self._crawl, answer)
        if copy is None:
            return Inspection(PageState.NOT_REACHED, Failure.TOO_COMPLEX)
        if not page.is_watched:
            changed = page.text_digest != copy.digest
            self._take_copy(page, answer, copy)
            return Inspection(PageState.CHANGED if changed else PageState.SAME)
        before = last_version(page) or self._baseline(page)
        self._take_copy(page, answer, copy)
        if before is None:
            return Inspection(PageState.SAME, version=write_version(page, copy, at, self._visit))
        if before.text_digest == copy.digest:
            return Inspection(PageState.SAME, version=before)
        return self._judge(page, before, copy, at)

    def _judge(
        self, page: WatchedPage, before: PageVersion, copy: ReadCopy, at: datetime
    ) -> Inspection:
        text = copy.text
        if is_notice(copy.article.title, text, word_count(text)):
            return Inspection(PageState.GONE, SOFT, page.missing_since or at, before)
        times = VisitTimes(before.at, at)
        whole = compare_texts(text_of_version(before), text, times)
        taught = taught_for(page)
        difference = apply_taught(whole, taught)
        if not difference.is_change:
            return Inspection(PageState.SAME, version=before)
        is_taught = any(p.counts and is_claimed(p, taught) for p in difference.passages)
        links = None if is_taught else self._new_links(page, before, copy, difference)
        if links is not None:
            return Inspection(PageState.SAME, version=before, new_links=links)
        page.relevant_before = before.relevant
        version = write_version(page, copy, at, self._visit, difference.share)
        return Inspection(PageState.CHANGED, version=version)

    def _new_links(
        self, page: WatchedPage, before: PageVersion, copy: ReadCopy, difference: Difference
    ) -> int | None:
        """How many links have come to a list, if nothing else of it has changed; else None."""
        if not (page.is_source and page.kind in LIST_PAGES):
            return None
        former = answer_of_version(self._bodies, before)
        if former is None:
            return None
        return new_links(difference, link_texts(former), link_texts(copy.answer))

    def _baseline(self, page: WatchedPage) -> PageVersion | None:
        """The version that the copy before is, if it is stored still."""
        crawl, seq = page.crawl, page.seq
        former = crawl.pages_fetched.filter(seq=seq).first() if crawl and seq else None
        copy = read_copy(self._bodies, crawl, former) if crawl and former else None
        since = page.visited_at or page.first_seen_at
        return write_version(page, copy, since, None) if copy is not None else None

    def _take_copy(self, page: WatchedPage, answer: Page, copy: ReadCopy | None = None) -> None:
        """Makes an answer the page's copy."""
        page.crawl, page.seq = self._crawl, answer.seq
        page.final_url, page.body_digest = answer.final_url, answer.digest
        page.title = answer.title or page.title
        if answer.relevant is not None:
            page.relevant = answer.relevant
        if copy is not None:
            page.text_digest = copy.digest
            page.etag, page.last_modified = validators_of(copy.answer)
        elif answer.file:
            page.etag, page.last_modified = validators_of(
                self._bodies.of(self._crawl).answer(answer)
            )
