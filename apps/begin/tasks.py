"""Gathering candidate pages for a draft, in a background job."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

from django.db.models import QuerySet

from apps.begin import adviser, services
from apps.begin.dictionaries import BadDictionary, Translated, translate
from apps.begin.models import CandidatePage, Draft
from apps.begin.page_words import term_counts
from apps.begin.sources.catalogue import SOURCES
from apps.begin.sources.endpoint import EndpointProblem
from apps.begin.sources.source import SourceRequest
from apps.begin.understanding import (
    languages_of,
    queries_of,
    read_texts,
    sentence_words,
    wanted_words,
)
from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.errors import BadWebFile
from apps.engine.model import Document
from apps.engine.parsing.document import parse
from apps.engine.parsing.site_lists.reading import is_site_list, read_site_list
from apps.engine.parsing.words import words
from apps.engine.representation.language_detection import detect_language
from apps.engine.representation.vectors.reading import BadVectors
from apps.engine.urls import canonical, host
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.stored_pages.page_text import page_text
from apps.topics.examples.fetching import FetchAll, fetch_all
from apps.topics.models import StoredPage
from apps.topics.named_vectors import named_vectors

ROUNDS = 3
"""Rounds in which sources are asked; links of pages read in one are candidates of the next."""
MOST_CANDIDATES = 160
MOST_NEAR = 20
MOST_TEXT = 20_000
MOST_LINKS = 150
MOST_LISTED = 2_000


def gather(draft: Draft) -> None:
    """Asks the adviser what is open, then every source that is set up, and fetches the pages, until
    nothing new comes."""
    _ask_adviser(draft)
    _seek_near_words(draft)
    asked = _words_to_translate(draft)
    _translate(draft, asked)
    gather_with(draft, fetch_all, lambda: queue.heartbeat(draft))
    if (again := _words_to_translate(draft)) != asked:  # the pages read have other languages, too
        _translate(draft, again)
    if draft.starts_itself and draft.topic is None and queue.heartbeat(draft):
        try:
            services.start_crawl(draft)
        except services.AlreadyMade:
            pass  # the person has started it at this moment
        except Refused as refusal:
            queue.fail(draft, refusal.message)
            return
    queue.finish(draft)


def _ask_adviser(draft: Draft) -> None:
    for question in draft.adviser_questions.filter(is_open=True):
        try:
            question.proposals = adviser.ask(question.sent)
        except EndpointProblem as problem:
            question.problem = str(problem)
        question.is_open = False
        question.save()


def _seek_near_words(draft: Draft) -> None:
    try:
        vectors = named_vectors()
    except BadVectors as problem:
        Draft.objects.filter(pk=draft.pk).update(near={}, vectors_problem=str(problem))
        return
    near = {word: vectors.near(word, MOST_NEAR) for word in draft.words} if vectors else {}
    Draft.objects.filter(pk=draft.pk).update(near=near, vectors_problem="")


def _words_to_translate(draft: Draft) -> tuple[set[str], str, set[str]]:
    """The words of the draft and of its sentence, their language, and its other languages."""
    languages = languages_of(draft, read_texts(draft))
    own = detect_language([words(draft.sentence)]) or next(iter(languages), "")
    wanted = {word.lower() for word in (*draft.words, *sentence_words(draft))}
    return wanted, own, {*languages} - {own}


def _translate(draft: Draft, asked: tuple[set[str], str, set[str]]) -> None:
    translated, problem = Translated({}, ()), ""
    try:
        translated = translate(*asked)
    except BadDictionary as error:
        problem = str(error)
    draft.translations = {word: list(those) for word, those in translated.words.items()}
    draft.translated_by, draft.dictionaries_problem = list(translated.by), problem
    draft.save(update_fields=["translations", "translated_by", "dictionaries_problem"])


def gather_with(
    draft: Draft, fetcher_of: Callable[..., FetchAll], heartbeat: Callable[[], bool]
) -> None:
    """Gathers pages with the given fetcher, which gets a recorded web, or None for the live Web."""
    search = SourceRequest(draft, queries_of(draft), wanted_words(draft), heartbeat)
    for _ in range(ROUNDS):
        _ask_sources(search)
        if not heartbeat() or not _fetch_waiting(draft, fetcher_of, heartbeat):
            return


def _ask_sources(search: SourceRequest) -> None:
    draft = search.draft
    room = MOST_CANDIDATES - draft.candidates.count()
    for source in SOURCES:
        if not source.is_set_up():
            continue
        for offer in source.ask(search):
            url = canonical(offer.url)
            if room <= 0 or url is None:
                break
            _, is_new = CandidatePage.objects.get_or_create(
                draft=draft,
                url=url,
                defaults={
                    "host": host(url)[:255],
                    "source": source.id,
                    "detail": offer.detail[:300],
                    "web_id": offer.web or draft.web_id,
                },
            )
            room -= is_new


def _fetch_waiting(
    draft: Draft, fetcher_of: Callable[..., FetchAll], heartbeat: Callable[[], bool]
) -> bool:
    """Whether all that waited was fetched and there was some."""
    waiting = list(draft.candidates.filter(fetch=CandidatePage.FetchState.WAITING))
    by_web: dict[int | None, list[CandidatePage]] = {}
    for each in waiting:
        by_web.setdefault(each.web_id, []).append(each)
    for rows in by_web.values():
        try:
            if not _fetch(rows, fetcher_of(rows[0].web), heartbeat):
                return False
        except BadWebFile as error:
            _fail(rows, str(error)[:40])
    return bool(waiting)


def _fetch(rows: Sequence[CandidatePage], fetch: FetchAll, heartbeat: Callable[[], bool]) -> bool:
    by_url = {row.url: row for row in _spread(rows)}
    for url, answer in fetch(list(by_url)):
        keep(by_url[url], answer)
        if not heartbeat():
            return False
    return True


def _spread(rows: Sequence[CandidatePage]) -> list[CandidatePage]:
    """The rows such that hosts take turns: each waits for its pauses beside the others'."""
    seen: dict[str, int] = {}
    ranked = []
    for row in rows:
        seen[row.host] = seen.get(row.host, 0) + 1
        ranked.append((seen[row.host], row.pk, row))
    return [row for *_, row in sorted(ranked, key=lambda each: each[:2])]


