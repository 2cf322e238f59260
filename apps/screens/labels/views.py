"""The screen of several people's labels, and all labels as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from apps.accounts.requests import SignedInRequest
from apps.agreement import tables, words
from apps.agreement.answers import PageAnswers, labelled_count, people_of, read_answers
from apps.agreement.asking import ASKED_AT_ONCE, as_answers, last_request, requests_to
from apps.agreement.comparing import Part, compare, pages_of_part, parts
from apps.agreement.disagreements import (
    counted_pages,
    disagreements,
    pages_to_see,
    pages_to_share,
    settled_pages,
)
from apps.agreement.tables import pages_at
from apps.crawls.models import LabelRecount
from apps.screens.labels.rows import labelled_rows
from apps.topics.annotation import annotators_of, guideline_of, hides_others, readers_of
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics, visible_topics

SHOWN = 20
SETTLED_SHOWN = 10


def labels(request: SignedInRequest, pk: int) -> HttpResponse:
    """The agreement of the people who label a topic, the pages to settle, and the pages for both to
    label; `?part=` shows one part of the pages."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    may_change = editable_topics(request.user).filter(pk=topic.pk).exists()
    pages = read_answers(topic, request.user)
    people = people_of(pages)
    return render(
        request,
        "labels/labels.html",
        {
            "topic": topic,
            "may_change": may_change,
            "mine": topic.owner_id == request.user.pk,
            "you": request.user,
            "rules": Topic.LabelRule,
            "recount": LabelRecount.objects.filter(topic=topic).first(),
            "counted": counted_pages(topic, pages),
            "unseen": labelled_count(topic) - len(pages),
            "hides": hides_others(topic, request.user),
            **_people(topic, pages, people),
            **_guideline(topic, request.user),
            **_figures(topic, pages, people, request.GET.get("part", "")),
            **_queue(request, topic, pages, people, may_change),
        },
    )


def _people(topic: Topic, pages: Sequence[PageAnswers], people: Sequence[User]) -> dict[str, Any]:
    """The people who have labelled pages, with their numbers, and the others who may."""
    annotators = list(annotators_of(topic))
    labelled = [
        {
            "person": person,
            "count": sum(person.pk in page.labels for page in pages),
            "last": max(page.labels[person.pk].at for page in pages if person.pk in page.labels),
            "may_label": person in annotators,
        }
        for person in people
    ]
    return {
        "people": labelled,
        "is_pair": len({*people, *annotators}) == 2,
        "others": [each for each in annotators if each not in people],
        "since": min((page.at for page in pages), default=None),
    }


def _guideline(topic: Topic, reader: User) -> dict[str, Any]:
    """The note of what is in and out, who has read it, and its earlier versions."""
    guideline = guideline_of(topic)
    readers = readers_of(topic, guideline) if guideline else []
    waiting = [each for each in annotators_of(topic) if each.get_username() not in readers]
    return {
        "guideline": guideline,
        "readers": readers,
        "all_have_read": not waiting,
        "has_read": reader.get_username() in readers,
        "versions": topic.guidelines.select_related("by").order_by("-version")[1:],
    }


def _figures(
    topic: Topic, pages: Sequence[PageAnswers], people: Sequence[User], part: str
) -> dict[str, Any]:
    """The sentence, the table of parts, and the answers of two people or of each pair."""
    if len(people) < 2:
        return {"parts": [], "whole": None}
    table = parts(pages, people, guideline_of(topic))
    chosen = next((each for each in table if each.id == part), table[0])
    pairs = compare(pages, people)
    return {
        "parts": table,
        "whole": table[0],
        "chosen": chosen,
        "part_query": f"part={chosen.id}" if chosen is not table[0] else "",
        "part_kept": f"part={chosen.id}&" if chosen is not table[0] else "",
        "agreed": table[0].pages - table[0].differ,
        "measure": words.measure_words(table[0]),
        "where": words.where_words(table),
        "more": words.more_pages_words(table[0], ASKED_AT_ONCE),
        "pairs": pairs,
        "pair": pairs[0] if len(pairs) == 1 else None,
        "cells": _cells(chosen) if chosen.agreement else [],
        "undefined": {
            each.id: words.undefined_words(each.agreement)
            for each in table
            if each.agreement and each.is_enough and each.value is None
        },
    }


def _cells(part: Part) -> list[tuple[int, int]]:
    """The four counts of two people's answers with their shades, 0 to 5 of the most."""
    assert part.agreement is not None
    counts = part.agreement
    cells = (counts.yes_yes, counts.yes_no, counts.no_yes, counts.no_no)
    most = max(cells) or 1
    return [(count, round(5 * count / most)) for count in cells]


def _queue(
    request: SignedInRequest,
    topic: Topic,
    pages: Sequence[PageAnswers],
    people: Sequence[User],
    may_change: bool,
) -> dict[str, Any]:
    """The pages to settle, those that were, and those that the reader should label as well."""
    within = pages_of_part(request.GET.get("part", ""), pages, guideline_of(topic))
    seen = pages_to_see(topic, within, request.user) if may_change else within
    queue = disagreements(seen, request.user)
    hidden = sum(page.differs and page.settlement is None for page in within) - len(queue)
    paging = Paginator(queue, SHOWN).get_page(request.GET.get("page"))
    settled = settled_pages(seen)
    moves = [each.moves for each in paging]
    asked = requests_to(request.user, topic, pages) if may_change else []
    positions = [(row.crawl_id, row.seq, row.address) for row in asked[:SHOWN]]
    addresses = {row.address for row in asked}
    others = pages_to_share(pages, request.user) if may_change else []
    share = [page for page in others if page.address not in addresses]
    requested = labelled_rows(as_answers(asked[:SHOWN], pages), people, stored=pages_at(positions))
    return {
        "paging": paging,
        "queue": labelled_rows([each.page for each in paging], people, moves),
        "hidden": hidden,
        "settled": labelled_rows(settled[:SETTLED_SHOWN], people),
        "settled_count": len(settled),
        "asked": len(asked),
        "last_request": last_request(topic),
        "to_share": [*requested, *labelled_rows(share, people)][:ASKED_AT_ONCE],
        "ask_at_once": ASKED_AT_ONCE,
    }


def table(request: SignedInRequest, pk: int) -> HttpResponse:
    """The labels of a topic as CSV: a row a page, a column a person; without the pages whose labels
    are hidden from the reader."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    may_change = editable_topics(request.user).filter(pk=topic.pk).exists()
    pages = read_answers(topic, request.user)
    seen = pages_to_see(topic, pages, request.user) if may_change else pages
    name = f"labels-topic-{topic.pk}.csv"
    return HttpResponse(
        b"".join(tables.csv_lines(topic, seen)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
