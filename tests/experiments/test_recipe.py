"""An experiment's recipe runs it again to the same numbers."""

from __future__ import annotations

import json

import pytest

from apps.experiments.models import Cell, Experiment
from apps.experiments.recipe import (
    ExperimentRecipe,
    import_experiment,
    recipe_of,
    same_numbers,
)
from apps.experiments.services import create_experiment, delete_experiment, start
from apps.schemas.refused import Refused
from apps.topics import tasks
from apps.topics.models import Topic
from tests.experiments.run_experiment import design, ended, work_through

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def test_it_runs_again_to_the_same_numbers_where_its_topics_are_not(owner, topics):
    experiment = ended(owner, topics=["bread 0"], repetitions=2)
    recipe = json.loads(json.dumps(recipe_of(experiment)))
    assert len(recipe["digests"]) == 4
    delete_experiment(experiment)
    for topic in topics:
        topic.delete()
    again = import_experiment(owner, ExperimentRecipe.read(recipe))
    for topic in Topic.objects.all():
        tasks.run_here(topic)
    start(again)
    work_through(again)
    assert same_numbers(again) == (4, 4)


def test_other_numbers_are_distinguished(owner, topics):
    experiment = ended(owner, topics=["bread 0"])
    again = import_experiment(owner, ExperimentRecipe.read(recipe_of(experiment)))
    assert same_numbers(again) == (0, 0)
    start(again)
    work_through(again)
    Cell.objects.filter(pk=again.cells.first().pk).update(digest="0" * 64)
    assert same_numbers(again) == (1, 2)
    assert same_numbers(experiment) is None


def test_a_recipe_of_another_web_of_that_name_is_refused(owner, topics):
    recipe = recipe_of(create_experiment(owner, design()))
    recipe["pages"] += 1
    with pytest.raises(Refused) as refused:
        import_experiment(owner, ExperimentRecipe.read(recipe))
    assert refused.value.field == "web"
    assert Experiment.objects.count() == 1
