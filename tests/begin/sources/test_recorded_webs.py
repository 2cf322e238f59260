"""Candidates from recorded webs: those that are indexed, and those that are indexed for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apps.begin import drafts, services
from apps.begin.drafts import Typed
from apps.begin.models import Draft
from apps.begin.selectors import is_gathering, source_states
from apps.begin.sources import recorded_webs
from apps.begin.tasks import gather_with
from apps.jobs import queue
from apps.topics.examples.fetching import fetch_all
from apps.webs.importing import import_web
from apps.webs.models import PageIndexing
from apps.webs.pages.tasks import index_pages
from tests.topic_fixtures import owner, redirects_file, web, web_file  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.alike]

TYPED = Typed(sentence="dough and flour")


def gathered(owner) -> Draft:
    return gathered_again(drafts.write_draft(owner, TYPED))


def gathered_again(draft: Draft) -> Draft:
    queue.claim_here(draft)
    draft.refresh_from_db()
    gather_with(draft, fetch_all, lambda: True)
    queue.finish(draft)
    draft.refresh_from_db()
    return draft


def index_what_waits() -> None:
    for job in PageIndexing.objects.filter(job_state=PageIndexing.State.WAITING):
        queue.claim_here(job)
        job.refresh_from_db()
        index_pages(job)
        queue.finish(job)


def words_of(draft: Draft) -> str:
    return next(s.words for s in source_states(draft) if s.title == "recorded webs")


def test_a_web_without_an_index_is_indexed_and_asked_then(owner, web, data_dir) -> None:
    draft = gathered(owner)
    assert not draft.candidates.exists()
    assert (
        words_of(draft) == "pages are being indexed: made (0 of 120); they come when that is done"
    )
    assert is_gathering(draft)
    index_what_waits()
    assert is_gathering(draft)
    services.gather_indexed(draft)
    draft.refresh_from_db()
    assert draft.is_under_way
    draft = gathered_again(draft)
    assert draft.candidates.filter(source="recorded_webs", fetch="fetched").exists()
    assert not is_gathering(draft)


def test_a_large_web_is_left_to_the_opening_of_its_pages(owner, web, data_dir, monkeypatch) -> None:
    monkeypatch.setattr(recorded_webs, "MOST_INDEXED", 100)
    draft = gathered(owner)
    assert not PageIndexing.objects.exists()
    assert not is_gathering(draft)
    assert not services.seek_first_pages(draft, has_waited=False)


def test_an_index_that_failed_is_not_waited_for(owner, web, data_dir) -> None:
    draft = gathered(owner)
    job = PageIndexing.objects.get()
    queue.claim_here(job)
    job.refresh_from_db()
    queue.fail(job, "The index could not be written.")
    assert not is_gathering(draft)


def test_every_web_is_asked(owner, web, data_dir, tmp_path: Path) -> None:
    page = {"url": "http://other.test/", "html": "<p>flour and dough of another web</p>"}
    path = tmp_path / "other.jsonl"
    path.write_text(json.dumps(page))
    other, _ = import_web("other", path, owner=owner)
    draft = gathered(owner)
    index_what_waits()
    draft = gathered_again(draft)
    assert {query.address for query in draft.queries.all()} == {web.name, other.name}
    assert draft.candidates.filter(web=other).exists()
