"""Seeds, hosts and patterns changed while a crawl runs, paused or finished; and undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.catalogue import COMMANDS, EVENT_KINDS
from apps.crawls.commands.command import ask, when
from apps.crawls.commands.delta import change_delta
from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.commands.lifecycle.start import start
from apps.crawls.commands.limits.budget import suggested
from apps.crawls.commands.scope import exclude_pattern as patterns
from apps.crawls.commands.scope.exclude_host import exclude_host, include_host
from apps.crawls.commands.scope.seeds import add_seeds, bad_lines
from apps.crawls.commands.undo import Done, undoable
from apps.crawls.errors import CrawlRefused
from apps.crawls.messages import state_words
from apps.crawls.models import Change, Crawl, FrontierEntry, HostRecord
from apps.crawls.pages.folder import crawl_folder
from apps.engine import checkpoint
from apps.engine.codes import State, StopReason
from apps.engine.crawl.checkpointing import VERSION
from apps.screens.live.fragments import fragments
from apps.screens.live.live_state import read
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


def undoable_now(crawl: Crawl) -> frozenset[str]:
    events = [Done.of_event(event) for event in crawl.events.order_by("-seq")]
    return undoable(crawl, events, EVENT_KINDS)


def test_full_speed_lifts_the_limit_of_pages_a_second(crawl: Crawl) -> None:
    COMMANDS["pace"].act(crawl, "2.5", crawl.owner)
    assert crawl.politeness["pages_per_second"] == 2.5
    COMMANDS["pace"].act(crawl, "", crawl.owner)
    assert crawl.politeness["pages_per_second"] is None
    rates = [change.payload["pages_per_second"] for change in Change.objects.order_by("id")]
    assert rates == [2.5, None]


@pytest.mark.parametrize("value", ["0", "-1", "fast", "nan", "1e9"])
def test_a_pace_out_of_range_is_refused(crawl: Crawl, value: str) -> None:
    with pytest.raises(CrawlRefused, match="pages a second"):
        COMMANDS["pace"].act(crawl, value, crawl.owner)
    assert not Change.objects.exists()


def test_a_pace_changed_while_paused_holds_from_the_next_start(topic: Topic) -> None:
    crawl = new_crawl(topic, budget=15, politeness={"pages_per_second": 0.1})
    COMMANDS["pace"].act(crawl, "", crawl.owner)
    run(crawl)
    crawl.refresh_from_db()
    assert (crawl.state, crawl.pages) == (State.FINISHED, 15)


def test_bad_lines_among_seeds_are_named_and_the_good_ones_kept(crawl: Crawl) -> None:
    added = add_seeds(crawl, "http://a.test/\nnonsense\n\nhttp://A.test/", crawl.owner)
    assert added.urls == ("http://a.test/",)
    message = bad_lines(added.errors)
    assert "Line 2: nonsense: not a web address" in message and "Line 4" in message
    assert Change.objects.get().payload == {"urls": ["http://a.test/"]}
    with pytest.raises(CrawlRefused, match=r"Line 1: what\?"):
        add_seeds(crawl, "what?", crawl.owner)
    assert Change.objects.count() == 1


def test_a_host_is_left_out_once_and_taken_in_again(crawl: Crawl) -> None:
    made_host(crawl, "a.test")
    exclude_host(crawl, "a.test", crawl.owner)
    assert HostRecord.objects.get().excluded
    with pytest.raises(CrawlRefused, match=r"a\.test is excluded"):
        exclude_host(crawl, "a.test", crawl.owner)
    include_host(crawl, "a.test", crawl.owner)
    with pytest.raises(CrawlRefused, match="knows no host"):
        include_host(crawl, "b.test", crawl.owner)
    assert list(Change.objects.values_list("kind", flat=True)) == ["exclude_host", "include_host"]


def test_a_preview_counts_waiting_links_as_the_scope_will(crawl: Crawl) -> None:
    urls = [f"http://a.test/Calendar/{i}" for i in range(30)] + ["http://a.test/other"]
    FrontierEntry.objects.bulk_create(
        FrontierEntry(
            crawl=crawl,
            number=i,
            url=url,
            parent=-1,
            depth=0,
            priority=0.5,
            state="f" if i == 0 else "w",
        )
        for i, url in enumerate(urls)
    )
    preview = patterns.preview(crawl, "*/calendar/*")
    assert preview.number == 29 and preview.urls == tuple(urls[1:21])
    assert patterns.preview(crawl, "*/calendar/1").number == 1
    assert patterns.preview(crawl, "nothing").number == 0
    for empty in ("", "*", " ** "):
        with pytest.raises(CrawlRefused, match="pattern of the whole address"):
            patterns.preview(crawl, empty)


@pytest.mark.parametrize(
    ("kind", "payload", "asked"),
    [
        ("delta", {"value": 0.7, "before": 0.4}, ("delta", {"value": 0.4, "before": 0.7})),
        ("budget", {"pages": 1000, "before": {"pages": 500}}, ("budget", None)),
        (
            "exclude_pattern",
            {"pattern": "*/x/*"},
            ("include_pattern", {"pattern": "*/x/*", "before": ["*/x/*"]}),
        ),
        ("exclude_host", {"host": "a.test"}, ("include_host", {"host": "a.test"})),
        (
            "trap",
            {"rule": "endless_path", "place": "a.test", "example": "x", "urls": 1},
            ("trust_trap", {"rule": "endless_path", "place": "a.test"}),
        ),
    ],
)
def test_an_undo_asks_for_what_was_before(crawl: Crawl, kind, payload, asked) -> None:
    crawl.scope = {"deny_patterns": ["*/x/*"]}
    crawl.save()
    made_host(crawl, "a.test", excluded=True)
    event = made_event(crawl, 1, kind)
    event.payload = payload
    event.save()
    COMMANDS["undo"].act(crawl, str(event.seq), crawl.owner)
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
    assert undoable_now(crawl) == {"2"}
    with pytest.raises(CrawlRefused, match="changed since"):
        COMMANDS["undo"].act(crawl, str(older.seq), crawl.owner)
    change_delta(crawl, 0.9, crawl.owner)
    assert undoable_now(crawl) == frozenset()


def test_an_undo_on_a_finished_crawl_waits_for_the_next_start_and_can_be_undone(
    crawl: Crawl,
) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(state=State.FINISHED, reason="budget_reached")
    crawl.refresh_from_db()
    made_host(crawl, "a.test", excluded=True)
    made_event(crawl, 1, "exclude_host", host="a.test")
    message = COMMANDS["undo"].act(crawl, "1", crawl.owner)
    assert message == "The crawl is finished: it takes effect at its next start."
    assert not HostRecord.objects.get().excluded
    change = Change.objects.get()
    reading = read(crawl.pk)
    assert reading is not None
    html = fragments(reading)["events"]
    assert "Host included again" in html and "next start" in html
    assert f'value="next-{change.pk}"' in html and 'name="value" value="1"' not in html
    with pytest.raises(CrawlRefused, match="changed since"):
        COMMANDS["undo"].act(crawl, "1", crawl.owner)
    COMMANDS["undo"].act(crawl, f"next-{change.pk}", crawl.owner)
    assert HostRecord.objects.get().excluded


def test_a_used_up_budget_is_not_proposed_again(crawl: Crawl) -> None:
    crawl.pages = 10
    assert suggested(crawl) == 1000
    crawl.pages = 1000
    assert suggested(crawl) == 1500


def test_a_budget_below_the_pages_fetched_is_not_gone_back_to(crawl: Crawl) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(pages=600)
    crawl.refresh_from_db()
    event = made_event(crawl, 1, "budget", before={"pages": 500})
    event.payload["pages"] = 1000
    event.save()
    assert undoable_now(crawl) == frozenset()
    with pytest.raises(CrawlRefused, match="already has 600 pages"):
        COMMANDS["undo"].act(crawl, str(event.seq), crawl.owner)
    event.payload["before"]["pages"] = 600
    event.save()
    assert undoable_now(crawl) == {str(event.seq)}


def test_a_paused_crawl_takes_changes_at_its_next_start(topic: Topic) -> None:
    def pause(row: Crawl) -> None:
        if row.pages >= 25:
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    crawl = run(new_crawl(topic, "full_page", budget=80), pause)
    assert crawl.state == State.PAUSED
    seed = MADE.url(201)
    add_seeds(crawl, seed, topic.owner)
    patterns.exclude_pattern(crawl, "*/p/1*", topic.owner)
    assert when(crawl) == "The crawl is paused: it takes effect at its next start."
    resume(crawl)
    before = crawl.requests
    crawl = run(crawl)
    assert order(crawl)[before] == seed
    assert not any("/p/1" in url for url in order(crawl)[before:])
    steered = crawl.events.filter(kind__in=("seeds", "exclude_pattern"))
    assert [e.request for e in steered] == [before] * 2
    assert not crawl.changes.filter(applied=False).exists()


def test_a_crawl_out_of_links_goes_on_with_new_seeds(topic: Topic) -> None:
    crawl = new_crawl(topic, "breadth_first", budget=80, scope={"depth": 0})
    crawl = run(crawl)
    assert (crawl.reason, crawl.pages) == (StopReason.FRONTIER_EMPTY, 4)
    add_seeds(crawl, f"{MADE.url(100)}\n{MADE.url(104)}", topic.owner)
    resume(crawl)
    assert run(crawl).pages == 6


def damage(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:1000])


def write_as_another_version(file: Path) -> None:
    checkpoint.write(file, checkpoint.read(file) | {"version": VERSION - 1, "strategy": {}})


@pytest.mark.parametrize("spoil", [damage, write_as_another_version])
def test_changes_come_back_in_their_place_without_the_checkpoint(
    topic: Topic, spoil: Callable[[Path], None]
) -> None:
    """The row shows what is wanted now; a replay from the start begins with what was first."""

    def steer(row: Crawl) -> None:
        if row.pages >= 20 and not row.changes.exists():
            change_delta(Crawl.objects.get(pk=row.pk), 0.1, topic.owner)
            patterns.exclude_pattern(Crawl.objects.get(pk=row.pk), "*/p/2*", topic.owner)
        if row.pages >= 65:
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    crawl = run(new_crawl(topic, budget=100), steer)
    assert crawl.state == State.PAUSED and crawl.parameters["delta"] == 0.1
    spoil(crawl_folder(crawl.pk) / crawl.checkpoint)
    resume(crawl)
    crawl = run(crawl)
    assert (crawl.state, crawl.reason) == (State.FINISHED, StopReason.BUDGET_REACHED)
    assert crawl.metrics["delta"] == 0.1


def test_a_change_the_engine_cannot_take_is_reported_in_an_event(topic: Topic) -> None:
    crawl = new_crawl(topic, "breadth_first", budget=30)
    ask(crawl, "seeds", {"urls": ["nonsense"]}, topic.owner)
    crawl = run(crawl)
    event = crawl.events.get(kind="refused")
    assert event.payload["change"] == "seeds" and "not a web address" in event.payload["why"]
    assert crawl.reason == StopReason.BUDGET_REACHED


def test_a_trusted_trap_cannot_be_undone_twice(crawl: Crawl) -> None:
    made_event(crawl, 1, "trap", rule="nothing_new", place="a.test/cal/#/#", urls=3)
    made_event(crawl, 2, "trap", rule="nothing_new", place="a.test/shop?color", urls=9)
    assert undoable_now(crawl) == {"1", "2"}
    COMMANDS["trust_trap"].act(crawl, "a.test/cal/#/#", crawl.owner)
    assert undoable_now(crawl) == {"2"}


def test_undoing_a_trap_goes_on_with_a_crawl_that_ran_out_of_links(crawl: Crawl) -> None:
    event = made_event(crawl, 1, "trap", rule="nothing_new", place="a.test/cal/#/#", urls=3)
    Crawl.objects.filter(pk=crawl.pk).update(state="finished", reason="frontier_empty")
    crawl.refresh_from_db()
    COMMANDS["undo"].act(crawl, str(event.seq), crawl.owner)
    crawl.refresh_from_db()
    assert crawl.state == State.QUEUED
    assert Change.objects.get().kind == "trust_trap"


def test_a_crawl_whose_seeds_all_fail_names_which_and_goes_on_with_others(topic: Topic) -> None:
    gone = [MADE.url(0).replace("/p/", f"/gone{i}/") for i in range(5)]
    topic.seeds.all().delete()
    for position, url in enumerate(gone):
        topic.seeds.create(url=url, position=position)
    topic.version += 1
    topic.save()
    crawl = run(new_crawl(topic, "breadth_first", budget=40))
    assert (crawl.state, crawl.reason) == (State.FAILED, StopReason.NO_SEEDS)
    words = state_words(crawl)
    assert words.action == "seeds"
    assert words.reason.startswith(f"no seed gave a page: {gone[0]} (404 not found), {gone[1]}")
    assert "and 2 more" in words.reason
    COMMANDS["seeds"].act(crawl, MADE.url(4), topic.owner)
    crawl.refresh_from_db()
    assert crawl.state == State.QUEUED
    assert run(crawl).reason == StopReason.BUDGET_REACHED


def test_a_topic_without_seeds_cannot_be_crawled(topic: Topic) -> None:
    topic.seeds.all().delete()
    with pytest.raises(CrawlRefused, match="no seeds"):
        start(new_crawl(topic, "breadth_first", budget=40))


def test_what_was_too_deep_is_taken_once_somebody_wants_it(topic: Topic) -> None:
    crawl = run(new_crawl(topic, budget=500, scope={"depth": 1}))
    assert crawl.reason == StopReason.FRONTIER_EMPTY
    too_deep = set(crawl.frontier.filter(reason="depth").values_list("number", flat=True))
    assert too_deep and crawl.excluded_reasons["depth"] == len(too_deep)
    COMMANDS["put_back"].act(crawl, "depth", crawl.owner)
    crawl.refresh_from_db()
    assert crawl.state == State.QUEUED
    run(crawl)
    assert not crawl.frontier.filter(number__in=too_deep, state=FrontierEntry.State.EXCLUDED)
    # The rule still holds for what the readmitted pages link to.
    assert crawl.frontier.filter(reason="depth").exists()


def test_a_failed_address_keeps_its_kind_and_is_tried_again(topic: Topic) -> None:
    crawl = run(new_crawl(topic, budget=500))
    failed = crawl.frontier.filter(state=FrontierEntry.State.FAILED)
    kinds = dict(failed.values_list("number", "reason"))
    last = crawl.failed_requests.order_by("request").values_list("number", "kind")
    assert kinds == {number: kind for number, kind in last if number in kinds} and kinds
    kind = next(iter(kinds.values()))
    before = crawl.failed_requests.filter(kind=kind).count()
    COMMANDS["try_again"].act(crawl, kind, crawl.owner)
    run(crawl)
    again = sum(each == kind for each in kinds.values())
    assert crawl.failed_requests.filter(kind=kind).count() == before + again
    assert crawl.failed == len(kinds)


def test_a_seed_is_requested_as_it_was_written(crawl: Crawl) -> None:
    add_seeds(crawl, "http://a.test/%7Eowl?utm_source=x&b=2")
    assert Change.objects.get().payload["urls"] == ["http://a.test/%7Eowl?utm_source=x&b=2"]
