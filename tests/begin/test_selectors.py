"""What the screen of a draft says of its sources."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from apps.begin import services
from apps.begin.models import CandidatePage, Draft
from apps.begin.selectors import answers_of, candidates_of, source_states
from apps.begin.sources.given_sites import GIVEN_SITES, YOURS

pytestmark = pytest.mark.django_db


def test_each_host_that_gave_no_page_is_named_once_with_why(owner) -> None:
    draft = Draft.objects.create(owner=owner)
    for path, failure in (
        ("a.test/", "dns"),
        ("a.test/2", "dns"),
        ("b.test/", "http_404"),
        ("b.test/2", "needs_javascript"),
        ("c.test/", "the file of the web is gone"),
        ("d.test/", "timeout"),
    ):
        draft.candidates.create(
            url=f"http://{path}",
            host=path.partition("/")[0],
            source=GIVEN_SITES.id,
            detail=YOURS,
            fetch=CandidatePage.FetchState.FAILED,
            failure=failure,
        )
    state = source_states(draft)[0]
    assert state.words == (
        "0 of 6 read, 0 of their links; no page from a.test (host unknown);"
        " b.test (404 not found, shows its text by script only);"
        " c.test (the file of the web is gone)"
    )


@pytest.mark.parametrize(
    ("entries", "words"),
    [(1, "the 1 address is being read"), (4, "the 4 addresses are being read")],
)
def test_the_addresses_that_are_read_are_counted(entries: int, words: str) -> None:
    context = {
        "draft": {"is_empty": False},
        "candidates": {"rows": []},
        "is_gathering": True,
        "understood": {"entries": [0] * entries},
    }
    assert words in render_to_string("begin/bar.html", context)


def with_pages(draft: Draft) -> Draft:
    for n in range(9):
        draft.candidates.create(
            url=f"http://a.test/{n}",
            host="a.test",
            source=GIVEN_SITES.id,
            fetch=CandidatePage.FetchState.FETCHED,
            terms={"bread": 2} if n % 2 else {"star": 1},
            language="en",
        )
    return draft


def test_nothing_is_expected_of_pages_while_no_word_separates_them(owner) -> None:
    draft = with_pages(Draft.objects.create(owner=owner, addresses="http://a.test/"))
    assert {(row.kind, row.chance) for row in candidates_of(draft).rows} == {("", None)}
    for page in draft.candidates.all()[:6]:
        services.answer(page, "yes")
    answers = answers_of(draft)
    assert (answers.all, answers.foreseen, answers.expected) == (6, 0, 0)
    assert not answers.are_enough
    assert {(row.kind, row.chance) for row in candidates_of(draft).rows} == {("", None)}


def test_what_was_expected_is_counted_from_the_first_word_on(owner) -> None:
    draft = with_pages(Draft.objects.create(owner=owner, words=["bread"]))
    assert all(row.kind for row in candidates_of(draft).rows)
    for page in draft.candidates.all()[:6]:
        services.answer(page, "yes" if "bread" in page.terms else "no")
    answers = answers_of(draft)
    assert answers.foreseen == 6 and answers.are_enough
    assert all(row.chance is not None for row in candidates_of(draft).rows)
