"""Topics by difficulty and by domain: means of groups, and what chance does to them."""

from __future__ import annotations

import pytest

from apps.directories.models import DirectoryTopic
from apps.experiments.results.choice import choose
from apps.experiments.results.groups import by_difficulty, by_domain
from apps.topics.models import Topic
from tests.experiments.results.made_answers import flat, plain

EASE = [0.5, 0.1, 0.7, 0.3, 0.2, 0.8, 0.4, 0.6, 0.9]
ROWS = [[value, value + 0.1 + 0.01 * (n % 2)] for n, value in enumerate(EASE)]


def test_quarters_are_by_the_baselines_recall_hardest_first():
    results = flat(ROWS)
    grouping = by_difficulty(results, choose(results))
    assert [group.name for group in grouping.groups] == [
        "hardest 3",
        "hard 2",
        "easy 2",
        "easiest 2",
    ]
    assert grouping.groups[0].topics == (1, 4, 3)
    assert grouping.by == "quarters by Full page’s target recall at 100 pages"
    assert "chance favours the others" in grouping.note
    base, other = grouping.groups[0].values
    assert (base.n, base.mean) == (3, pytest.approx(0.2))
    assert other.mean == pytest.approx((0.21 + 0.3 + 0.41) / 3)
    assert grouping.groups[0].differences[0] is None
    assert grouping.groups[0].differences[1].mean == pytest.approx((0.11 + 0.1 + 0.11) / 3)


def test_another_measure_is_grouped_by_recall_all_the_same():
    results = flat(ROWS)
    for cells in results.cells.values():
        values = cells[0].result.values
        values["harvest_rate"] = 1 - values["target_recall"]
    grouping = by_difficulty(results, choose(results, measure="harvest_rate"))
    assert grouping.groups[0].topics == (1, 4, 3)
    assert grouping.groups[0].values[0].mean == pytest.approx(0.8)


def test_without_targets_harvest_shows_how_hard_a_topic_is():
    results = flat(ROWS, "harvest_rate")
    assert by_difficulty(results, choose(results)).by.startswith(
        "quarters by Full page’s harvest rate"
    )


def test_quarters_need_eight_topics_that_the_baseline_has():
    rows = [*ROWS[:7], [None, 0.5], [None, 0.4]]
    grouping = by_difficulty(flat(rows), choose(flat(rows)))
    assert grouping.groups == ()
    assert grouping.note == "Quarters need at least 8 topics with a value of the baseline."


def test_domains_are_the_first_part_of_a_path_or_of_a_directorys_category():
    results = flat(
        [[0.2, 0.3], [0.4, 0.6], [0.3, 0.4], [0.1, 0.2], [0.5, 0.5]],
        topics=["Top/Science/Astronomy", "Arts/Puppetry", "Peat", "Science/Botany", "Sourdough"],
    )
    results.topics[2].topic = Topic(category=DirectoryTopic(path="Arts/Crafts/Peat"))
    grouping = by_domain(results, choose(results))
    assert [(group.name, group.topics) for group in grouping.groups] == [
        ("Arts", (1, 2)),
        ("Science", (0, 3)),
    ]
    assert grouping.groups[0].differences[1].mean == pytest.approx(0.15)
    assert plain(grouping.note) == (
        "Mean ± standard error of the paired differences. 2 topics a "
        "domain carry no test; none is made."
    )


def test_topics_of_one_domain_or_none_are_not_grouped():
    for names in (["Peat", "Rye"], ["Science/Peat", "Science/Rye"]):
        results = flat(ROWS[:2], topics=names)
        grouping = by_domain(results, choose(results))
        assert grouping.groups == ()
        assert "at least two top categories" in grouping.note


def test_topics_of_the_same_category_share_its_domain():
    results = flat(ROWS[:3], topics=["a", "b", "Arts/c"])
    for topic in results.topics[:2]:
        topic.topic = Topic(category=DirectoryTopic(path="Science"))
    assert [group.topics for group in by_domain(results, choose(results)).groups] == [(2,), (0, 1)]
