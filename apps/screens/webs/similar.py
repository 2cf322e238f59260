"""The pages of a recorded web similar to one of them."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from apps.accounts.requests import SignedInRequest
from apps.collection.indexing.resemblance import are_near, sketch
from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.engine.parsing.words import words
from apps.screens.webs.frame import being_indexed, visible_web
from apps.screens.webs.pages import page_of
from apps.screens.webs.rows import page_rows
from apps.stored_pages.page_text import VisibleText, page_text
from apps.webs.links import is_counted
from apps.webs.opening import open_web
from apps.webs.pages.search import PageSearch
from apps.webs.pages.searching import PageIndex, WebPage
from apps.webs.pages.similar import similar_pages


def similar(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """Up to twenty pages, the words that each shares with the page, and whether its text is nearly
    the same."""
    web = visible_web(request, pk)
    if being_indexed(web):
        return redirect("webs:web", web.pk)
    page, opened = page_of(web, number), open_web(web)
    text = page_text(opened.get(page.url))
    with PageIndex(web) as index:
        alike = similar_pages(index, page, text)
        rows = page_rows(opened, PageSearch(), alike.pages, index.language)
    near = _near(opened, text, alike.pages)
    return render(
        request,
        "webs/similar.html",
        {
            "web": web,
            "page": page,
            "words": alike.words,
            "has_links": is_counted(web),
            "rows": [(row, alike.shared[row.page.number], row.page.number in near) for row in rows],
        },
    )


def _near(web: EngineWeb, text: VisibleText, others: tuple[WebPage, ...]) -> set[int]:
    """The numbers of the pages with nearly the same text."""
    own = words(text.text)
    own_sketch, near = sketch(own), set()
    for other in others:
        its = words(page_text(web.get(other.url)).text)
        if are_near(own_sketch, len(own), sketch(its), len(its)):
            near.add(other.number)
    return near
