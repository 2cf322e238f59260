"""Topics of a web's labels."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from apps.schemas.refused import Refused
from apps.topics.from_labels import (
    division_like,
    labels_for_topics,
    make_topics_of_labels,
)
from apps.topics.models import Topic
from apps.webs.importing import import_web
from apps.webs.models import Web

pytestmark = pytest.mark.django_db
LABELS = {
    "Arts/Lace": range(24),
    "Arts/Lutes": range(24, 74),
    "few": range(74, 80),
    "most": range(80, 200),
}


@pytest.fixture
def labelled(tmp_path: Path, data_dir: Path) -> Web:
    """Two hundred pages with four labels, of which one has too few pages and one too many."""
    return import_web("labelled", write_pages(tmp_path / "labelled.jsonl"))[0]


def write_pages(file: Path) -> Path:
    file.write_text(
        "\n".join(
            json.dumps(
                {
                    "url": f"http://h{i % 5}.test/{i}",
                    "topics": [label],
                    "html": f"<title>{label} {i}</title><p>{label} words of page {i}",
                }
            )
            for label, numbers in LABELS.items()
            for i in numbers
        )
    )
    return file


def test_labels_with_too_few_or_most_of_the_pages_are_no_topics(labelled):
    offered = labels_for_topics(labelled)
    assert {label: len(urls) for label, urls in offered.items()} == {
        "Arts/Lutes": 50,
        "Arts/Lace": 24,
    }


def test_a_labels_pages_are_seeds_and_examples_or_targets(owner, labelled):
    lace, lutes = make_topics_of_labels(owner, labelled, ["Arts/Lace", "Arts/Lutes"])
    for topic, size, targets in ((lace, 12, 12), (lutes, 20, 30)):
        seeds = set(topic.seeds.values_list("url", flat=True))
        positives = set(topic.examples.filter(relevant=True).values_list("url", flat=True))
        rest = set(topic.targets.values_list("url", flat=True))
        negatives = set(topic.examples.filter(relevant=False).values_list("url", flat=True))
        assert (len(seeds), len(rest), len(negatives)) == (size, targets, 2 * size)
        assert seeds == positives
        assert not rest & seeds
        assert topic.web_label == topic.name
        assert topic.keywords == [topic.name.removeprefix("Arts/").lower()]
        own = {f"http://h{i % 5}.test/{i}" for i in LABELS[topic.name]}
        assert seeds | rest == own
        assert not negatives & own
        assert topic.work == "fetching"


def test_drawn_again_they_are_the_same_and_none_is_made_twice(owner, labelled):
    first = make_topics_of_labels(owner, labelled, most=1, random_seed=3)
    again = make_topics_of_labels(owner, labelled, most=1, random_seed=3)
    assert first == again
    assert Topic.objects.count() == 1


def test_topics_of_two_webs_with_the_same_labels_have_different_names(owner, labelled, tmp_path):
    other = import_web("other", write_pages(tmp_path / "other.jsonl"))[0]
    asked = ["Arts/Lace", "Arts/Lutes"]
    first = make_topics_of_labels(owner, labelled, asked)
    second = make_topics_of_labels(owner, other, asked)
    assert [topic.name for topic in first] == asked
    assert [topic.name for topic in second] == ["Arts/Lace (other)", "Arts/Lutes (other)"]
    assert {topic.web for topic in second} == {other}
    assert [topic.web_label for topic in second] == asked
    assert make_topics_of_labels(owner, other, asked) == second
    sl = make_topics_of_labels(owner, labelled, asked[:1], division=division_like("sl"))
    assert sl[0].name == "Arts/Lace (SL)"
    again = make_topics_of_labels(owner, other, asked[:1], division=division_like("sl"))
    assert again[0].name == "Arts/Lace (SL, other)"


def test_a_label_that_is_no_topic_is_refused(owner, labelled):
    with pytest.raises(Refused) as refused:
        make_topics_of_labels(owner, labelled, ["few"])
    assert "few" in refused.value.message
    assert not Topic.objects.exists()


@pytest.mark.parametrize(
    ("paper", "seeds", "positives", "judges", "targets"),
    [("lc", 20, 20, 0, 30), ("sl", 25, 25, 25, 0), ("slc", 25, 25, 0, 0), ("afc", 50, 50, 0, 0)],
)
def test_all_labels_become_topics_by_the_rule_of_a_paper(
    owner, labelled, paper, seeds, positives, judges, targets
):
    topics = make_topics_of_labels(owner, labelled, division=division_like(paper))
    names = {topic.name.partition(" (")[0] for topic in topics}
    assert names == ({"Arts/Lace", "Arts/Lutes"})
    (lutes,) = (topic for topic in topics if topic.name.startswith("Arts/Lutes"))
    relevant = lutes.examples.filter(relevant=True)
    assert lutes.seeds.count() == seeds and lutes.targets.count() == targets
    assert relevant.filter(role="train").count() == positives
    assert relevant.filter(role="evaluate").count() == judges
    assert lutes.web_label == "Arts/Lutes"


def test_a_large_label_has_no_more_positives_than_afc_keeps_of_a_class(owner, labelled):
    division = replace(division_like("slc"), most_positives=8)
    topic = make_topics_of_labels(owner, labelled, ["Arts/Lutes"], division=division)[0]
    assert topic.examples.filter(relevant=True).count() == 8
    assert topic.examples.filter(relevant=False).count() == 16
    assert division_like("slc").most_positives == 300
