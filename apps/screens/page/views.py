"""One collected page: its text and details, its stored copy, and similar pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

from django.contrib.auth.models import User
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.clickjacking import xframe_options_sameorigin

from apps.accounts.requests import SignedInRequest
from apps.collection.indexing.reading import DATE_SOURCES, main_texts
from apps.collection.models import MainText
from apps.collection.pages.details import Details, collected_page, details, readable_answer
from apps.collection.pages.links import page_links
from apps.collection.pages.similar import similar_pages
from apps.collection.pages.versions import versions
from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.crawls.commands.labelling.settling import settlement_of
from apps.crawls.labels.shown import labels_of_others, own_labels
from apps.crawls.models import Page
from apps.crawls.selectors import visible_crawls
from apps.engine.digests import digest
from apps.engine.kinds import DocumentKind, declared_document, media_type
from apps.screens.collection.positions import carried, read_position
from apps.screens.collection.rows import rows, visit_to_label
from apps.screens.live import why
from apps.screens.page.article import marking, shown_text
from apps.screens.page.reasons import why_judged
from apps.search.languages import language_name
from apps.search.search import LONGEST
from apps.stored_pages.document_text import document_text
from apps.stored_pages.page_text import VisibleText, page_text
from apps.stored_pages.stored_copy import CONTENT_SECURITY_POLICY, safe_copy
from apps.topics.annotation import hides_others
from apps.topics.selectors import visible_topics

VIEWS = (
    ("text", "Text"),
    ("stored", "Raw copy"),
    ("headers", "Headers"),
    ("links", "Links"),
    ("why", "Why"),
)
# A document is read as text, or downloaded: its bytes are never shown.
RENDERED_VIEWS = (*VIEWS[:2], ("fetched", "As fetched"), *VIEWS[2:])
DOCUMENT_VIEWS = tuple(view for view in VIEWS if view[0] != "stored")
LINKS_SHOWN = 3
LONGEST_TEXT = 200_000


def page(request: SignedInRequest, pk: int, seq: int) -> HttpResponse:
    """A page as it reads, and all that is recorded of it; `?view=` selects its stored copy, headers
    or links, `?q=` are the words of a search, `?all` shows all of its text."""
    shown = collected_page(request.user, pk, seq)
    topic = shown.crawl.topic
    siblings = visible_crawls(request.user).filter(topic=topic)
    of_page = RENDERED_VIEWS if shown.rendered else VIEWS
    views = of_page if shown.kind == DocumentKind.PAGE else DOCUMENT_VIEWS
    view = request.GET.get("view", "")
    view = view if view in dict(views) else "text"
    facts = details(shown, tuple(siblings.values_list("pk", flat=True)))
    context = {
        "page": shown,
        "crawl": shown.crawl,
        "details": facts,
        "labelled": _labelled(shown, facts, request.user),
        "views": views,
        "view": view,
        "position": read_position(request.user, shown, request.GET),
        "carried": carried(request.GET),
        "links": page_links(shown),
        "links_shown": LINKS_SHOWN,
        "versions": versions(facts.visits),
        "why": why.context(shown.crawl, shown.number)["why"] if view == "why" else None,
        "visible_topic": visible_topics(request.user).filter(pk=topic.pk).exists(),
        **_text(shown, view, request),
    }
    return render(request, "page/page.html", context)


def _labelled(shown: Page, facts: Details, reader: User) -> dict[str, Any]:
    """The reader's label of a page and, as far as they want to see them, those of others."""
    topic, address = shown.crawl.topic, digest(shown.final_url)
    mine = visit_to_label(facts.visits, reader)
    label = facts.entry.label if facts.entry else None
    own = own_labels(topic, [address], reader) if mine else {}
    return {
        "page": shown,
        "label": own.get(address, label),
        "mine": mine,
        "hidden": len(own) > 0 and own[address] is None and hides_others(topic, reader),
        "others": labels_of_others(topic, address, reader) if mine else (),
        "settlement": settlement_of(topic, address) if address in own else None,
    }


