"""The screen on which a topic begins: its parts, each by itself for live updates."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.begin import drafts, selectors, services
from apps.begin.models import CandidatePage, Draft
from apps.begin.start_cost import start_cost
from apps.begin.understanding import understand as understood_of
from apps.crawls.messages import NO_WORKER
from apps.jobs import queue
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.begin.typed import (
    FURTHER_LISTS,
    carried,
    draft_of,
    further_lists,
    read_typed,
)
from apps.screens.topic.languages_widget import LanguagesWidget
from apps.topics.messages import language_names
from apps.topics.models import Topic
from apps.topics.named_vectors import vectors_label
from apps.topics.selectors import visible_topics

MOST_KIN = 14
SQUARES = 8


def new(request: SignedInRequest) -> HttpResponse:
    """The form; with `start` it makes the topic and its crawl, with `save` the topic alone."""
    if request.method != "POST":
        key = whole_number(request.GET.get("draft", "")) or 0
        earlier = selectors.drafts_of(request.user).filter(pk=key).first()
        return _page(request, earlier or Draft(owner=request.user))
    typed = read_typed(request)
    while True:
        with transaction.atomic():
            draft = draft_of(request, typed)
            if draft.topic is None:
                draft = drafts.write_draft(request.user, typed, draft)
        if draft.topic is not None:
            return _to_made(draft.topic)
        try:
            return _answer_post(request, draft)
        except services.AlreadyMade:
            # Of the same words: this leads there. Of others: these get a draft of their own.
            continue


def _answer_post(request: SignedInRequest, draft: Draft) -> HttpResponse:
    """Nothing is locked but while the topic and its crawl are stored. Raises AlreadyMade where the
    same draft was sent at the same moment."""
    if not {"start", "save"} & request.POST.keys():
        return _page(request, draft)
    if "start" in request.POST and services.seek_first_pages(draft, "awaited" in request.POST):
        return _page(request, draft, is_awaited=True)
    try:
        return _saved(request, draft)
    except Refused as refused:
        return _page(request, draft, refused)


def _to_made(topic: Topic) -> HttpResponse:
    """To the crawl that began with a topic, or to the topic that was saved alone."""
    crawl = topic.crawls.first()
    return redirect("live:crawl", crawl.pk) if crawl else redirect("topic:detail", topic.pk)


def _saved(request: SignedInRequest, draft: Draft) -> HttpResponse:
    """Raises Refused."""
    further = further_lists(request.POST)
    if "save" in request.POST:
        saved = services.save_topic(draft, further)
        address = redirect("topic:edit" if saved.errors else "topic:detail", saved.topic.pk)
    else:
        started = services.start_crawl(draft, further)
        saved, address = started.saved, redirect("live:crawl", started.crawl.pk)
    if saved.errors:
        messages.warning(request, "Some lines were not accepted; the topic’s form marks them.")
    return address


@require_POST
def understand(request: SignedInRequest) -> JsonResponse:
    """Keeps the draft and returns its parts; with `gather` candidate pages are sought too."""
    typed = read_typed(request)
    with transaction.atomic():
        draft = draft_of(request, typed)
        if draft.topic is not None:
            draft = Draft(owner=request.user)
        draft = drafts.write_draft(request.user, typed, draft)
    if "gather" in request.POST:
        services.gather(draft)
    return JsonResponse(_parts(draft, kin=whole_number(request.POST.get("kin", "")) or 0))


def state(request: SignedInRequest, pk: int) -> JsonResponse:
    """The parts of a draft as they are."""
    draft = get_object_or_404(selectors.drafts_of(request.user), pk=pk)
    services.gather_indexed(draft)
    return JsonResponse(_parts(draft))


@require_POST
def answer(request: SignedInRequest, pk: int) -> JsonResponse:
    """Answers a page with yes, no or skipped; `undo` takes back the last answer."""
    draft = get_object_or_404(selectors.drafts_of(request.user), pk=pk)
    value = request.POST.get("answer", "")
    if value == "undo":
        services.undo_last(draft)
        return JsonResponse(_parts(draft))
    if value not in ("yes", "no", "skipped"):
        return JsonResponse({"message": "Answer with yes, no or skipped."}, status=422)
    key = whole_number(request.POST.get("page", "")) or 0
    services.answer(get_object_or_404(draft.candidates, pk=key), value)
    if value == CandidatePage.GivenAnswer.YES and not draft.is_under_way:
        services.gather(draft)
    return JsonResponse(_parts(draft))


@require_POST
def advise(request: SignedInRequest, pk: int) -> JsonResponse:
    """Asks the adviser, in the background."""
    draft = get_object_or_404(selectors.drafts_of(request.user), pk=pk)
    try:
        services.ask_adviser(draft)
    except Refused as refused:
        return JsonResponse({"message": refused.message}, status=422)
    return JsonResponse(_parts(draft))


def journal(request: SignedInRequest, pk: int) -> HttpResponse:
    """Every query that was sent before the topic was made."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    context = {
        "topic": topic,
        "queries": selectors.journal_of(topic.pk),
        "questions": selectors.questions_of(topic.pk),
    }
    return render(request, "begin/journal.html", context)


