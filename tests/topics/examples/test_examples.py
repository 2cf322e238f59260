"""Pages of examples: kept, drawn from other topics, gathered; and what is learnt of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.networking.page_store.store import Record
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.jobs import queue
from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.examples.gathering import gather_background
from apps.topics.examples.loading import load_examples
from apps.topics.examples.negatives import draw_again
from apps.topics.examples.page_store import page_store, topic_folder
from apps.topics.models import Topic, TopicSnapshot
from apps.topics.services import create_topic, decide, fetch_again
from apps.topics.snapshots import engine_topic, snapshot
from apps.topics.versions import new_version
from apps.webs.models import Web
from tests.background import work_on
from tests.made_once import made_once
from tests.topic_fixtures import MADE, bread, stars

HTML = (("Content-Type", "text/html"),)


def made(urls: Sequence[str]):
    return ((url, read(MADE, url)) for url in urls)


def new_topic(owner, web: Web | None, name: str = "New", **lists: str) -> Topic:
    definition = Definition(name=name, web_id=web.pk if web else None, lists=lists)
    return create_topic(owner, definition).topic


def test_a_fetched_example_can_be_read_back(topic: Topic) -> None:
    example = topic.examples.get(url=MADE.url(0))
    answer = page_store(topic.pk).read(
        Record(example.file, example.offset, example.length, example.digest)
    )
    assert answer.body == MADE.get(MADE.url(0)).body
    assert example.title == parse(answer).title
    assert example.words == parse(answer).visible


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (Answer("u", "u", failure="dns"), "dns"),
        (Answer("u", "u", 404, failure="http_404"), "http_404"),
        (Answer("u", "u", 200, HTML, b"<p></p>"), "no_words"),
        (Answer("u", "u", 200, HTML, b"<script>1</script><p>few words</p>"), "needs_javascript"),
    ],
)
def test_a_page_that_cannot_be_learnt_from_has_a_reason(
    owner, data_dir, answer: Answer, failure: str
) -> None:
    topic = new_topic(owner, None, positives="http://a.test/1")
    assert load_examples(topic, lambda urls: ((url, answer) for url in urls), lambda: True) == 0
    example = topic.examples.get()
    assert (example.fetch, example.failure, example.file) == ("failed", failure, "")


def test_two_examples_that_lead_to_one_page_count_once(owner, web: Web) -> None:
    topic = new_topic(owner, web, positives=f"{MADE.url(0)}\nhttp://h0.test/old")
    tasks.run_here(topic)
    assert sorted(topic.examples.values_list("fetch", "failure")) == [
        ("failed", "same_page"),
        ("fetched", ""),
    ]


def test_loading_stops_when_other_work_is_asked_for(owner, data_dir) -> None:
    topic = new_topic(owner, None, positives=bread(0, 1, 2))
    load_examples(topic, made, lambda: False)
    assert topic.examples.filter(fetch="waiting").count() == 2


def test_failed_examples_are_tried_again(owner, web: Web) -> None:
    topic = new_topic(owner, web, positives="http://h0.test/missing")
    tasks.run_here(topic)
    assert topic.examples.get().failure == "http_404"
    assert fetch_again(topic) == 1
    assert topic.examples.get().fetch == "waiting"


def test_a_target_that_an_example_leads_to_is_taken_out_and_named(owner, web: Web) -> None:
    topic = new_topic(owner, web, positives="http://h0.test/old", targets=bread(0, 20))
    tasks.run_here(topic)
    assert list(topic.targets.values_list("url", flat=True)) == [MADE.url(80)]
    assert topic.typed["targets"] == bread(0, 20)


def lend_stars(owner, web: Web) -> None:
    """Has another topic that lends twenty negatives."""

    def make() -> Topic:
        topic = new_topic(owner, web, "Stars", positives=stars(*range(20)))
        tasks.run_here(topic)
        return topic

    made_once(("stars to be lent", web.pk), make, owner)


def drawn_of(topic: Topic) -> set[str]:
    return set(topic.examples.filter(source="other_topic").values_list("url", flat=True))


def test_negatives_are_drawn_from_other_topics(owner, web: Web) -> None:
    lend_stars(owner, web)
    topic = new_topic(owner, web, positives=bread(*range(6)))
    tasks.run_here(topic)
    drawn = topic.examples.filter(source="other_topic", relevant=False, role="train")
    assert drawn.count() == 12
    assert set(drawn.values_list("url", flat=True)) <= set(stars(*range(20)).split())
    assert set(drawn.values_list("fetch", flat=True)) == {"fetched"}
    assert topic.quality["negatives"] == 12


@pytest.mark.alike
def test_the_draw_repeats_and_depends_on_the_seed(owner, web: Web) -> None:
    lend_stars(owner, web)

    def drawn(seed: int) -> set[str]:
        topic = new_topic(owner, web, f"Bread {seed}", positives=bread(1, 2, 3))
        Topic.objects.filter(pk=topic.pk).update(random_seed=seed % 10)
        tasks.run_here(topic)
        lent = topic.examples.filter(source="other_topic").values_list("url", flat=True)
        urls = set(lent)
        topic.delete()
        return urls

    assert drawn(1) == drawn(11) != drawn(2)


def test_topics_with_different_names_draw_by_different_seeds(owner, web: Web) -> None:
    names = [f"Bread {i}" for i in range(20)]
    seeds = [new_topic(owner, web, name).random_seed for name in names]
    assert len(set(seeds)) == 20


@pytest.mark.alike
def test_other_negatives_are_drawn_on_demand(owner, web: Web) -> None:
    lend_stars(owner, web)
    topic = new_topic(owner, web, positives=bread(1, 2, 3))
    tasks.run_here(topic)
    before = drawn_of(topic)
    draw_again(topic)
    work_on(topic)
    assert len(drawn_of(topic)) == len(before) == 6
    assert drawn_of(topic) != before


def test_topics_made_together_draw_when_all_are_there_and_from_all(owner, web: Web) -> None:
    lone = new_topic(owner, web, "Elsewhere", positives=stars(28, 29))
    tasks.run_here(lone)
    made = [
        new_topic(owner, web, f"Bread {i}", positives=bread(*range(4 * i, 4 * i + 4)))
        for i in range(3)
    ]
    Topic.objects.filter(pk__in=[topic.pk for topic in made]).update(batch="together")
    made = list(Topic.objects.filter(batch="together").order_by("pk"))
    queue.enqueue_all(made, work_wanted=Topic.Work.FETCHING)
    for topic in made[:2]:
        work_on(topic)
    assert [drawn_of(topic) for topic in made] == [set()] * 3
    work_on(made[2])
    again = Topic.objects.filter(batch="together", job_state=queue.State.WAITING)
    assert set(again) == set(made[:2])
    for topic in made[:2]:
        work_on(topic)
    for topic in made:
        others = {
            e.url for other in made if other != topic for e in other.examples.filter(relevant=True)
        }
        assert len(drawn_of(topic)) == 8
        assert drawn_of(topic) <= others
    assert len(set.union(*map(drawn_of, made))) > 8


class Killed(BaseException):
    """A stand-in for the end of a worker."""


def test_a_worker_that_is_killed_after_the_last_fetch_leaves_no_topic_untrained(
    owner, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = (
        new_topic(owner, web, f"Bread {i}", positives=bread(*range(4 * i, 4 * i + 4)))
        for i in range(2)
    )
    Topic.objects.filter(pk__in=[first.pk, last.pk]).update(batch="together")
    queue.enqueue_all([first, last], work_wanted=Topic.Work.FETCHING)
    work_on(first)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(tasks, "train", _die)
        work_on(last)
    queue.enqueue(last)
    work_on(last)
    first.refresh_from_db()
    assert (first.job_state, first.work_wanted) == ("waiting", Topic.Work.TRAINING)
    work_on(first)
    queue.enqueue(last)
    work_on(last)
    first.refresh_from_db()
    assert first.job_state == "done", "it is trained, and not asked again"


def test_examples_that_come_after_a_crawl_has_begun_are_in_a_later_version_despite_a_kill(
    owner, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = new_topic(owner, web, positives=bread(1, 2, 3), negatives=stars(21, 22))
    frozen = snapshot(topic)
    queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(tasks, "draw_negatives", _die)
        work_on(topic)
    queue.enqueue(topic)
    work_on(topic)
    topic.refresh_from_db()
    assert frozen.data["examples"] == []
    assert len([e for e in snapshot(topic).data["examples"] if e["relevant"]]) == 3


def _die(*given: object, **named: object) -> None:
    raise Killed


@pytest.mark.alike
def test_judges_get_negatives_of_their_own(owner, web: Web) -> None:
    lend_stars(owner, web)
    topic = new_topic(owner, web, positives=bread(0, 1), evaluation_positives=bread(2, 3, 4))
    tasks.run_here(topic)
    drawn = topic.examples.filter(source="other_topic")
    assert drawn.filter(role="train").count() == 4
    assert drawn.filter(role="evaluate").count() == 6


@pytest.mark.alike
def test_named_negatives_leave_no_room_for_drawn_ones(owner, web: Web) -> None:
    lend_stars(owner, web)
    topic = new_topic(owner, web, positives=bread(0, 1), negatives=stars(21))
    tasks.run_here(topic)
    assert not topic.examples.filter(source="other_topic").exists()


def test_neither_demo_nor_others_nor_another_web_lend_negatives(owner, stranger, web: Web) -> None:
    demo = new_topic(owner, web, "Demo", positives=stars(*range(3)))
    theirs = new_topic(stranger, web, "Stars", positives=stars(*range(3, 6)))
    elsewhere = new_topic(owner, web, "Elsewhere", positives=stars(*range(2, 5)))
    for lender in (demo, theirs, elsewhere):
        tasks.run_here(lender)
    Topic.objects.filter(pk=demo.pk).update(is_demo=True)
    Topic.objects.filter(pk=elsewhere.pk).update(web=None)
    topic = new_topic(owner, web, positives=bread(0, 1))
    tasks.run_here(topic)
    assert not topic.examples.filter(relevant=False).exists()
    assert "no_negatives" in topic.quality["advice"]


def gathered_for(owner, web: Web) -> Topic:
    def make() -> Topic:
        topic = new_topic(
            owner, web, seeds=bread(0), positives=bread(*range(1, 11)), targets=bread(15, 16)
        )
        queue.enqueue(topic, work_wanted=Topic.Work.GATHERING)
        assert work_on(topic) == "done"
        topic.refresh_from_db()
        return topic

    return made_once(("topic with a sample", web.pk), make, owner)


def test_a_recorded_web_is_sampled_evenly_for_negatives(owner, web: Web) -> None:
    topic = gathered_for(owner, web)
    gathered = topic.examples.filter(source="background")
    assert gathered.count() == 100
    assert set(gathered.values_list("weight", "relevant", "fetch")) == {(0.5, False, "fetched")}
    urls = set(topic.targets.values_list("url", flat=True)) | {MADE.url(0)}
    assert not urls & set(gathered.values_list("final_url", flat=True))


@pytest.mark.alike
def test_sampled_pages_that_look_like_the_topic_wait_for_a_decision(owner, web: Web) -> None:
    topic = gathered_for(owner, web)
    suspects = topic.examples.filter(left_out=True)
    on_topic = [example for example in suspects if "bread" in MADE.labels(example.url)]
    # The thirty most like its words and examples, and what else the classifier suspects.
    assert suspects.count() >= 30 and len(on_topic) >= 15
    left = topic.examples.filter(source="background", left_out=False)
    assert sum("bread" in MADE.labels(example.url) for example in left) <= 1
    assert all(example.probability is not None for example in suspects)
    learnt = {example.url for example in engine_topic(snapshot(topic)).training}
    assert not learnt & {example.url for example in suspects}
    assert topic.quality["negatives"] == 100 - suspects.count()


@pytest.mark.alike
def test_a_suspect_gets_the_label_of_the_analyst(owner, web: Web) -> None:
    topic = gathered_for(owner, web)
    moved, kept = topic.examples.filter(left_out=True)[:2]
    decide(moved, True)
    decide(kept, False)
    work_on(topic)
    for example, relevant in ((moved, True), (kept, False)):
        example.refresh_from_db()
        assert (example.relevant, example.source, example.left_out) == (relevant, "named", False)
    assert topic.examples.filter(relevant=True, fetch="fetched").count() == 11


def test_on_the_live_web_a_background_is_gathered_from_links(owner, web: Web) -> None:
    topic = new_topic(owner, web, seeds=bread(0), positives=bread(1, 2, 3), targets=bread(5, 6))
    tasks.run_here(topic)
    Topic.objects.filter(pk=topic.pk).update(web=None)
    live = Topic.objects.get(pk=topic.pk)
    gather_background(live, made, lambda: True)
    gathered = live.examples.filter(source="background")
    assert 10 <= gathered.count() <= 100
    urls = set(live.targets.values_list("url", flat=True)) | {MADE.url(0)}
    assert not urls & set(gathered.values_list("final_url", flat=True))


def test_a_snapshot_repeats_and_becomes_the_engines_topic(topic: Topic) -> None:
    frozen = snapshot(topic)
    assert snapshot(topic).pk == frozen.pk
    loaded = engine_topic(TopicSnapshot.objects.get(pk=frozen.pk))
    assert loaded.keywords == ("dough", "flour")
    assert loaded.seeds == tuple(bread(0, 1).split())
    assert loaded.targets == frozenset(bread(20, 21).split())
    assert loaded.inlinks == {MADE.url(0): 7, MADE.url(4): 3}
    assert [(e.url, e.relevant, e.weight) for e in loaded.training] == [
        *((MADE.url(4 * i), True, 1.0) for i in range(8)),
        *((MADE.url(4 * i + 1), False, 1.0) for i in range(12)),
    ]
    assert len(loaded.evaluation) == 13
    assert loaded.training[0].document.words == MADE.document(0).words
    assert engine_topic(frozen).training[3].document.words == loaded.training[3].document.words


def test_a_snapshot_stays_as_it_was(topic: Topic) -> None:
    frozen = snapshot(topic)
    topic.keywords = ["something", "else"]
    topic.save()
    new_version(topic)
    topic.examples.filter(relevant=False).delete()
    assert engine_topic(frozen).keywords == ("dough", "flour")
    assert len(engine_topic(frozen).training) == 20
    assert engine_topic(snapshot(topic)).keywords == ("something", "else")


def test_quality_is_stored_with_its_version(topic: Topic) -> None:
    assert topic.quality_version == topic.version
    assert [model["kind"] for model in topic.quality["models"]] == ["svm", "nb", "nn"]
    assert topic.quality["models"][0]["f1"]["mean"] > 0.8
    assert topic.quality["judged_by"] == "committee"
    assert topic.quality["evaluation"] == [6, 7]
    chances = topic.examples.values_list("relevant", "probability")
    assert all(0 <= chance <= 1 for _, chance in chances)
    right = sum((chance >= 0.5) == relevant for relevant, chance in chances)
    assert right / len(chances) > 0.8


def test_a_lost_page_is_reported_and_not_fatal(topic: Topic) -> None:
    for path in topic_folder(topic.pk).iterdir():
        path.unlink()
    queue.enqueue(topic, work_wanted=Topic.Work.TRAINING)
    assert work_on(topic) == "done"
    topic.refresh_from_db()
    assert "cannot be read" in topic.quality["failure"]
    assert topic.work == ""
    with pytest.raises(BadWebFile):
        engine_topic(snapshot(topic))
