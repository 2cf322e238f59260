"""Labels in the rows: their effect on the crawl and on its topic, and removing them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from apps.crawls.commands.catalogue import COMMANDS, EVENT_KINDS
from apps.crawls.commands.labelling import labels
from apps.crawls.commands.labelling.retrain import pending, retrain
from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.errors import CrawlRefused
from apps.crawls.lifecycle.lease import LostOwnershipError
from apps.crawls.models import Change, Crawl, Label
from apps.crawls.pages.library import CrawlLibrary
from apps.crawls.running.checkpoints import Checkpoints
from apps.crawls.running.command_queue import CommandQueue
from apps.engine.codes import State, StopReason
from apps.engine.crawl.relearning.library import FetchedPage
from apps.topics.examples import labels as topic_labels
from apps.topics.models import Example, Topic
from tests.crawls import run_here
from tests.crawls.run_here import MADE, new_crawl, order, run
from tests.made_once import made_once


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


def is_bread(url: str) -> bool:
    return "bread" in MADE.labels(url)


def teachable(crawl: Crawl, number: int) -> list[int]:
    """The first pages that neither judge nor measure."""
    judging = set(crawl.topic.examples.filter(role="evaluate").values_list("url", flat=True))
    judging |= set(crawl.topic.targets.values_list("url", flat=True))
    pages = crawl.pages_fetched.exclude(final_url__in=judging).exclude(url__in=judging)
    return list(pages.values_list("seq", flat=True)[:number])


def label_truly(crawl: Crawl, seqs: list[int]) -> None:
    for seq in seqs:
        url = crawl.pages_fetched.get(seq=seq).final_url
        labels.label(crawl, seq, is_bread(url), crawl.owner)


def pausing(at: int) -> Callable[[Crawl], None]:
    def pause(row: Crawl) -> None:
        if row.pages >= at and not row.events.filter(kind="paused").exists():
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    return pause


def paused(topic: Topic, strategy: str) -> Crawl:
    """A crawl that was paused after some thirty pages."""
    return made_once(
        ("paused crawl", topic.pk, strategy),
        lambda: run(new_crawl(topic, strategy, budget=90), pausing(30)),
        topic.owner,
    )


@pytest.fixture
def crawl(topic: Topic) -> Crawl:
    return paused(topic, "text_window_combo")


def test_a_label_becomes_an_example_of_the_topic_and_goes_with_it(crawl: Crawl) -> None:
    topic, page = crawl.topic, crawl.pages_fetched.get(seq=teachable(crawl, 9)[-1])
    version, before = topic.version, topic.examples.count()
    sentence = labels.label(crawl, page.seq, False, crawl.owner)
    assert (sentence.relevant, sentence.pending, sentence.asked) == (False, 1, False)
    example = topic.examples.get(source=Example.Source.LABEL)
    assert (example.url, example.relevant, example.fetch) == (page.final_url, False, "fetched")
    topic.refresh_from_db()
    assert topic.version == version + 1
    assert labels.label(crawl, page.seq, True, crawl.owner).relevant is True
    assert topic.examples.get(source=Example.Source.LABEL).relevant
    assert labels.label(crawl, page.seq, True, crawl.owner).relevant is None
    assert topic.examples.count() == before and pending(crawl) == 0
    assert Label.objects.filter(crawl=crawl).count() == 2
    assert not Label.objects.filter(crawl=crawl, undone_at=None).exists()


one_by_one = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite writes one by one"
)


def label_at_once(monkeypatch: pytest.MonkeyPatch, *pages: tuple[Crawl, int]) -> None:
    """Two people who say yes to a page at the same moment."""
    teach, both = topic_labels.keep_page, Barrier(2)

    def late(*asked: Any) -> Any:
        """Comes when the other has looked for an example, too, if it is not made to wait."""
        with suppress(BrokenBarrierError):
            both.wait(1)
        return teach(*asked)

    def give(page: tuple[Crawl, int]) -> bool | None:
        try:
            return labels.label(Crawl.objects.get(pk=page[0].pk), page[1], True).relevant
        finally:
            connection.close()

    monkeypatch.setattr(topic_labels, "keep_page", late)
    with ThreadPoolExecutor(2) as people:
        assert list(people.map(give, pages)) == [True, True]


@one_by_one
def test_two_who_label_a_page_at_once_give_one_label(crawl: Crawl, monkeypatch) -> None:
    (seq,) = teachable(crawl, 1)
    label_at_once(monkeypatch, (crawl, seq), (crawl, seq))
    assert labels.labels_of(crawl, [seq]) == {seq: True}


@one_by_one
def test_two_who_label_an_address_at_once_in_two_crawls_make_one_example(
    crawl: Crawl, monkeypatch
) -> None:
    (seq,) = teachable(crawl, 1)
    url = crawl.pages_fetched.get(seq=seq).final_url
    other = run(new_crawl(crawl.topic, "breadth_first", budget=10))
    label_at_once(monkeypatch, (crawl, seq), (other, other.pages_fetched.get(final_url=url).seq))
    assert crawl.topic.examples.get(source=Example.Source.LABEL).url == url


def test_a_label_overrules_an_example_and_gives_it_back(crawl: Crawl) -> None:
    topic, page = crawl.topic, crawl.pages_fetched.get(seq=teachable(crawl, 1)[0])
    old = topic.examples.create(url=page.final_url, relevant=True, source="background", weight=0.5)
    labels.label(crawl, page.seq, False, crawl.owner)
    old.refresh_from_db()
    assert (old.relevant, old.source, old.weight) == (False, Example.Source.LABEL, 1.0)
    labels.label(crawl, page.seq, False, crawl.owner)
    old.refresh_from_db()
    assert (old.relevant, old.source, old.weight) == (True, Example.Source.BACKGROUND, 0.5)


def test_pages_that_judge_or_measure_are_refused(crawl: Crawl) -> None:
    topic = crawl.topic
    first, second = (crawl.pages_fetched.get(seq=seq) for seq in teachable(crawl, 2))
    topic.examples.create(url=first.url, relevant=True, role=Example.Role.EVALUATE)
    topic.targets.create(url=second.final_url)
    for page, words in ((first, "judging"), (second, "recall")):
        with pytest.raises(CrawlRefused, match=words):
            labels.label(crawl, page.seq, True, crawl.owner)
    with pytest.raises(CrawlRefused, match="no page 999"):
        labels.label(crawl, 999, True, crawl.owner)
    assert not Label.objects.exists()


def test_many_pages_are_labelled_at_once_and_taken_back(crawl: Crawl) -> None:
    target, *pages = teachable(crawl, 7)
    crawl.topic.targets.create(url=crawl.pages_fetched.get(seq=target).final_url)
    numbers = " ".join(map(str, [target, *pages]))
    sentence = COMMANDS["label"].act(crawl, f"n {numbers} 999", crawl.owner)
    title = crawl.pages_fetched.get(seq=target).title
    assert "Labels given: 6." in sentence and f"“{title}”: This page is a target" in sentence
    assert "Page 999: The crawl has no page 999." in sentence
    assert labels.labels_of(crawl, pages, crawl.owner) == dict.fromkeys(pages, False)
    asked = Change.objects.get(kind="labels")
    assert asked.payload["no"] == 6
    COMMANDS["undo"].act(crawl, f"next-{asked.pk}", crawl.owner)
    assert labels.labels_of(crawl, pages, crawl.owner) == {} and pending(crawl) == 0


def test_a_label_counts_at_once(topic: Topic) -> None:
    learner = paused(topic, "learner")
    first, second, third = (learner.pages_fetched.get(seq=seq) for seq in teachable(learner, 3))
    labels.label(learner, first.seq, True, learner.owner)
    labels.label(learner, second.seq, False, learner.owner)
    labels.label(learner, second.seq, False, learner.owner)
    labels.label_all(learner, labels.parse(f"n {second.seq} {third.seq}"), learner.owner)
    asked = [change.payload["labels"] for change in learner.changes.order_by("id")]
    assert asked[:3] == [
        [[page.seq, page.number, page.final_url, sentence]]
        for page, sentence in ((first, True), (second, False), (second, None))
    ]
    assert [(row[0], row[3]) for row in asked[3]] == [(second.seq, False), (third.seq, False)]
    resume(learner)
    events = run(learner, pausing_again(learner.requests + 5)).events.filter(kind="label_heeded")
    words = [EVENT_KINDS[event.kind].words(event.payload) for event in events.order_by("seq")]
    assert words == [
        f"page {first.seq}: y",
        f"page {second.seq}: n",
        f"page {second.seq}: taken back",
        "2 n",
    ]
    assert {event.by for event in events} == {learner.owner}


def test_labels_that_are_taken_back_together_no_longer_count(topic: Topic) -> None:
    learner = paused(topic, "learner")
    seqs = teachable(learner, 5)
    label_truly(learner, seqs)
    asked = learner.changes.get(kind="labels")
    COMMANDS["undo"].act(learner, f"next-{asked.pk}", learner.owner)
    last = learner.changes.filter(kind="label_heeded").last()
    assert sorted((row[0], row[3]) for row in last.payload["labels"]) == [
        (seq, None) for seq in sorted(seqs)
    ]


@pytest.mark.parametrize("value", ["", "y", "z 1", "y one", "y -1", "y 9999999999"])
def test_a_list_of_labels_that_makes_no_sense_is_refused(value: str) -> None:
    with pytest.raises(CrawlRefused) as refusal:
        labels.parse(value)
    assert refusal.value.field == "labels" and refusal.value.message.endswith((".", "20."))


def test_five_labels_ask_for_training_and_a_button_asks_for_fewer(crawl: Crawl) -> None:
    with pytest.raises(CrawlRefused, match="no new label"):
        retrain(crawl, crawl.owner)
    seqs = teachable(crawl, 7)
    label_truly(crawl, seqs[:4])
    assert not Change.objects.filter(kind="labels").exists()
    label_truly(crawl, seqs[4:5])
    first = Change.objects.get(kind="labels")
    assert len(first.payload["labels"]) == 5 and first.payload["before"] == []
    assert first.payload["yes"] + first.payload["no"] == 5
    label_truly(crawl, seqs[5:6])
    assert pending(crawl) == 1
    retrain(crawl, crawl.owner)
    # What nobody has learned yet is overtaken.
    assert len(Change.objects.get(kind="labels").payload["labels"]) == 6
    assert pending(crawl) == 0


def test_labels_take_effect_at_the_next_start_and_are_undone(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CrawlLibrary, "pages", no_page)  # the kept texts are enough
    label_truly(crawl, teachable(crawl, 6))
    retrain(crawl, crawl.owner)
    resume(crawl)
    at = crawl.requests
    crawl = run(crawl, pausing_again(at + 20))
    event = crawl.events.get(kind="labels")
    assert event.request == at and event.by == crawl.owner
    assert len(event.payload["labels"]) == 6 and event.payload["rescored"] > 0
    assert event.payload["quality"]["after"]["f1"]["mean"] > 0
    assert crawl.checkpoint and crawl.state == State.PAUSED
    COMMANDS["undo"].act(crawl, str(event.seq), crawl.owner)
    assert not Label.objects.filter(undone_at=None).exists()
    assert not crawl.topic.examples.filter(source=Example.Source.LABEL).exists()
    resume(crawl)
    crawl = run(crawl)
    back = crawl.events.filter(kind="labels").last()
    assert back.payload["labels"] == [] and crawl.reason == StopReason.BUDGET_REACHED
    COMMANDS["undo"].act(crawl, str(back.seq), crawl.owner)
    assert Label.objects.filter(undone_at=None).count() == 6


async def no_page(self: CrawlLibrary, numbers: list[int]) -> AsyncIterator[FetchedPage]:
    assert not numbers
    for page in ():
        yield page


def pausing_again(requests: int) -> Callable[[Crawl], None]:
    def pause(row: Crawl) -> None:
        if row.requests >= requests:
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    return pause


def test_a_kill_between_the_event_and_its_checkpoint_changes_nothing(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    def labelled() -> Crawl:
        crawl = paused(topic, "text_window_combo")
        label_truly(crawl, teachable(crawl, 5))
        resume(crawl)
        return crawl

    whole = run(labelled())
    assert whole.texts.count() == whole.pages
    for label in whole.labels.all():
        labels.label(whole, label.seq, label.relevant, whole.owner)
    crawl = labelled()

    def lose(self: Checkpoints, *state: object) -> None:
        raise LostOwnershipError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(Checkpoints, "keep", lose)
        crawl = run(crawl)
    assert crawl.events.filter(kind="labels").count() == 1
    assert crawl.pages_fetched.count() < 90
    Crawl.objects.filter(pk=crawl.pk).update(runner="", lease_until=None)
    crawl.refresh_from_db()
    crawl = run(crawl)
    assert crawl.reason == StopReason.BUDGET_REACHED, crawl.reason_details
    assert order(crawl) == order(whole)
    assert crawl.events.filter(kind="labels").count() == 1


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl of a record is faster than its lesson: one commit later it waits for it."""
    carry_out = CommandQueue.carry_out

    async def wait(self: CommandQueue, engine: Any, changes: Any, at_once: bool = False) -> bool:
        return await carry_out(self, engine, changes, at_once or self._learning is not None)

    monkeypatch.setattr(CommandQueue, "carry_out", wait)


def test_a_running_crawl_learns_and_a_replay_goes_the_same_way(topic: Topic, patient: None) -> None:
    """Labelled while it runs; then brought back from its start, with no checkpoint to rely on."""

    def teach(row: Crawl) -> None:
        if row.pages >= 30 and not row.changes.exists():
            label_truly(row, teachable(row, 5))
        if row.events.filter(kind="labels").exists():
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    made = new_crawl(topic, "adaptive_utility", budget=120)
    Crawl.objects.filter(pk=made.pk).update(checkpoint="")
    crawl = run(made, teach)
    event = crawl.events.get(kind="labels")
    assert crawl.state == State.PAUSED and 30 <= event.pages < 120
    fetched = order(crawl)
    Crawl.objects.filter(pk=crawl.pk).update(checkpoint="")
    crawl.refresh_from_db()
    resume(crawl)
    crawl = run(crawl)
    assert crawl.reason == StopReason.BUDGET_REACHED, crawl.reason_details
    assert order(crawl)[: len(fetched)] == fetched
    assert crawl.events.filter(kind="labels").count() == 1