def _page(
    request: SignedInRequest,
    draft: Draft,
    refused: Refused | None = None,
    is_awaited: bool = False,
) -> HttpResponse:
    languages = LanguagesWidget("as in the sentence and the pages read")
    context = {
        "draft": draft,
        "form_token": draft.form_token or uuid4().hex,
        "refused": refused,
        "is_awaited": is_awaited,
        "earlier_drafts": [] if draft.pk else selectors.unfinished_drafts(request.user),
        "languages": languages.render("language", draft.language, {"id": "id_language"}),
        "carried": carried(request.POST),
        "further_lists": [(name, request.POST.get(name, "")) for name in FURTHER_LISTS],
        **_context(draft),
    }
    return render(request, "begin/begin.html", context, status=422 if refused else 200)


def _context(draft: Draft, kin: int = 0) -> dict[str, Any]:
    understood = understood_of(draft, min(kin, MOST_KIN)) if kin else understood_of(draft)
    candidates = selectors.candidates_of(draft) if draft.pk else None
    answers = candidates.answers if candidates else selectors.Answers(0, 0, 0, 0, 0)
    return {
        "draft": draft,
        "understood": understood,
        "language_names": understood.languages and language_names(list(understood.languages)),
        "candidates": candidates,
        "is_gathering": bool(draft.pk) and selectors.is_gathering(draft),
        "answers": answers,
        "squares": [
            ("yes", answers.yes, selectors.WANTED_YES, _squares(answers.yes, selectors.WANTED_YES)),
            ("no", answers.no, selectors.WANTED_NO, _squares(answers.no, selectors.WANTED_NO)),
        ],
        "sources": selectors.source_states(draft) if draft.pk else [],
        "vectors": vectors_label(),
        "adviser": selectors.adviser_of(draft),
        "no_worker": NO_WORKER if queue.is_unanswered(draft) else "",
        "cost": start_cost(draft),
    }


def _squares(count: int, wanted: int) -> list[str]:
    """The class of each square: filled, filled further, wanted, further."""
    return [
        ("is-full" if i < wanted else "is-more") if i < count else "is-wanted" * (i < wanted)
        for i in range(SQUARES)
    ]


def _parts(draft: Draft, kin: int = 0) -> dict[str, Any]:
    draft.refresh_from_db()
    context = _context(draft, kin)
    names = ("understood", "summary", "sources", "bar", "meter", "learned", "happen", "dock")
    candidates = context["candidates"]
    return {
        "draft": draft.pk,
        "name": context["understood"].name,
        "is_gathering": context["is_gathering"],
        "read": candidates.read,
        "parts": {name: render_to_string(f"begin/{name}.html", context) for name in names},
        "rows": [
            {
                "id": row.page.pk,
                "turn": row.page.turn,
                "html": render_to_string("begin/row.html", {"row": row}),
            }
            for row in candidates.rows
        ],
        "start": "Start" if context["answers"].all else "Start from the sentence",
    }
