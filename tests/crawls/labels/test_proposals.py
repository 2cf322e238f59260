"""The queue of pages to label first, and skipping."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.crawls.commands.catalogue import COMMANDS, EVENT_KINDS
from apps.crawls.commands.labelling import labels
from apps.crawls.commands.undo import undo
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.proposals import EVERY, LabelQueue, Proposal, label_queue
from apps.crawls.labels.skipped import skipped_pages
from apps.crawls.models import Crawl, FrontierEntry, Label, Page
from apps.crawls.packing import unpack_numbers
from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


@pytest.fixture
def crawl(topic: Topic) -> Crawl:
    return run(new_crawl(topic, "learner", budget=60))


def proposed(crawl: Crawl, most: int = 8) -> list[int]:
    queue = label_queue(crawl, most)
    assert queue is not None
    return [each.page.seq for each in queue.proposals if each.kind == Label.Purpose.TEACHING]


def waiting_links(crawl: Crawl, page: Page) -> int:
    waiting = crawl.frontier.filter(state=FrontierEntry.State.WAITING)
    targets = unpack_numbers(crawl.outlinks.get(seq=page.seq).targets).tolist()
    return len(set(targets) & set(waiting.values_list("number", flat=True)))


def test_it_has_unknown_pages_with_waiting_links_the_most_worth_first(crawl: Crawl) -> None:
    queue = label_queue(crawl, 100)
    assert queue is not None and queue.is_due and len(queue.proposals) > 3
    worth = []
    for each in queue.proposals:
        if each.kind == Label.Purpose.MEASURING:
            continue
        assert each.moves == waiting_links(crawl, each.page) > 0
        assert each.chance == each.page.topicality and each.page.seq <= 60 - 60 % EVERY
        assert not crawl.topic.targets.filter(url=each.page.final_url).exists()
        assert not crawl.topic.examples.filter(url=each.page.final_url).exists()
        worth.append((each.chance, each.moves))
    for (chance, moves), (other, fewer) in pairwise(worth):
        assert chance >= other or moves >= fewer


def test_the_examples_are_read_once_for_both_kinds_of_question(crawl: Crawl) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert label_queue(crawl) is not None
    of_urls = 'SELECT "topics_example"."url" AS "url", "topics_example"."final_url"'
    reads = [q["sql"] for q in asked.captured_queries if q["sql"].startswith(of_urls)]
    assert reads and len(reads) == len({*reads})


def test_of_what_it_looks_through_only_the_pages_it_shows_are_read_whole(crawl: Crawl) -> None:
    first, second, *_ = proposed(crawl)
    for seq in (first, second):
        labels.label(crawl, seq, True, crawl.owner)
    with CaptureQueriesContext(connection) as asked:
        queue = label_queue(crawl)
    assert queue is not None
    pages = [q["sql"] for q in asked.captured_queries if 'FROM "crawls_page"' in q["sql"]]
    whole = [sql for sql in pages if '"crawls_page"."topicality_at_end"' in sql]
    numbers = [sql.rpartition('"crawls_page"."seq" IN (')[2].split(")")[0] for sql in whole]
    assert sum(len(each.split(",")) for each in numbers) == len(queue.proposals)
    (of_hosts,) = [sql for sql in pages if sql.startswith('SELECT "crawls_page"."host"')]
    assert f"IN ({first}" not in of_hosts and "crawls_label" in of_hosts


def test_every_proposed_page_can_be_labelled_and_leaves_the_queue(crawl: Crawl) -> None:
    first, second, *_ = proposed(crawl)
    labels.label(crawl, first, True, crawl.owner)
    labels.label(crawl, second, False, crawl.owner)
    queue = label_queue(crawl)
    assert queue is not None and (queue.yes, queue.no, queue.labelled) == (1, 1, 2)
    message = {crawl.pages_fetched.get(seq=seq).host for seq in (first, second)}
    for each in queue.proposals:
        assert (each.of_host > 0) == (each.page.host in message)
    assert {first, second}.isdisjoint(proposed(crawl, 100))
    labels.label(crawl, first, True, crawl.owner)
    assert first in proposed(crawl, 100)


def test_a_skipped_page_comes_back_with_the_undo(crawl: Crawl) -> None:
    first = proposed(crawl)[0]
    COMMANDS["skip"].act(crawl, str(first), crawl.owner)
    assert skipped_pages(crawl) == {first} and first not in proposed(crawl, 100)
    with pytest.raises(CrawlRefused, match="skipped already"):
        COMMANDS["skip"].act(crawl, str(first), crawl.owner)
    event = crawl.events.get(kind="skip")
    assert EVENT_KINDS["skip"].words(event.payload) == f"page {first} skipped"
    undo(crawl, str(event.seq), EVENT_KINDS, crawl.owner)
    assert first in proposed(crawl, 100)


@pytest.mark.parametrize("value", ["", "x", "-1", "1000", "9" * 12])
def test_only_a_page_of_the_crawl_can_be_skipped(crawl: Crawl, value: str) -> None:
    with pytest.raises(CrawlRefused):
        COMMANDS["skip"].act(crawl, value, crawl.owner)


def test_there_is_none_where_labels_change_nothing_and_none_yet_early_on(topic: Topic) -> None:
    assert label_queue(run(new_crawl(topic, "breadth_first", budget=20))) is None
    early = label_queue(run(new_crawl(topic, "full_page", budget=20)))
    assert early is not None and not early.is_due and early.proposals == ()


def test_whether_any_proposed_page_is_likely() -> None:
    page = Page(title="Archive")
    teaching = Label.Purpose.TEACHING
    unlikely, likely = (Proposal(page, teaching, chance, 3, 0) for chance in (0.18, 0.5))
    assert not LabelQueue((unlikely,), 0, 0, True).any_likely
    assert LabelQueue((unlikely, likely), 0, 0, True).any_likely
