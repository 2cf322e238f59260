"""Seeds, hosts and patterns changed while a crawl runs, paused or finished; and taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls import services, steering, undoing
from apps.crawls.actions import ACTIONS
from apps.crawls.messages import standing
from apps.crawls.models import Change, Crawl, FrontierEntry, HostRecord
from apps.crawls.services import CrawlRefused
from apps.crawls.webs import crawl_folder
from apps.engine.model import State, StopReason
from apps.topics.models import Topic
from tests.crawl_rows import made_crawl, made_event, made_host, made_topic
from tests.crawls import run_here
from tests.crawls.run_here import MADE, new_crawl, order, run


@pytest.fixture
def crawl(db) -> Crawl:
    return made_crawl(made_topic(get_user_model().objects.create_user("ada")))


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


def test_bad_lines_among_seeds_are_named_and_the_good_ones_kept(crawl: Crawl) -> None:
    added = steering.add_seeds(crawl, "http://a.test/\nnonsense\n\nhttp://A.test/", crawl.owner)
    assert added.urls == ("http://a.test/",)
    said = steering.bad_lines(added.errors)
    assert "Line 2: nonsense: no web address" in said and "Line 4" in said
    assert Change.objects.get().payload == {"urls": ["http://a.test/"]}
    with pytest.raises(CrawlRefused, match=r"Line 1: what\?"):
        steering.add_seeds(crawl, "what?", crawl.owner)
    assert Change.objects.count() == 1


def test_a_host_is_left_out_once_and_taken_in_again(crawl: Crawl) -> None:
    made_host(crawl, "a.test")
    steering.leave_out_host(crawl, "a.test", crawl.owner)
    assert HostRecord.objects.get().left_out
    with pytest.raises(CrawlRefused, match="already"):
        steering.leave_out_host(crawl, "a.test", crawl.owner)
    steering.take_in_host(crawl, "a.test", crawl.owner)
    with pytest.raises(CrawlRefused, match="knows no host"):
        steering.take_in_host(crawl, "b.test", crawl.owner)
    assert list(Change.objects.values_list("kind", flat=True)) == ["leave_out", "take_in"]


def test_a_preview_counts_waiting_links_as_the_scope_will(crawl: Crawl) -> None:
    urls = [f"http://a.test/Calendar/{i}" for i in range(30)] + ["http://a.test/other"]
    FrontierEntry.objects.bulk_create(
        FrontierEntry(crawl=crawl, number=i, url=url, parent=-1, depth=0, priority=0.5,
                      state="f" if i == 0 else "w")
        for i, url in enumerate(urls)
    )
    found = steering.preview(crawl, "*/calendar/*")
    assert found.number == 29 and found.urls == tuple(urls[1:21])
    assert steering.preview(crawl, "*/calendar/1").number == 1
    assert steering.preview(crawl, "nothing").number == 0
    for empty in ("", "*", " ** "):
        with pytest.raises(CrawlRefused, match="pattern of the whole address"):
            steering.preview(crawl, empty)


@pytest.mark.parametrize(
    ("kind", "payload", "asked"),
    [
        ("delta", {"value": 0.7, "before": 0.4}, ("delta", {"value": 0.4, "before": 0.7})),
        ("budget", {"pages": 1000, "before": {"pages": 500}}, ("budget", None)),
        ("exclude", {"pattern": "*/x/*"}, ("include", {"pattern": "*/x/*", "before": ["*/x/*"]})),
        ("leave_out", {"host": "a.test"}, ("take_in", {"host": "a.test"})),
        ("trap", {"rule": "endless_path", "place": "a.test", "example": "x", "urls": 1},
         ("trust", {"rule": "endless_path", "place": "a.test"})),
    ],
)
def test_an_undo_asks_for_what_was_before(crawl: Crawl, kind, payload, asked) -> None:
    crawl.scope = {"deny_patterns": ["*/x/*"]}
    crawl.save()
    made_host(crawl, "a.test", left_out=True)
    event = made_event(crawl, 1, kind)
    event.payload = payload
    event.save()
    undoing.undo(crawl, event, crawl.owner)
    change = Change.objects.get()
    assert change.kind == asked[0]
    assert asked[1] is None or change.payload == asked[1]
    crawl.refresh_from_db()
    if kind == "budget":
        assert crawl.budget == 500


def test_only_what_still_stands_can_be_undone(crawl: Crawl) -> None:
    older = made_event(crawl, 1, "delta", value=0.5, before=0.4)
    made_event(crawl, 2, "delta", value=0.7, before=0.5)
    made_event(crawl, 3, "finished", reason="budget_reached")
    assert undoing.undoable(crawl, crawl.events.order_by("-seq")) == {2}
    with pytest.raises(CrawlRefused, match="changed since"):
        undoing.undo(crawl, older, crawl.owner)
    services.change_delta(crawl, 0.9, crawl.owner)
    assert undoing.undoable(crawl, crawl.events.order_by("-seq")) == frozenset()


def test_a_budget_below_the_pages_fetched_is_not_gone_back_to(crawl: Crawl) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(pages=600)
    crawl.refresh_from_db()
    event = made_event(crawl, 1, "budget", before={"pages": 500})
    event.payload["pages"] = 1000
    event.save()
    with pytest.raises(CrawlRefused, match="already has 600 pages"):
        undoing.undo(crawl, event, crawl.owner)


def test_a_paused_crawl_takes_changes_at_its_next_start(topic: Topic) -> None:
    def pause(row: Crawl) -> None:
        if row.pages >= 25:
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    crawl = run(new_crawl(topic, "full_page", budget=80), pause)
    assert crawl.state == State.PAUSED
    seed = MADE.url(201)
    steering.add_seeds(crawl, seed, topic.owner)
    steering.exclude_pattern(crawl, "*/p/1*", topic.owner)
    assert steering.when(crawl) == "The crawl is paused: it takes effect at its next start."
    services.resume(crawl)
    before = crawl.requests
    crawl = run(crawl)
    assert order(crawl)[before] == seed
    assert not any("/p/1" in url for url in order(crawl)[before:])
    assert [e.request for e in crawl.events.filter(kind__in=("seeds", "exclude"))] == [before] * 2
    assert not crawl.changes.filter(applied=False).exists()


def test_a_crawl_out_of_links_goes_on_with_new_seeds(topic: Topic) -> None:
    crawl = new_crawl(topic, "breadth_first", budget=80, scope={"depth": 0})
    crawl = run(crawl)
    assert (crawl.reason, crawl.pages) == (StopReason.FRONTIER_EMPTY, 4)
    steering.add_seeds(crawl, f"{MADE.url(100)}\n{MADE.url(104)}", topic.owner)
    services.resume(crawl)
    assert run(crawl).pages == 6


def test_changes_come_back_in_their_place_where_the_checkpoint_is_damaged(topic: Topic) -> None:
    """The row shows what is wanted now; a replay from the start begins with what was first."""
    def steer(row: Crawl) -> None:
        if row.pages >= 20 and not row.changes.exists():
            services.change_delta(Crawl.objects.get(pk=row.pk), 0.1, topic.owner)
            steering.exclude_pattern(Crawl.objects.get(pk=row.pk), "*/p/2*", topic.owner)
        if row.pages >= 65:
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    crawl = run(new_crawl(topic, budget=100), steer)
    assert crawl.state == State.PAUSED and crawl.parameters["delta"] == 0.1
    kept = crawl_folder(crawl.pk) / crawl.checkpoint
    kept.write_bytes(kept.read_bytes()[:1000])
    services.resume(crawl)
    crawl = run(crawl)
    assert (crawl.state, crawl.reason) == (State.FINISHED, StopReason.BUDGET_REACHED)
    assert crawl.metrics["delta"] == 0.1


def test_a_change_the_engine_cannot_take_is_said_in_an_event(topic: Topic) -> None:
    crawl = new_crawl(topic, "breadth_first", budget=30)
    services.ask(crawl, "seeds", {"urls": ["nonsense"]}, topic.owner)
    crawl = run(crawl)
    event = crawl.events.get(kind="refused")
    assert event.payload["change"] == "seeds" and "no web address" in event.payload["why"]
    assert crawl.reason == StopReason.BUDGET_REACHED


def test_a_trap_taken_in_again_cannot_be_undone_twice(crawl: Crawl) -> None:
    made_event(crawl, 1, "trap", rule="nothing_new", place="a.test/cal/#/#", urls=3)
    made_event(crawl, 2, "trap", rule="nothing_new", place="a.test/shop?color", urls=9)
    assert undoing.undoable(crawl, crawl.events.order_by("-seq")) == {1, 2}
    made_event(crawl, 3, "trust", rule="nothing_new", place="a.test/cal/#/#")
    assert undoing.undoable(crawl, crawl.events.order_by("-seq")) == {2}


def test_undoing_a_trap_goes_on_with_a_crawl_that_ran_out_of_links(crawl: Crawl) -> None:
    event = made_event(crawl, 1, "trap", rule="nothing_new", place="a.test/cal/#/#", urls=3)
    Crawl.objects.filter(pk=crawl.pk).update(state="finished", reason="frontier_empty")
    crawl.refresh_from_db()
    ACTIONS["undo"](crawl, crawl.owner, str(event.seq))
    crawl.refresh_from_db()
    assert crawl.state == State.QUEUED
    assert Change.objects.get().kind == "trust"


def test_a_crawl_whose_seeds_all_fail_says_which_and_goes_on_with_others(topic: Topic) -> None:
    gone = [MADE.url(0).replace("/p/", f"/gone{i}/") for i in range(5)]
    topic.seeds.all().delete()
    for position, url in enumerate(gone):
        topic.seeds.create(url=url, position=position)
    topic.version += 1
    topic.save()
    crawl = run(new_crawl(topic, "breadth_first", budget=40))
    assert (crawl.state, crawl.reason) == (State.FAILED, StopReason.NO_SEEDS)
    words = standing(crawl)
    assert words.action == "seeds"
    assert words.reason.startswith(f"no seed gave a page: {gone[0]} (404 not found), {gone[1]}")
    assert "and 2 more" in words.reason
    ACTIONS["seeds"](crawl, topic.owner, MADE.url(4))
    crawl.refresh_from_db()
    assert crawl.state == State.QUEUED
    assert run(crawl).reason == StopReason.BUDGET_REACHED


def test_a_topic_without_seeds_cannot_be_crawled(topic: Topic) -> None:
    topic.seeds.all().delete()
    with pytest.raises(CrawlRefused, match="no seeds"):
        services.start(new_crawl(topic, "breadth_first", budget=40))
