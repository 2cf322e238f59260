"""Saving, changing and deleting topics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.crawls import deletion
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.topics import exporting, selectors, services
from apps.topics.definition.schemas import Definition
from apps.topics.examples.page_store import topic_folder
from apps.topics.models import Example, Topic
from apps.topics.services import MOST_LINES, TopicRefused, create_topic, edit_topic
from apps.topics.snapshots import engine_topic, snapshot
from tests.deletions import finish_deletions
from tests.topic_fixtures import MADE, bread, stars


def definition_of(topic: Topic) -> Definition:
    return Definition(
        name=topic.name,
        keywords=tuple(topic.keywords),
        web_id=topic.web_id,
        web_label=topic.web_label,
        lists=selectors.list_texts(topic),
    )


def changed(definition: Definition, **values: Any) -> Definition:
    return definition.model_copy(update=values)


def test_it_saves_good_lines_and_keeps_bad_ones_as_typed(owner) -> None:
    typed = "http://a.test/1\nnonsense\nhttp://a.test/2"
    saved = create_topic(owner, Definition(name="Bread", lists={"seeds": typed}))
    assert [seed.url for seed in saved.topic.seeds.all()] == ["http://a.test/1", "http://a.test/2"]
    assert [(e.number, e.text) for e in saved.errors["seeds"]] == [(2, "nonsense")]
    assert selectors.list_texts(saved.topic)["seeds"] == typed
    assert selectors.line_errors(saved.topic) == saved.errors


def test_a_seed_is_stored_by_its_canonical_url_and_stays_as_it_was_written(owner) -> None:
    both = ["http://a.test/%7Eowl?utm_source=x&b=2", "http://b.test/"]
    topic = create_topic(owner, Definition(name="Rye", lists={"seeds": "\n".join(both)})).topic
    assert list(topic.seeds.values_list("url", "spelling")) == [
        ("http://a.test/~owl?b=2", both[0]),
        ("http://b.test/", ""),
    ]
    assert selectors.list_texts(topic)["seeds"].splitlines() == both
    assert exporting.definition_of(topic)["seeds"] == both
    assert list(engine_topic(snapshot(topic)).seeds) == both


def test_a_seed_that_is_written_otherwise_makes_a_new_version(owner) -> None:
    definition = Definition(name="Rye", lists={"seeds": "http://a.test/~owl"})
    topic = create_topic(owner, definition).topic
    before = topic.version
    edit_topic(topic, changed(definition, lists={"seeds": "http://a.test/%7Eowl"}))
    assert topic.version == before + 1
    assert topic.written_seeds == ["http://a.test/%7Eowl"]


def test_mended_lines_leave_nothing_behind(owner) -> None:
    topic = create_topic(owner, Definition(name="Bread", lists={"seeds": "nonsense"})).topic
    edit_topic(topic, Definition(name="Bread", lists={"seeds": "http://a.test/1"}))
    assert topic.typed == {}
    assert selectors.line_errors(topic) == {}


def test_a_name_is_taken_once(owner) -> None:
    create_topic(owner, Definition(name="Taken"))
    with pytest.raises(TopicRefused) as refusal:
        create_topic(owner, Definition(name="Taken"))
    assert refusal.value.field == "name"
    assert Topic.objects.count() == 1


def test_two_people_may_use_one_name(owner, stranger) -> None:
    create_topic(owner, Definition(name="Bread"))
    create_topic(stranger, Definition(name="Bread"))
    assert Topic.objects.count() == 2


def test_the_version_grows_with_what_a_crawl_can_notice(topic: Topic) -> None:
    before = topic.version
    same = definition_of(topic)
    edit_topic(topic, changed(same, name="Rye bread"))
    assert topic.version == before
    edit_topic(topic, changed(same, keywords=("rye",)))
    assert topic.version == before + 1
    edit_topic(topic, changed(same, description="Rye bread, no cakes."))
    assert topic.version == before + 2


def test_a_new_seed_keeps_the_quality_and_a_new_example_does_not(topic: Topic) -> None:
    same = definition_of(topic)
    saved = edit_topic(topic, changed(same, lists={**same.lists, "seeds": bread(0, 1, 2)}))
    assert not saved.examples_changed
    assert topic.quality_version == topic.version
    saved = edit_topic(topic, changed(same, lists={**same.lists, "positives": bread(*range(9))}))
    assert saved.examples_changed
    assert topic.quality_version == topic.version - 1


def test_examples_that_stay_keep_their_pages(topic: Topic) -> None:
    same = definition_of(topic)
    edit_topic(topic, changed(same, lists={**same.lists, "positives": bread(*range(1, 10))}))
    kept = topic.examples.get(url=MADE.url(4))
    assert kept.fetch == Example.Fetch.FETCHED and kept.file
    assert topic.examples.get(url=MADE.url(36)).fetch == Example.Fetch.WAITING
    assert not topic.examples.filter(url=MADE.url(0)).exists()


def test_another_web_means_fetching_again(topic: Topic) -> None:
    edit_topic(topic, changed(definition_of(topic), web_id=None))
    assert set(topic.examples.values_list("fetch", "file")) == {("waiting", "")}


def test_relabelling_trains_anew(topic: Topic, django_capture_on_commit_callbacks) -> None:
    example = topic.examples.get(url=MADE.url(0))
    version = topic.version
    services.relabel(example)
    topic.refresh_from_db()
    assert not topic.examples.get(pk=example.pk).relevant
    assert (topic.version, topic.work) == (version + 1, "fetching")


def test_a_list_has_an_end(owner):
    lines = "\n".join(f"http://a.test/{n}" for n in range(MOST_LINES + 1))
    with pytest.raises(TopicRefused, match="100,000 lines") as refused:
        create_topic(owner, Definition(name="Long", lists={"seeds": lines}))
    assert refused.value.field == "seeds"


def test_deleting_takes_rows_and_pages_along(topic: Topic) -> None:
    folder = topic_folder(topic.pk)
    assert list(Path(folder).iterdir())
    deletion.delete_topic(topic)
    finish_deletions()
    assert not Example.objects.exists()
    assert not folder.exists()


def test_a_topic_whose_crawl_runs_is_not_deleted(topic: Topic) -> None:
    Crawl.objects.create(
        owner=topic.owner,
        topic=topic,
        web=topic.web,
        strategy="full_page",
        budget=10,
        request_limit=50,
        state=State.RUNNING,
        reason="learning",
    )
    with pytest.raises(TopicRefused, match="Stop the crawls"):
        deletion.delete_topic(topic)
    assert Topic.objects.filter(pk=topic.pk).exists()


def test_an_example_that_is_named_is_no_drawn_one_any_more(topic: Topic) -> None:
    drawn = topic.examples.create(
        url=MADE.url(101), relevant=False, source=Example.Source.BACKGROUND, weight=0.5
    )
    same = definition_of(topic)
    edit_topic(topic, changed(same, lists={**same.lists, "negatives": stars(*range(12), 25)}))
    drawn.refresh_from_db()
    assert (drawn.source, drawn.weight) == ("named", 1.0)


def test_lists_are_read_before_anything_is_locked(owner, monkeypatch) -> None:
    read, locked, nested = services.read_lists, [], len(connection.savepoint_ids)

    def watched(*lists: Any) -> Any:
        locked.append(len(connection.savepoint_ids) > nested)
        return read(*lists)

    monkeypatch.setattr(services, "read_lists", watched)
    topic = create_topic(owner, Definition(name="Rye", lists={"seeds": "http://a.test/"})).topic
    edit_topic(topic, changed(definition_of(topic), name="Wheat"))
    services.replace_pages(topic, "corpus", "http://a.test/corpus")
    assert locked == [False] * 3


def test_lists_are_read_again_if_an_example_was_redirected_meanwhile(owner, monkeypatch) -> None:
    lists = {"positives": "http://a.test/old", "targets": "http://a.test/new"}
    topic = create_topic(owner, Definition(name="Rye", lists=lists)).topic
    read, count = services.read_lists, []

    def redirected_meanwhile(*texts: Any) -> Any:
        lines = read(*texts)
        if not count:
            topic.examples.update(final_url="http://a.test/new")
        count.append(lines)
        return lines

    monkeypatch.setattr(services, "read_lists", redirected_meanwhile)
    saved = edit_topic(topic, definition_of(topic))
    assert len(count) == 2 and not saved.topic.targets.exists() and saved.errors["targets"]


def test_lists_that_stay_as_they_are_are_not_written_again(owner) -> None:
    urls = [f"http://a.test/{i}" for i in range(9)]
    lists = {
        "seeds": "\n".join(urls),
        "positives": "\n".join(urls[:3]),
        "evaluation_positives": "\n".join(urls[3:5]),
        "targets": "http://b.test/1\nhttp://b.test/2",
        "inlinks": "http://b.test/1,3",
    }
    topic = create_topic(owner, Definition(name="Rye", lists=lists)).topic
    rows = ("seed", "target", "inlinkcount", "example")
    with CaptureQueriesContext(connection) as asked:
        edit_topic(topic, changed(definition_of(topic), name="Wheat"))
    writing = [q["sql"] for q in asked if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert writing and not [s for s in writing for row in rows if f'"topics_{row}"' in s]
    with CaptureQueriesContext(connection) as asked:
        edit_topic(topic, changed(definition_of(topic), lists={**lists, "seeds": urls[8]}))
    writing = [q["sql"] for q in asked if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    written = {row for s in writing for row in rows if f'"topics_{row}"' in s}
    assert written == {"seed"} and [seed.url for seed in topic.seeds.all()] == urls[8:]
