"""A topic's inputs: lists added, read, replaced and removed; which counts are used; pages."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO

import pytest

from apps.crawls import deletion
from apps.jobs.models import Job
from apps.lists.limits import BadList
from apps.topics import services, tasks
from apps.topics.definition.schemas import Definition
from apps.topics.examples.page_store import topic_folder
from apps.topics.inputs import inlinks, lists
from apps.topics.inputs.catalogue import input_lists, list_of
from apps.topics.inputs.freezing import freeze, origins, supply
from apps.topics.inputs.inlinks import status_words
from apps.topics.inputs.lists import current
from apps.topics.inputs.tables.files import tables_folder
from apps.topics.models import InlinkCount, InputPage, InputTable, Topic
from apps.webs.links import is_counted
from tests.background import work_on
from tests.deletions import finish_deletions
from tests.topic_fixtures import MADE, bread

Kind, State = InputTable.Kind, Job.State


def add(topic: Topic, kind: str, text: str, name: str = "list.csv") -> InputTable:
    """The table of an added list, taken or not."""
    with suppress(BadList):
        list_of(kind).add(topic, name, BytesIO(text.encode()))
    return InputTable.objects.latest("pk")


def counted(*numbers: int) -> str:
    """In-link counts of pages about bread."""
    return "\n".join(f"{MADE.url(4 * i)},{10 + i}" for i in numbers)


@pytest.fixture
def bare(topic: Topic) -> Topic:
    """The topic without any in-link count."""
    InlinkCount.objects.all().delete()
    for path in (tables_folder().parent / "links").glob("*"):
        path.unlink()
    return topic


def test_a_small_list_is_read_at_once(topic: Topic) -> None:
    table = add(topic, Kind.INLINKS, counted(0, 1, 2))
    assert (table.job_state, table.rows, table.topic) == (State.DONE, 3, topic)
    assert [path.name for path in tables_folder().iterdir()] == [table.file]


def test_a_large_list_is_left_to_the_background(topic: Topic, monkeypatch) -> None:
    monkeypatch.setattr(lists, "AT_ONCE_BYTES", 10)
    table = add(topic, Kind.INLINKS, counted(0, 1, 2))
    assert table.is_waiting and current(topic, Kind.INLINKS) is None
    assert work_on(table) == "done"
    assert current(topic, Kind.INLINKS) == table
    assert work_on(table) == "no longer wanted"


def test_a_list_removed_while_it_is_read_leaves_nothing(topic: Topic, monkeypatch) -> None:
    monkeypatch.setattr(lists, "AT_ONCE_BYTES", 10)
    table = add(topic, Kind.SITES, "alpha.co.uk\nbeta.org")
    real = lists.read_table

    def removed(*arguments: object) -> object:
        lists.remove_list(InputTable.objects.get(pk=table.pk))
        return real(kept, *arguments[1:])

    kept = tables_folder().parent / "kept"
    kept.write_bytes((tables_folder() / table.file).read_bytes())
    monkeypatch.setattr(lists, "read_table", removed)
    work_on(table)
    assert not InputTable.objects.exists() and not any(tables_folder().iterdir())


def test_a_new_list_takes_the_place_of_the_old_one(topic: Topic) -> None:
    old, new = add(topic, Kind.SITES, "a.test"), add(topic, Kind.SITES, "b.test\nc.test")
    assert current(topic, Kind.SITES) == new
    assert not InputTable.objects.filter(pk=old.pk).exists()
    assert [path.name for path in tables_folder().iterdir()] == [new.file]


def test_a_list_that_cannot_be_read_leaves_the_old_one_in_use(topic: Topic) -> None:
    old, bad = add(topic, Kind.SITES, "a.test"), add(topic, Kind.SITES, "not a domain")
    assert (bad.job_state, current(topic, Kind.SITES)) == (State.FAILED, old)
    assert "Line 1" in bad.job_problem
    again = add(topic, Kind.SITES, "b.test")
    assert list(InputTable.objects.all()) == [again]


def test_a_full_disk_is_reported(topic: Topic, monkeypatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(lists, "read_table", full)
    assert add(topic, Kind.SITES, "a.test").job_problem.startswith("The disk is full")


def test_traffic_serves_all_topics_of_its_owner(topic: Topic, stranger) -> None:
    add(topic, Kind.TRAFFIC, "1,h0.test\n2,h1.test")
    other = Topic.objects.create(owner=topic.owner, name="Other")
    theirs = Topic.objects.create(owner=stranger, name="Theirs")
    assert current(other, Kind.TRAFFIC) is not None and current(theirs, Kind.TRAFFIC) is None


# Which in-link counts are used -----------------------------------------------------------------


def test_in_links_are_counted_in_a_small_recorded_web_unasked(topic: Topic) -> None:
    assert is_counted(topic.web)
    chosen = inlinks.choose(topic)
    assert chosen and (chosen.of, chosen.examples, chosen.positives) == ("counted", 8, 8)


def test_the_analysts_counts_come_before_ranks_and_those_before_the_web(topic: Topic) -> None:
    ranks = "#pr_val\t#host_rev\n" + "".join(f"{i + 1}.0\ttest.h{i}\n" for i in range(6))
    add(topic, Kind.RANKS, ranks, "ranks.txt")
    assert inlinks.choose(topic).of == "ranks"
    add(topic, Kind.INLINKS, counted(0, 1, 2, 3))
    chosen = inlinks.choose(topic)
    assert (chosen.of, chosen.name, chosen.examples) == ("csv", "list.csv", 4)


def test_counts_of_too_few_examples_give_way(topic: Topic) -> None:
    add(topic, Kind.INLINKS, counted(3))
    assert topic.inlink_counts.count() == 2
    # Two typed and one uploaded know three of eight positive examples: four are needed.
    chosen = [(counts.of, counts.examples) for counts in inlinks.choices(topic)]
    assert chosen == [("csv", 3), ("counted", 8)]
    assert inlinks.choose(topic).of == "counted"


def test_few_counts_are_better_than_none(bare: Topic) -> None:
    assert inlinks.choose(bare) is None
    add(bare, Kind.INLINKS, counted(0))
    assert inlinks.choose(bare).examples == 1 and not inlinks.has_counts(bare)


def test_typed_counts_stand_before_those_of_a_file(topic: Topic) -> None:
    add(topic, Kind.INLINKS, counted(*range(8)))
    frozen = freeze(topic, set())["inlinks"]
    from apps.topics.snapshots import engine_topic, snapshot

    given = supply(engine_topic(snapshot(topic)), topic.pk, {"inlinks": frozen})
    assert given.inlinks[MADE.url(0)] == 7
    assert given.inlinks[MADE.url(8)] == 12
    assert given.inlinks.get(MADE.url(100)) is None


def test_what_a_crawl_was_given_outlives_the_list(topic: Topic) -> None:
    table = add(topic, Kind.INLINKS, counted(*range(8)))
    frozen = freeze(topic, set())
    reports = origins(frozen)["inlinks"]
    assert {n: reports[n] for n in ("of", "name", "rows", "examples", "positives")} == {
        "of": "csv",
        "name": "list.csv",
        "rows": 8,
        "examples": 8,
        "positives": 8,
    }
    lists.remove_list(table)
    assert not list(tables_folder().iterdir())
    assert (topic_folder(topic.pk) / frozen["inlinks"]["file"]).is_file()


def test_a_topics_lists_go_with_it(topic: Topic) -> None:
    add(topic, Kind.SITES, "a.test")
    deletion.delete_topic(topic)
    finish_deletions()
    assert not list(tables_folder().iterdir())


def test_too_few_counts_do_not_teach_status(bare: Topic) -> None:
    add(bare, Kind.INLINKS, counted(0, 1, 2))
    assert not inlinks.has_counts(bare)
    assert status_words(bare) == (
        "Status needs in-links of at least 4 positive examples: your list list.csv, 3 of 8 positive"
        " examples known."
    )
    add(bare, Kind.INLINKS, counted(*range(4)))
    assert status_words(bare).startswith("Status is learned from in-links: your list list.csv, 4 ")


def test_a_table_that_is_gone_is_reported_and_breaks_nothing(bare: Topic) -> None:
    table = add(bare, Kind.INLINKS, counted(*range(8)))
    (tables_folder() / table.file).unlink()
    assert not inlinks.has_counts(bare)
    assert "is gone" in status_words(bare)
    rows = [row for each in input_lists() if (row := each.row(bare)) is not None]
    assert any("is gone" in words for row in rows for words in row.contents)


# Back-links ------------------------------------------------------------------------------------


def test_back_links_are_found_in_a_recorded_web(topic: Topic) -> None:
    gathered = topic.input_pages.filter(origin=InputPage.Origin.FOUND)
    assert gathered.exists() and not gathered.exclude(fetch="fetched").exists()
    held = {
        *topic.targets.values_list("url", flat=True),
        *topic.examples.filter(role="evaluate").values_list("url", flat=True),
    }
    assert not held & set(gathered.values_list("url", flat=True))


def test_found_back_links_follow_the_examples(topic: Topic) -> None:
    before = set(topic.input_pages.values_list("url", flat=True))
    topic.examples.filter(role="train").exclude(url=MADE.url(0)).delete()
    tasks.run_here(topic)
    after = set(topic.input_pages.values_list("url", flat=True))
    assert after < before and len(after) <= 10


def test_named_pages_are_fetched_and_keep_their_name(topic: Topic) -> None:
    taken = services.replace_pages(topic, "backlinks", f"{bread(2)}\nnonsense\n{MADE.url(80)}")
    assert [(e.number, str(e.reason)) for e in taken.errors] == [(2, "not_a_url"), (3, "target")]
    tasks.run_here(topic)
    named = topic.input_pages.get(origin=InputPage.Origin.NAMED)
    assert (named.url, named.kind, named.fetch) == (MADE.url(8), "backlinks", "fetched")
    services.replace_pages(topic, "backlinks", "")
    assert not topic.input_pages.filter(origin=InputPage.Origin.NAMED).exists()


def test_input_pages_of_another_web_are_fetched_anew(topic: Topic) -> None:
    services.replace_pages(topic, "corpus", bread(1, 2))
    tasks.run_here(topic)
    definition = Definition(name="Bread", lists={"corpus": bread(1, 2)})
    services.edit_topic(topic, definition)
    assert set(topic.input_pages.values_list("kind", "origin", "fetch")) == {
        ("corpus", "named", "waiting")
    }