def _text(shown: Page, view: str, request: SignedInRequest) -> dict[str, Any]:
    """The main text of a page, and the stored copy where that is shown instead."""
    read = main_texts([shown.pk]).get(shown.pk)
    language = read.language if read else ""
    is_document = shown.kind != DocumentKind.PAGE and view == "text"
    is_missing = read is None or not read.words
    is_whole = view == "text" and not is_document and ("all" in request.GET or is_missing)
    needs_answer = is_whole or is_document or view != "text"
    answer = readable_answer(shown.crawl, shown) if needs_answer else None
    whole = page_text(answer).text if answer and is_whole else ""
    topic, words = shown.crawl.topic, request.GET.get("q", "")[:LONGEST]
    snippets = marking(words, CollectionSearch.prefixes, topic, language)
    return {
        "read": read,
        "is_whole": is_whole,
        "document": document_text(answer, LONGEST_TEXT) if answer and is_document else None,
        "answer": answer,
        "whole": snippets.marked(whole[:LONGEST_TEXT]),
        "cut": len(whole) > LONGEST_TEXT,
        "shown": shown_text(read, snippets) if read and view == "text" else None,
        "languages": _languages(read) if read else "",
        "dated": DATE_SOURCES.get(read.published_source, "") if read else "",
        "why_judged": why_judged(shown, topic, read.text if read else "", language),
    }


def _languages(read: MainText) -> str:
    """`German`, or `German 60 %, English 40 %`."""
    if len(read.languages) == 1:
        return language_name(read.language)
    shares = (f"{language_name(code)} {share:.0%}" for code, share in read.languages)
    return ", ".join(shares).replace("%", "\u202f%")


def similar(request: SignedInRequest, pk: int, seq: int) -> HttpResponse:
    """The most similar pages of all visible crawls of its topic."""
    shown = collected_page(request.user, pk, seq)
    topic = shown.crawl.topic
    visible = visible_topics(request.user).filter(pk=topic.pk).exists()
    everything = QueryDict("")
    search = (
        search_topic(request.user, topic.pk, everything)
        if visible
        else search_crawl(request.user, pk, everything)
    )
    answer = readable_answer(shown.crawl, shown)
    alike = similar_pages(search, shown, page_text(answer) if answer else VisibleText("", ""))
    listed = rows(search, alike.hits, request.user)
    context = {
        "searched": search.context,
        "page": shown,
        "crawl": shown.crawl,
        "answer": answer,
        "words": alike.words,
        "rows": [replace(row, shared=alike.shared[row.page.pk]) for row in listed],
        "visible_topic": visible,
    }
    return render(request, "page/similar.html", context)


def download(request: SignedInRequest, pk: int, seq: int) -> HttpResponse:
    """The stored document, to be saved as a file: no browser shows it under this address."""
    shown = collected_page(request.user, pk, seq)
    answer = readable_answer(shown.crawl, shown)
    if shown.kind == DocumentKind.PAGE or answer is None or answer.converted is None:
        raise Http404
    kind = answer.converted.kind
    named = answer.header("Content-Type") or ""
    is_named = declared_document(named) is kind
    content_type = named.partition(";")[0].strip().lower() if is_named else media_type(kind)
    name = unquote(urlsplit(shown.final_url).path).rpartition("/")[2] or f"page-{seq}.{kind}"
    return HttpResponse(
        answer.body,
        headers={
            "Content-Type": content_type,
            "Content-Disposition": content_disposition_header(True, name) or "attachment",
            "Content-Security-Policy": CONTENT_SECURITY_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "private, max-age=300",
        },
    )


@xframe_options_sameorigin
def stored(request: SignedInRequest, pk: int, seq: int) -> HttpResponse:
    """The stored copy for the sandboxed frame, under a policy that allows nothing; with `?fetched`
    that of a rendered page before its scripts were run."""
    shown = collected_page(request.user, pk, seq)
    answer = readable_answer(shown.crawl, shown)
    if answer is None:
        return HttpResponse(
            "The stored copy of this page cannot be read.",
            status=410,
            content_type="text/plain",
            headers={"Content-Security-Policy": CONTENT_SECURITY_POLICY},
        )
    if shown.rendered and "fetched" in request.GET:
        answer = replace(answer, converted=None)
    return HttpResponse(
        safe_copy(answer),
        headers={
            "Content-Security-Policy": CONTENT_SECURITY_POLICY,
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "private, max-age=300",
        },
    )
