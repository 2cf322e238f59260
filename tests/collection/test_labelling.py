"""One label for all pages of a search, in the background, with undo."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.urls import reverse

from apps.collection import labelling
from apps.collection.labelling import BATCH, label_matches, take_back
from apps.collection.models import BulkLabelling
from apps.collection.search import CollectionSearch
from apps.crawls.commands.labelling.labels import LabelChange, label_all, labels_of
from apps.jobs import queue
from apps.jobs.tasks import run
from apps.schemas.refused import Refused
from tests.collection_fixtures import store
from tests.people import Program, site_of

PAGES = BATCH + 13


@pytest.fixture
def pages(crawl):
    texts = [f"eelgrass meadow {n}" if n < PAGES else f"gravel {n}" for n in range(PAGES + 5)]
    return store(crawl, *({"text": text} for text in texts))


@pytest.fixture
def search(pages, searched_by, owner) -> CollectionSearch:
    return CollectionSearch.read(QueryDict("q=eelgrass")).within(searched_by(owner))


def work(job: BulkLabelling) -> BulkLabelling:
    job.refresh_from_db()
    assert run("collection.BulkLabelling", job.pk, job.job_attempt) == "done"
    job.refresh_from_db()
    return job


def labels(crawl) -> dict[int, bool]:
    return labels_of(crawl, range(1, PAGES + 6), crawl.owner)


def test_every_page_of_the_search_is_labelled_and_no_other(search, crawl, owner) -> None:
    job = work(label_matches(owner, search, "y"))
    assert labels(crawl) == dict.fromkeys(range(1, PAGES + 1), True)
    assert (job.done, job.refused, job.job_state) == (PAGES, 0, "done")


def test_undo_restores_the_labels_of_before_and_leaves_later_ones(search, crawl, owner) -> None:
    label_all(crawl, LabelChange(False, (2, 3)), owner)
    job = work(label_matches(owner, search, "y"))
    label_all(crawl, LabelChange(False, (5,)), owner)
    take_back(job)
    job = work(job)
    assert labels(crawl) == {2: False, 3: False, 5: False}
    assert (job.undone, job.done) == (True, PAGES)
    with pytest.raises(Refused):
        take_back(job)


def test_after_a_kill_it_goes_on_and_can_be_taken_back(search, crawl, owner, monkeypatch) -> None:
    job = label_matches(owner, search, "y")
    with monkeypatch.context() as patch:
        give = labelling.give_labels

        def killed(*given):
            give(*given)
            raise KeyboardInterrupt

        patch.setattr(labelling, "give_labels", killed)
        with pytest.raises(KeyboardInterrupt):
            run("collection.BulkLabelling", job.pk, job.job_attempt)
    assert len(labels(crawl)) == BATCH
    queue.enqueue(job)
    assert work(job).done == PAGES and len(labels(crawl)) == PAGES
    take_back(job)
    work(job)
    assert labels(crawl) == {}


def test_pressed_twice_it_is_done_once(search, owner) -> None:
    label_matches(owner, search, "y")
    with pytest.raises(Refused, match="wait until that is done"):
        label_matches(owner, search, "n")
    assert BulkLabelling.objects.count() == 1


def test_a_page_of_two_crawls_is_labelled_where_it_has_its_label(
    crawl, other_crawl, searched_by, owner
) -> None:
    page = {"url": "http://a.test/same", "text": "eelgrass"}
    store(crawl, page)
    store(other_crawl, page)
    label_all(crawl, LabelChange(False, (1,)), owner)
    search = CollectionSearch.read(QueryDict("q=eelgrass")).within(searched_by(owner))
    job = work(label_matches(owner, search, "y"))
    assert job.pages == [[crawl.pk, 1]] and labels_of(crawl, [1], crawl.owner) == {1: True}
    assert labels_of(other_crawl, [1], crawl.owner) == {}


@pytest.mark.parametrize("most", [PAGES - 1, 1])
def test_too_many_pages_are_refused_with_the_number(search, owner, monkeypatch, most) -> None:
    monkeypatch.setattr(labelling, "MOST", most)
    with pytest.raises(Refused, match=f"has {PAGES} pages; at most {most}"):
        label_matches(owner, search, "y")


def test_nobody_labels_pages_of_crawls_they_may_not_edit(search, stranger) -> None:
    with pytest.raises(Refused, match="that you may label"):
        label_matches(stranger, search, "y")


def test_the_screen_labels_all_pages_shows_the_progress_and_takes_them_back(
    pages, crawl, owner
) -> None:
    site = site_of(owner)
    address = reverse("collection:label_topic", args=[crawl.topic_id]) + "?q=eelgrass"
    page = site.post(address, {"value": "y"}, follow=True).content.decode()
    assert f"0 of {PAGES} pages labelled y" in page and "data-working" in page
    job = work(BulkLabelling.objects.get())
    page = site.post(address, {"value": "undo"}, follow=True).content.decode()
    assert f"0 of {PAGES} pages with the labels of before" in page
    work(job)
    assert labels(crawl) == {}
    refused = site.post(address, {"value": "x"}, follow=True).content.decode()
    assert "No label was changed. Give y, n or -." in refused


def test_a_program_labels_all_pages_of_a_search(pages, crawl, owner, stranger) -> None:
    program = Program(owner)
    sent = program.send("post", f"crawls/{crawl.pk}/pages/labels?q=eelgrass", {"relevant": True})
    assert (sent.status_code, sent.json()["pages"]) == (202, PAGES)
    one = f"labellings/{sent.json()['id']}"
    work(BulkLabelling.objects.get())
    assert program.get(one).json() | {"done": PAGES, "state": "done"} == program.get(one).json()
    assert Program(stranger).get(one).status_code == 404
    assert program.send("post", f"{one}/undo", {}).status_code == 202
    work(BulkLabelling.objects.get())
    assert labels(crawl) == {}
