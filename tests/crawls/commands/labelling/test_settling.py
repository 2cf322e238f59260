"""Settling a disagreement: it counts before all labels, in every crawl, and is undone."""

from __future__ import annotations

import pytest

from apps.crawls.commands.labelling import labels
from apps.crawls.commands.labelling.retrain import pending
from apps.crawls.commands.labelling.settling import settle, settlement_of, undo_settlement
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Label, Page
from tests.crawls.commands.labelling.test_labels import paused, teachable
from tests.crawls.labels.test_counted import (  # noqa: F401
    crawl,
    heeded,
    mate,
    taught,
    third,
    topic,
    values,
)


@pytest.fixture
def page(crawl, mate):
    """A page that two people label differently."""
    (seq,) = teachable(crawl, 1)
    labels.label(crawl, seq, True, crawl.owner)
    labels.label(crawl, seq, False, mate)
    return crawl.labels.filter(seq=seq).first()


def test_a_settled_label_counts_and_names_who(crawl, mate, page):
    settlement = settle(crawl.topic, page.address, False, mate, " a list of awards ")
    assert (settlement.by, settlement.note) == (mate, "a list of awards")
    assert (values(crawl), taught(crawl)) == ({page.seq: False}, [False])
    assert heeded(crawl) == [True, None, False] and pending(crawl) == 1
    assert labels.labels_of(crawl, [page.seq], crawl.owner) == {page.seq: True}
    undo_settlement(settlement, crawl.owner)
    assert (values(crawl), taught(crawl)) == ({}, [])
    assert settlement_of(crawl.topic, page.address) is None
    with pytest.raises(CrawlRefused, match="open already"):
        undo_settlement(settlement, crawl.owner)


def test_it_counts_even_if_both_relabel_later(crawl, mate, page):
    settle(crawl.topic, page.address, False, mate)
    labels.label(crawl, page.seq, False, mate)
    labels.label(crawl, page.seq, True, mate)
    assert (values(crawl), taught(crawl)) == ({page.seq: False}, [False])


def test_a_page_left_open_trains_nothing_whatever_the_majority(crawl, mate, third, page):
    labels.label(crawl, page.seq, True, third)
    assert taught(crawl) == [True]
    settle(crawl.topic, page.address, None, crawl.owner)
    assert (values(crawl), taught(crawl)) == ({}, [])


def test_it_holds_in_a_crawl_that_labels_the_page_later(topic, crawl, mate, page):
    settle(topic, page.address, False, mate)
    other = paused(topic, "breadth_first")
    url = crawl.pages_fetched.get(seq=page.seq).final_url
    seq = other.pages_fetched.get(final_url=url).seq
    labels.label(other, seq, True, crawl.owner)
    assert values(other) == {seq: False}
    assert Label.objects.exclude(settlement=None).count() == 2


def test_a_page_is_settled_once_and_only_if_labelled(crawl, mate, page):
    settle(crawl.topic, page.address, True, mate)
    with pytest.raises(CrawlRefused, match="settled by mate"):
        settle(crawl.topic, page.address, False, crawl.owner)
    with pytest.raises(CrawlRefused, match="Nobody has labelled"):
        settle(crawl.topic, 12, False, crawl.owner)


def test_a_page_of_a_host_that_was_taken_down_is_opened_but_not_settled(crawl, mate, page):
    settlement = settle(crawl.topic, page.address, False, mate)
    Page.every.filter(crawl=crawl, seq=page.seq).update(hidden=True)
    undo_settlement(settlement, mate)
    assert settlement_of(crawl.topic, page.address) is None
    with pytest.raises(CrawlRefused, match="taken down"):
        settle(crawl.topic, page.address, False, mate)
