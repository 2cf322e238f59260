"""A changed rule of labels: examples and crawls follow in the background, also after a kill."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from apps.crawls.commands.labelling import label_effects, recounting
from apps.crawls.commands.labelling.label_effects import HEEDED
from apps.crawls.commands.labelling.recounting import choose_rule, recount_labels
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.counted import count_labels
from apps.crawls.models import Crawl, LabelRecount
from apps.engine.answers import Answer
from apps.jobs import queue
from apps.topics.models import Topic
from tests.agreement.test_agreement import (  # noqa: F401
    both,
    crawl,
    jonas,
    mira,
    topic,
)

pytestmark = pytest.mark.alike
BODY = b"<p>" + b"dough flour yeast oven " * 20


@pytest.fixture(autouse=True)
def bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page has a text that can be an example."""

    def stored(crawl: Crawl, page: object) -> Answer:
        url = page.final_url  # type: ignore[attr-defined]
        return Answer(url, url, 200, (("Content-Type", "text/html"),), BODY)

    monkeypatch.setattr(label_effects, "stored_answer", stored)


def claimed(topic: Topic) -> LabelRecount:
    job = LabelRecount.objects.get(topic=topic)
    queue.claim_here(job)
    job.refresh_from_db()
    return job


def heeded(crawl: Crawl) -> dict[int, bool]:
    """What the crawl counts, by what it was asked for."""
    counted: dict[int, bool | None] = {}
    for change in crawl.changes.filter(kind=HEEDED).order_by("id"):
        counted |= {seq: relevant for seq, _, _, relevant in change.payload["labels"]}
    return {seq: relevant for seq, relevant in counted.items() if relevant is not None}


def taught(crawl: Crawl) -> dict[int, bool]:
    """The pages of the crawl that are examples of its topic."""
    seqs = dict(crawl.pages_fetched.values_list("final_url", "seq"))
    examples = crawl.topic.examples.values_list("url", "relevant")
    return {seqs[url]: relevant for url, relevant in examples if url in seqs}


def counted(crawl: Crawl) -> dict[int, bool]:
    return {seq: label.relevant for seq, label in count_labels(crawl).items()}


@pytest.mark.parametrize(("rule", "number"), [("agreed", 18), ("first", 27)])
def test_examples_and_crawls_follow_a_rule(
    topic: Topic, crawl: Crawl, mira: User, jonas: User, rule: str, number: int
) -> None:
    both(crawl, mira, jonas)
    choose_rule(topic, rule, mira)
    recount_labels(claimed(topic))
    crawl.refresh_from_db()
    assert len(counted(crawl)) == number
    assert heeded(crawl) == taught(crawl) == counted(crawl)
    choose_rule(topic, "majority", mira)
    recount_labels(claimed(topic))
    assert heeded(crawl) == taught(crawl) == counted(Crawl.objects.get(pk=crawl.pk))
    assert len(taught(crawl)) == 21


def test_after_a_kill_it_ends_alike(
    topic: Topic, crawl: Crawl, mira: User, jonas: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    both(crawl, mira, jonas)
    monkeypatch.setattr(recounting, "BATCH", 5)
    choose_rule(topic, "agreed", mira)
    for beats in range(20):
        left = iter([True] * beats)
        monkeypatch.setattr(queue, "heartbeat", lambda job, left=left: next(left, False))
        recount_labels(LabelRecount.objects.get(topic=topic))
        if next(left, None) is not None:
            break
    assert beats == 8  # six batches of 27 pages and a crawl, and one that was not asked for
    crawl.refresh_from_db()
    assert heeded(crawl) == taught(crawl) == counted(crawl)
    assert crawl.changes.filter(kind=HEEDED).count() == 1


def test_an_unknown_rule_is_refused_and_the_same_one_changes_nothing(
    topic: Topic, mira: User
) -> None:
    with pytest.raises(CrawlRefused, match="Give one of the rules"):
        choose_rule(topic, "mine", mira)
    choose_rule(topic, "majority", mira)
    assert not LabelRecount.objects.exists()
