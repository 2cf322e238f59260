"""Answers of an experiment that was really run: they are those of its cells."""

from __future__ import annotations

import csv
import io

import pytest

from apps.directories.models import Directory, DirectoryTopic
from apps.experiments.results.answer import answer
from apps.experiments.results.choice import available_measures, choose
from apps.experiments.results.groups import by_domain
from apps.experiments.results.outcomes import outcomes
from apps.experiments.results.tables import csv_of_cells
from tests.experiments.run_experiment import ended, started

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def test_the_means_are_those_of_the_cells(owner, topics):
    experiment = ended(owner, at=20)
    results = outcomes(experiment)
    assert results.ended and results.finished == results.planned_cells == 4
    for measure in available_measures(results):
        rows = answer(results, choose(results, measure=measure.id, at="40")).rows
        for row, crawler in zip(rows, experiment.crawlers.all(), strict=True):
            ends = [cell.metrics[measure.id] for cell in crawler.cells.all()]
            measured = [end for end in ends if end is not None]
            assert row.value.n == len(measured)
            if measured:
                assert row.value.mean == pytest.approx(sum(measured) / len(measured))
    lines = [*csv.DictReader(io.StringIO(b"".join(csv_of_cells(results)).decode()))]
    assert len(lines) == 4 * 40
    assert {line["crawl_pages"] for line in lines} == {"40"}
    assert answer(results, choose(results)).verdict.sentence.startswith("2 topics are too few")


def test_topics_know_the_categories_that_they_came_from(owner, topics, django_assert_num_queries):
    directory = Directory.objects.create(owner=owner, name="ODP")
    for topic, path in zip(topics, ("Arts/Baking", "Science/Bread"), strict=True):
        topic.category = DirectoryTopic.objects.create(
            directory=directory, path=path, parent=path.split("/")[0], depth=2
        )
        topic.save()
    results = outcomes(started(owner))
    with django_assert_num_queries(0):
        assert [group.name for group in by_domain(results, choose(results)).groups] == [
            "Arts",
            "Science",
        ]
