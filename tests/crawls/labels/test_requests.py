"""When a crawl asks for answers, and what they move."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from apps.crawls.labels.proposals import label_queue
from apps.crawls.labels.requests import AnswerRequest, answer_request
from apps.crawls.models import Crawl, FrontierEntry, Label
from apps.crawls.packing import unpack_numbers
from apps.engine.codes import State
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run


@pytest.fixture
def crawl(transactional_db, data_dir: Path) -> Crawl:
    """A paused crawl of 60 pages."""
    owner = get_user_model().objects.create_user("ada")
    topic = run_here.bread(owner, run_here.made_web(data_dir))
    crawl = run(new_crawl(topic, "learner", budget=60))
    crawl.state = State.PAUSED
    crawl.save()
    return crawl


def label(crawl: Crawl, count: int) -> None:
    for seq in range(1, count + 1):
        Label.objects.create(crawl=crawl, seq=seq, relevant=True)


def test_ten_answers_are_asked_once_there_are_fifty_pages(crawl: Crawl) -> None:
    request = answer_request(crawl)
    queue = label_queue(crawl, 10)
    assert request is not None and queue is not None
    assert request.answers == len(queue.proposals) <= 10
    seqs = [each.page.seq for each in queue.proposals]
    waiting = set(
        crawl.frontier.filter(state=FrontierEntry.State.WAITING).values_list("number", flat=True)
    )
    rows = crawl.outlinks.filter(seq__in=seqs)
    targets = set().union(*(unpack_numbers(row.targets).tolist() for row in rows))
    assert request.links == len(targets & waiting) > 0


def test_answered_rounds_and_early_or_finished_crawls_ask_nothing(crawl: Crawl) -> None:
    crawl.pages = 49
    assert answer_request(crawl) is None
    crawl.pages = 60
    label(crawl, 7)
    asked = answer_request(crawl)
    assert asked is not None and asked.answers == 3
    label_more = Label.objects.bulk_create(
        Label(crawl=crawl, seq=seq, relevant=False) for seq in (8, 9, 10)
    )
    assert len(label_more) == 3 and answer_request(crawl) is None
    Label.objects.all().delete()
    crawl.state = State.FINISHED
    assert answer_request(crawl) is None


def test_it_is_asked_on_the_live_page_and_in_the_list_of_crawls(
    crawl: Crawl, client: Client
) -> None:
    client.force_login(crawl.owner)
    asked = answer_request(crawl)
    assert asked is not None
    for address in (f"/crawls/{crawl.pk}/", "/crawls/"):
        assert asked.words() in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("answers", "links", "words"),
    [
        (10, 913, "10 answers now move about 910 links"),
        (10, 12_345, "10 answers now move about 12,000 links"),
        (1, 1, "1 answer now moves 1 link"),
        (3, 42, "3 answers now move 42 links"),
    ],
)
def test_numbers_of_links_have_two_digits(answers: int, links: int, words: str) -> None:
    assert AnswerRequest(answers, links).words() == words
