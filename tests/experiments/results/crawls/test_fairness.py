"""What forbids a comparison is said, and spoils what stands by it and nothing else."""

from __future__ import annotations

import pytest

from apps.engine.evaluation.measure import Witness
from apps.experiments.results.crawls.comparison import compare
from apps.experiments.results.crawls.fairness import EVERY, unlike
from apps.topics.models import Example, Seed, Target
from apps.topics.snapshots import snapshot
from apps.webs.models import Web
from tests.crawl_rows import made_event


def changed(topic, change) -> object:
    """A snapshot of the topic after something of it was changed."""
    change(topic)
    topic.version += 1
    topic.save()
    return snapshot(topic)


def add(model, **values):
    return lambda topic: model.objects.create(topic=topic, url="http://new.test/", **values)


def example(role):
    return add(Example, relevant=True, role=role, fetch="fetched", file="f", offset=0, length=1)


@pytest.mark.parametrize(
    ("change", "what", "spoils"),
    [
        (add(Seed, position=9), "seeds", EVERY),
        (add(Target), "targets", {Witness.TARGETS}),
        (example("evaluate"), "judge", {Witness.JUDGE}),
        (example("train"), "examples", EVERY),
        (lambda topic: setattr(topic, "keywords", ["eelgrass"]), "keywords", EVERY),
    ],
)
def test_a_changed_topic_spoils_what_stands_by_the_change(ended, topic, change, what, spoils):
    before, after = ended(1), ended(1, "breadth_first", snapshot=changed(topic, change))
    (difference,) = unlike([before, after])
    assert (difference.what, difference.spoils) == (what, frozenset(spoils))
    assert unlike([before, before]) == ()


def test_other_judges_and_other_webs(ended):
    web = Web.objects.create(name="coast", source=Web.Source.FOLDER)
    first = ended(1)
    assert [u.what for u in unlike([first, ended(1, judged_by="held_out_svm")])] == ["judge"]
    (difference,) = unlike([first, ended(1, web=web)])
    assert difference.all and "shown side by side, not tested" in difference.sentence


def test_the_sentence_turns_to_what_can_still_be_compared(ended, topic):
    first = ended(3)
    other = changed(topic, add(Target))
    comparison = compare([first, ended(9, "tag_tree_combo", snapshot=other)])
    assert comparison.verdict.sentence.startswith("Both crawls have the same harvest rate")
    rows = {row.measure.id: row for row in comparison.rows}
    assert not rows["target_recall"].comparable
    assert rows["target_recall"].cells[1].difference is None
    assert rows["harvest_rate"].comparable


def test_nothing_is_compared_on_different_webs(ended):
    web = Web.objects.create(name="coast", source=Web.Source.FOLDER)
    comparison = compare([ended(3), ended(9, web=web)])
    assert comparison.verdict.sentence.startswith("Shown side by side")
    assert not any(row.comparable for row in comparison.rows)


def test_what_people_changed_on_the_way_is_remembered(ended, topic):
    crawl = ended(3)
    event = made_event(crawl, 1, "delta", value=0.5)
    assert compare([crawl, ended(4, "breadth_first")]).cautions == ()
    event.by = topic.owner
    event.save()
    assert compare([crawl, ended(4, "breadth_first")]).cautions == (
        "Full page was changed by people while it ran, 1 time.",
    )
