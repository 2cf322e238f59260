"""One iteration of the loop, from an answer to the queued links (steps 3 to 8 of `apps/engine`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.crawl.fetching.polite_fetcher import PoliteFetcher
from apps.engine.crawl.fetching.retry_policy import (
    REFUSALS,
    put_off,
    retry_or_fail,
    seconds_to_rest,
)
from apps.engine.crawl.fetching.site_lists import SiteLists
from apps.engine.crawl.guide import GuidingModels
from apps.engine.crawl.limits import Limits
from apps.engine.crawl.page_languages import other_language
from apps.engine.crawl.plan import Plan
from apps.engine.crawl.ranking import rank_again
from apps.engine.crawl.recording import Pending, Recorder
from apps.engine.crawl.trapping import KIND as TRAP
from apps.engine.crawl.trapping import watch
from apps.engine.events import EventRecord, FailureRecord, PageRecord
from apps.engine.frontier.queue import Frontier
from apps.engine.model import Document, Judgement, Verdict, Visit
from apps.engine.networking.bot_walls import is_wall
from apps.engine.networking.page_store.records import with_body
from apps.engine.networking.page_store.store import PageWriter
from apps.engine.parsing.opt_outs.form import OptOutSign
from apps.engine.parsing.opt_outs.reading import answer_signs
from apps.engine.parsing.site_lists.document import document_of
from apps.engine.parsing.site_lists.site_list import SiteList

LINKS_CUT = "links_cut"
RecordPlace = tuple[str, int, int, str]  # file, offset, length and digest in the page store


class PageRefusal(NamedTuple):
    """Why a page is not collected, with a detail, and those of its links that are followed."""

    failure: Failure
    detail: str
    links: tuple[str, ...]


class Turns:
    """Processes the answers of a crawl one by one.

    `guide` is the current guide; hosts that answered are added to `touched`. `reorder_seconds` is
    the processor time spent on re-scoring the frontier.
    """

    def __init__(
        self,
        *,
        guide: GuidingModels,
        plan: Plan,
        limits: Limits,
        frontier: Frontier,
        fetcher: PoliteFetcher,
        recorder: Recorder,
        store: PageWriter | None,
        touched: set[str],
        clock: Callable[[], float],
    ) -> None:
        self.guide = guide
        self.reorder_seconds = 0.0
        self._plan = plan
        self._limits = limits
        self._frontier = frontier
        self._fetcher = fetcher
        self._recorder = recorder
        self._store = store
        self._touched = touched
        self._clock = clock
        self.site_lists = SiteLists(frontier, fetcher.robots)

    def apply(
        self,
        number: int,
        answer: Answer,
        parsed: Document | SiteList | None = None,
        *,
        verdict: Verdict | None = None,
        record: RecordPlace | None = None,
        links: tuple[str, ...] = (),
        site_lists: tuple[str, ...] | None = None,
    ) -> None:
        """Processes one answer; `parsed` is its document or site list if it has been read already.

        Only a replay passes `verdict`, `record`, the `links` of a page that is not collected, and
        the `site_lists` that a page led to.
        """
        failure, lists = self._failure(number, answer), self.site_lists
        if lists.is_on and site_lists is None:
            if isinstance(parsed, SiteList) and not failure:
                self.apply_site_list(number, answer, parsed)
                return
            failure = lists.failure(number, failure)
        if isinstance(parsed, SiteList):
            parsed = None
        self._limits.requests += 1
        document = None if failure else self.guide.reader.document(answer, parsed)
        detail = answer.detail
        is_new = record is None
        if document is not None and (why := self._page_refusal(number, answer, document, is_new)):
            failure, detail, links, document = *why, None
        host = self._frontier.host_of(number)
        self._touched.add(host.name)
        now, wait = self._clock(), 0.0
        if not self._plan.recorded:
            wait = seconds_to_rest(host, answer, failure, self._plan.politeness)
            if wait > max(host.delay, self._plan.politeness.delay):
                put_off(self._frontier.hosts, host, answer, now, wait)
        if document is None:
            lost = replace(_without_page(answer), failure=failure, detail=detail, body=b"")
            self._fail(number, lost, links, now, wait)
            return
        self._limits.pages += 1
        self._frontier.fetched(number, now, now + wait)
        self._frontier.learn_ending(number, now)
        if answer.final_url != answer.url:
            self._frontier.answered_elsewhere(number, answer.final_url)
            shown = document.words[: document.visible]
            self._frontier.redirect_texts.learn(answer.final_url, shown)
        if record is None and self._store is not None:
            stored = self._store.append(answer)
            record = stored.file, stored.offset, stored.length, stored.digest
        self._learn(number, answer, document, verdict, record, site_lists)

    def apply_site_list(self, number: int, answer: Answer, site_list: SiteList) -> None:
        """Processes a sitemap or a feed: its entries are scored as links of the site's front page,
        and queued. It does not count as a page."""
        frontier, strategy, lists = self._frontier, self.guide.strategy, self.site_lists
        self._limits.requests += 1
        host = frontier.host_of(number)
        self._touched.add(host.name)
        now, wait = self._clock(), 0.0
        if not self._plan.recorded:
            wait = seconds_to_rest(host, replace(answer, failure=None), None, self._plan.politeness)
        frontier.failed(number, now, now + wait)
        chosen = lists.choose(number, answer, site_list)
        front = lists.front(number)
        page = number if front is None else front.number
        visit = self.guide.reader.site_list(
            document_of(chosen, answer.final_url),
            page,
            None if front is None else front.judgement,
            frontier,
            self._limits.pages,
        )
        learned = strategy.learn_site_list(visit, number)
        scores = strategy.score_links(visit)
        taken = frontier.offer_listed(visit.link_numbers, scores, page, now, learned)
        lists.took(number, chosen, taken, page, now)
        self._recorder.count(lists.counts)
        self._recorder.failure(_record_of(self._limits.requests, number, answer, host.name, chosen))

    def _failure(self, number: int, answer: Answer) -> str | None:
        """Why an answer is not a page of the crawl. A bot wall is recognised under any status of
        refusal; its URL may be tried later."""
        if answer.failure not in REFUSALS:
            return answer.failure or self.refusal(number, answer)
        is_test = not self._plan.recorded and is_wall(answer)
        return Failure.BLOCK_PAGE if is_test else answer.failure

    def refusal(self, number: int, answer: Answer) -> str | None:
        """Why a successful answer is not a page of the crawl, or None if it is.

        Without a body, the answer's agent has seen that its page is none that blocks."""
        first = self._frontier.page_at(answer.final_url)
        if first is not None and first != number:
            return Failure.REDIRECT_TO_KNOWN
        return Failure.BLOCK_PAGE if answer.body and is_wall(answer) else None

    def _page_refusal(
        self, number: int, answer: Answer, document: Document, is_new: bool
    ) -> PageRefusal | None:
        """Why a page that was read is not collected. One in the page store was, once."""
        links = document.links
        if document.noindex and self._fetcher.robots is not None:
            return PageRefusal(Failure.NOINDEX, answer.detail, links.addresses)
        if (sign := self._reservation(answer)) is not None:
            return PageRefusal(Failure.RESERVED, sign.text, links.addresses)
        if is_new and (language := self._other_language(document)):
            return PageRefusal(Failure.OTHER_LANGUAGE, language, links.addresses)
        if is_new and self._is_copy(number, answer, document):
            return PageRefusal(Failure.DUPLICATE, answer.detail, ())
        return None

    def _reservation(self, answer: Answer) -> OptOutSign | None:
        """The first sign of a page that reserves something, if the crawl obeys it."""
        if not self._plan.scope.obey_opt_outs:
            return None
        return next((sign for sign in answer_signs(with_body(answer)) if sign.reserves), None)

    def _other_language(self, document: Document) -> str:
        """The language of a page that the scope leaves out; empty for any other page."""
        wanted = self._frontier.scope.languages
        return other_language(document.words[: document.visible], wanted) if wanted else ""

    def _is_copy(self, number: int, answer: Answer, document: Document) -> bool:
        """Whether the page is another address of one that the crawl has. A recorded web keeps all
        of its pages, so that its crawls stay comparable."""
        if document.canonical is None or self._plan.recorded:
            return False
        there = self._frontier.page_at(document.canonical)
        has_canonical = there is not None and there != number
        return self._frontier.mirrors.is_copy(answer.final_url, document, has_canonical)

    def _fail(
        self, number: int, answer: Answer, links: tuple[str, ...], now: float, wait: float
    ) -> None:
        """Records a request without a page; its URL may be tried again, its links are followed."""
        if self._plan.recorded:
            self._frontier.failed(number, now, now + wait)
        else:
            retry_or_fail(
                self._frontier,
                number,
                answer,
                self._plan.politeness,
                now=now,
                wait=wait,
                until_rules=self._fetcher.seconds_until_rules(answer.final_url),
            )
        host = self._frontier.host_of(number).name
        self._frontier.follow(links, number, now)
        record = FailureRecord(self._limits.requests, number, answer, host, links)
        self._recorder.failure(record)

    def _note(self, kind: str, payload: dict[str, Any]) -> None:
        self._recorder.event(EventRecord(self._limits.requests, self._limits.pages, kind, payload))

    def _learn(
        self,
        number: int,
        answer: Answer,
        document: Document,
        verdict: Verdict | None,
        record: RecordPlace | None,
        site_lists: tuple[str, ...] | None,
    ) -> None:
        """Steps 4 to 8: judge, learn, score the links, queue them."""
        frontier, strategy, reader = self._frontier, self.guide.strategy, self.guide.reader
        discovered = len(frontier)
        visit, judgement = reader.visit(answer, document, number, frontier, self._limits.pages)
        strategy.learn(visit)
        frontier.offer(visit.link_numbers, strategy.score_links(visit), number, self._clock())
        if beyond := len(document.links) - len(visit.links):
            cut = {"url": visit.url, "links": len(visit.links), "beyond": beyond}
            self._note(LINKS_CUT, cut)
        for payload in watch(frontier, visit, discovered):
            self._note(TRAP, payload)
        lists: tuple[str, ...] = ()
        if self.site_lists.is_on:
            lists = self._queue_site_lists(number, document, judgement, site_lists)
        self._record(visit, judgement, answer, verdict, record, lists)
        if strategy.reorder_due(self._limits.pages):
            self.reorder()

    def _queue_site_lists(
        self,
        number: int,
        document: Document,
        judgement: Judgement,
        recorded: tuple[str, ...] | None,
    ) -> tuple[str, ...]:
        """Queues the sitemaps and feeds that a page leads to; those recorded in a replay, since
        what robots.txt named is not in the records."""
        wanted = self.site_lists.of_page(number, document.feeds, judgement)
        addresses = wanted if recorded is None else recorded
        self.site_lists.queue(addresses, number, document.feeds, self._clock())
        return addresses

    def _record(
        self,
        visit: Visit,
        judgement: Judgement,
        answer: Answer,
        verdict: Verdict | None,
        record: RecordPlace | None,
        site_lists: tuple[str, ...],
    ) -> None:
        """Records a page whose links have been queued, without its document and its packed record,
        which are large."""
        frontier, document, number = self._frontier, visit.document, visit.url_number
        page = PageRecord(
            seq=self._limits.pages,
            request=self._limits.requests,
            number=number,
            answer=_without_page(answer),
            host=frontier.host_of(number).name,
            title=document.title,
            words=document.visible,
            canonical=document.canonical or "",
            needs_javascript=document.needs_javascript,
            topicality=judgement.topicality,
            status=judgement.status,
            status_log=judgement.status_log,
            seed=visit.parent < 0,
            priority=frontier.priority[number],
            parent=visit.parent,
            depth=visit.depth,
            record=record,
            outlinks=visit.link_numbers.astype(np.int32),
            telemetry=self.guide.strategy.telemetry(),
            contexts=self.guide.reader.pack(visit) if self._plan.keeps_rows else b"",
            site_lists=site_lists,
            verdict=verdict,
            has_no_text=document.has_no_text,
        )
        self._recorder.page(Pending(page, visit.text, document.key, frontier.waiting))

    def reorder(self) -> None:
        """Re-scores the whole frontier by the strategy, and adds up the time it takes."""
        began = time.process_time()
        rank_again(self.guide.strategy, self._frontier, self._clock())
        self.reorder_seconds += time.process_time() - began


def _record_of(
    request: int, number: int, answer: Answer, host: str, taken: SiteList
) -> FailureRecord:
    """The record of a site list, of which only what was taken is stored."""
    lost = replace(
        answer,
        failure=str(Failure.SITE_LIST),
        detail=f"{taken.kind}: {taken.named:,} named, {len(taken.pages):,} new",
        body=b"",
        document=None,
        packed=None,
    )
    return FailureRecord(request, number, lost, host, site_list=taken.as_plain())


def _without_page(answer: Answer) -> Answer:
    if answer.document is None and answer.packed is None and answer.converted is None:
        return answer
    converted = answer.converted and answer.converted._replace(html=b"")
    return replace(answer, document=None, packed=None, converted=converted)