def _fail(rows: Sequence[CandidatePage], failure: str) -> None:
    _still_there(rows).update(fetch=CandidatePage.FetchState.FAILED, failure=failure)


def _still_there(rows: Sequence[CandidatePage]) -> QuerySet[CandidatePage]:
    """The pages that were not taken down with their host while they were fetched."""
    there = CandidatePage.objects.filter(pk__in=[row.pk for row in rows])
    return there.exclude(failure=StoredPage.Unusable.TAKEN_DOWN)


def keep(row: CandidatePage, answer: Answer) -> None:
    """Stores the page's text, words and links, or why it has none; of a sitemap or a feed its
    entries, as links."""
    if answer.failure or answer.status is None:
        _fail([row], (answer.failure or str(Failure.PROTOCOL))[:40])
        return
    if is_site_list(answer.body) and (site_list := read_site_list(answer)) is not None:
        _fail([row], str(Failure.SITE_LIST))
        links = [[page.url, f"{page.title} {page.text}"] for page in site_list.pages[:MOST_LISTED]]
        _still_there([row]).update(links=links)
        return
    document, read, page = parse(answer), page_text(answer), answer.as_page()
    if not document.visible or document.has_no_text:
        _fail([row], "needs_javascript" if document.needs_javascript else "no_words")
        return
    text = read.text.replace("\0", " ")[:MOST_TEXT]
    _still_there([row]).update(
        fetch=CandidatePage.FetchState.FETCHED,
        final_url=answer.final_url,
        content_type=(page.header("content-type") or "")[:200],
        body=zlib.compress(page.body),
        title=read.title.replace("\0", " ")[:500],
        text=text,
        language=detect_language([words(text)]) or "",
        terms=term_counts(f"{read.title} {text}"),
        links=_links(document),
    )


def _links(document: Document) -> list[list[str]]:
    """[address, anchor] of the links that may be followed."""
    links, listed = document.links, document.words
    anchors: dict[int, str] = {}
    for j, target in enumerate(links.target.tolist()):
        anchor = " ".join(listed[links.anchor_start[j] : links.anchor_end[j]])
        anchors.setdefault(target, anchor)
    return [
        [url, anchors.get(i, "")[:200]]
        for i, url in enumerate(links.urls)
        if not links.nofollow[i] and url != document.url
    ][:MOST_LINKS]
